//! The word a person may have meant.

/// The candidate nearest to `word` by insertions, deletions, replacements and swaps of neighbours
/// (of letters of either case), if it is near enough to be a slip: at most a third of the word. Ties go to
/// the candidate that comes first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let limit = (length / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == word || candidate.chars().count().abs_diff(length) > limit {
            continue;
        }
        let steps = distance(word, candidate);
        if steps <= limit && steps < length && best.is_none_or(|(least, _)| steps < least) {
            best = Some((steps, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Steps between two words (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let letters =
        |word: &str| -> Vec<char> { word.chars().map(|c| c.to_ascii_lowercase()).collect() };
    let (a, b) = (letters(a), letters(b));
    // rows[0] is the row before the last, rows[1] the last.
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            row[j] = (rows[1][j - 1] + usize::from(a[i - 1] != b[j - 1]))
                .min(rows[1][j] + 1)
                .min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[0][j - 2] + 1);
            }
        }
        rows.swap(0, 1);
        rows[1] = row;
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["location", "request", "state", "TRUE", "x1"];
        for (word, meant) in [
            ("locatioon", Some("location")),
            ("reuqest", Some("request")),
            ("State", Some("state")),
            ("true", Some("TRUE")),
            ("x2", Some("x1")),
            ("grant", None),
            ("zz", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names), meant, "{word}");
        }
    }
}
