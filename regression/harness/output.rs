//! Reading what a model checker printed: banner, verdict lines, traces.

/// `text` without the banner: the leading lines `*** ...`, blank lines among them, and the blank
/// line after them.
pub fn strip_banner(text: &str) -> &str {
    let mut rest = text;
    let mut end = text;
    let mut seen = false;
    loop {
        let (line, next) = match rest.split_once('\n') {
            Some(split) => split,
            None => return end,
        };
        if line.starts_with("*** ") {
            seen = true;
            end = next.strip_prefix('\n').unwrap_or(next);
        } else if !line.is_empty() || !seen {
            return end;
        }
        rest = next;
    }
}

/// One verdict line (a property whose text spans lines is joined), in order of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The whole line as printed.
    pub line: String,
    /// `T`, `F`, or the result of COMPUTE.
    pub value: String,
}

/// The verdicts in `text`, in order.
pub fn verdicts(text: &str) -> Vec<Verdict> {
    const HEADS: [&str; 3] = ["-- specification ", "-- invariant ", "-- the result of "];
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let start = HEADS.iter().any(|h| line.starts_with(h));
        if start {
            open = Some(line.to_owned());
        } else if let Some(text) = &mut open {
            text.push('\n');
            text.push_str(line);
        }
        let Some(text) = &open else { continue };
        if let Some(value) = value_of(text) {
            found.push(Verdict {
                line: text.clone(),
                value,
            });
            open = None;
        }
    }
    found
}

fn value_of(line: &str) -> Option<String> {
    if let Some(text) = line.strip_prefix("-- the result of ") {
        let (_, value) = text.rsplit_once("is ")?;
        let known = ["infinity", "undefined"].contains(&value);
        return (known || value.parse::<u64>().is_ok()).then(|| value.to_owned());
    }
    match line.rsplit_once(" is ")?.1 {
        "true" => Some("T".into()),
        "false" => Some("F".into()),
        _ => None,
    }
}

/// `text` with the steps of traces left out: verdicts, headers and everything else stay.
pub fn without_traces(text: &str) -> String {
    let mut kept = String::new();
    let mut in_trace = false;
    for line in text.lines() {
        if line.starts_with("Trace Type: ") {
            in_trace = true;
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        if in_trace && line.starts_with("  ") {
            continue;
        }
        in_trace = false;
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

/// A readable difference of two texts: the first differing lines with some context.
pub fn difference(expected: &str, got: &str) -> String {
    let (e, g): (Vec<_>, Vec<_>) = (expected.lines().collect(), got.lines().collect());
    let same = e.iter().zip(&g).take_while(|(a, b)| a == b).count();
    if same == e.len() && same == g.len() {
        return "  (only the last newline differs)\n".into();
    }
    let mut text = String::new();
    for line in &e[same.saturating_sub(2)..same] {
        text += &format!("    {line}\n");
    }
    for line in e.iter().skip(same).take(8) {
        text += &format!("  - {line}\n");
    }
    for line in g.iter().skip(same).take(8) {
        text += &format!("  + {line}\n");
    }
    format!("  at line {} (- expected, + got):\n{text}", same + 1)
}

/// Self-tests of the readers above, run as one trial.
pub fn self_test() {
    let text = "*** This is X\n\n*** y\n\n-- specification AG a  is true\n";
    assert_eq!(strip_banner(text), "-- specification AG a  is true\n");
    assert_eq!(strip_banner("*** a\n\n\n####\n"), "\n####\n");
    assert_eq!(strip_banner("**** LIST\n"), "**** LIST\n");
    assert_eq!(strip_banner("\nx\n"), "\nx\n");
    let found = verdicts(
        "-- specification case\na : b;\nesac  is false\nTrace Type: Counterexample \n  x\n\
         -- the result of MIN [ k , !k ]  IN mis 1\n-- invariant a = b  is true\n",
    );
    let values: Vec<_> = found.iter().map(|v| v.value.as_str()).collect();
    assert_eq!(values, ["F", "1", "T"]);
    assert_eq!(
        without_traces("a\nTrace Type: C \n  -> State: 1.1 <-\n    x = 0\nb\n"),
        "a\nTrace Type: C \nb\n"
    );
}
