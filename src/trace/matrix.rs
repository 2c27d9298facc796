//! Traces as tables of tab-separated cells (NuSMV's trace plugins 2, 3 and 5).
//!
//! Plugins 2 and 3 have a line (a column) for each state (`S1`), and before each but the first one for
//! the DEFINEs over the transition into it (`C2`) and one for its inputs (`I2`); plugin 5 has a
//! line for each step. A cell without value holds `-`. DEFINEs that look at next values do not appear.

use super::plugin::Steps;
use super::table::{Column, ColumnKind, Table};

/// One line of plugin 2 or column of plugin 3.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    State,
    Combinatorial,
    Input,
}

impl Part {
    fn label(self, step: usize) -> String {
        let letter = match self {
            Part::State => 'S',
            Part::Combinatorial => 'C',
            Part::Input => 'I',
        };
        format!("{letter}{}", step + 1)
    }
}

/// Columns that appear, by part.
fn shown(columns: &[Column]) -> impl Iterator<Item = &Column> {
    let appears = |c: &&Column| c.kind != ColumnKind::DefineNext;
    columns.iter().filter(appears)
}

fn cell(column: &Column, step: usize) -> String {
    let value = column.cells.get(step).and_then(Option::as_ref);
    value.map_or_else(|| "-".to_owned(), |c| c.as_union())
}

/// The value of a column in the line of `part` at `step`.
fn cell_of(of: Part, column: &Column, part: Part, step: usize) -> String {
    match part {
        _ if of != part => "-".to_owned(),
        Part::Combinatorial => cell(column, step - 1),
        Part::State | Part::Input => cell(column, step),
    }
}

/// All symbols with their part, in the order of plugins 2 and 3.
fn symbols(table: &Table) -> Vec<(Part, &Column)> {
    let of = |part, columns| shown(columns).map(move |c| (part, c));
    of(Part::State, &table.state)
        .chain(of(Part::Combinatorial, &table.combinatorial))
        .chain(of(Part::Input, &table.input))
        .collect()
}

/// The lines of plugin 2 with their steps.
fn places(steps: Steps) -> Vec<(Part, usize)> {
    let mut places = Vec::new();
    for step in steps {
        if step > 0 {
            places.extend([(Part::Combinatorial, step), (Part::Input, step)]);
        }
        places.push((Part::State, step));
    }
    places
}

/// Plugin 2.
pub fn symbols_on_columns(table: &Table, steps: Steps) -> String {
    let symbols = symbols(table);
    let mut out = line("Name", symbols.iter().map(|(_, c)| c.name.clone()));
    for (part, step) in places(steps) {
        let cells = symbols.iter().map(|(of, c)| cell_of(*of, c, part, step));
        out += &line(&part.label(step), cells);
    }
    out
}

/// Plugin 3.
pub fn symbols_on_rows(table: &Table, steps: Steps) -> String {
    let places = places(steps);
    let mut out = line("Step", places.iter().map(|(part, step)| part.label(*step)));
    for (of, column) in symbols(table) {
        out += &column.name;
        for &(part, step) in &places {
            out += &format!("\t{}", cell_of(of, column, part, step));
        }
        out.push('\n');
    }
    out
}

/// Plugin 5.
pub fn compact(table: &Table, steps: Steps) -> String {
    let all = || shown(&table.input).chain(shown(&table.state));
    let combinatorial = || shown(&table.combinatorial);
    let names = all().chain(combinatorial()).map(|c| c.name.clone());
    let mut out = line("Steps\\Vars", names);
    for step in steps {
        let after = combinatorial().map(|c| match step.checked_sub(1) {
            Some(before) => cell(c, before),
            None => "-".to_owned(),
        });
        let cells = all().map(|c| cell(c, step)).chain(after);
        out += &line(&format!("Step{}", step + 1), cells);
    }
    out
}

fn line(label: &str, cells: impl Iterator<Item = String>) -> String {
    let mut out = format!("{label}\t");
    for cell in cells {
        out += &cell;
        out.push('\t');
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use crate::trace::plugin::Plugin;
    use crate::trace::testing::with_inputs;

    #[test]
    fn lines_for_states_transitions_and_inputs() {
        let table = with_inputs();
        let expected = "Name\tx\td\tid\ti\t\nS1\t0\t1 union 2\t-\t-\t\nC2\t-\t-\tTRUE\t-\t\n\
            I2\t-\t-\t-\tp\t\nS2\t1\t1 union 2\t-\t-\t\n";
        assert_eq!(Plugin::Columns.write(&table, 1), expected);
        let expected = "Step\tS1\tC2\tI2\tS2\t\nx\t0\t-\t-\t1\nd\t1 union 2\t-\t-\t1 union 2\n\
            id\t-\tTRUE\t-\t-\ni\t-\t-\tp\t-\n";
        assert_eq!(Plugin::Rows.write(&table, 1), expected);
    }

    #[test]
    fn compact_lines_have_the_transition_into_the_step() {
        let expected = "Steps\\Vars\ti\tx\td\tid\t\nStep2\tp\t1\t1 union 2\tTRUE\t\n";
        assert_eq!(
            Plugin::Compact.write_steps(&with_inputs(), 1, 1..=1),
            expected
        );
    }
}
