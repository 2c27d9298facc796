//! The answers to queries as a table for `--format csv`.

use super::Report;
use num_bigint::BigUint;

/// The head of the table of `--format csv`.
pub const CSV_HEAD: &str = "query,text,answer,solutions,number,values,initial_states\n";

impl Report<'_> {
    /// The rows of the table; `index` is the number of the query, from 0.
    pub fn csv(&self, index: usize) -> String {
        let a = self.answer;
        let text = quoted(&self.text());
        let row = |answer: &str, count: &BigUint, rest: &str| {
            format!("{index},{text},{answer},{count},{rest}\n")
        };
        let mut out = String::new();
        for (answer, count, listing) in
            [("all", &a.count, &a.all), ("some", &a.count_some, &a.some)]
        {
            if listing.cubes.is_empty() {
                out += &row(answer, count, ",,");
            }
            for (i, cube) in listing.cubes.iter().enumerate() {
                let values = quoted(&self.cube(cube, ", "));
                let initial = match answer {
                    "some" => a.initial[i].to_string(),
                    _ => String::new(),
                };
                out += &row(answer, count, &format!("{},{values},{initial}", i + 1));
            }
        }
        out
    }
}

/// A field of the table.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
