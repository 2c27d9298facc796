//! Input nobody meant: very deep, very large, binary, interrupted. The program must end by itself,
//! in time, with a message and an exit code, never by a signal or a panic.

use super::output::strip_banner;
use super::run::{Finished, product, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);
const DEEP: usize = 100_000;

/// What is expected of a run on some bytes.
enum Want {
    /// Exit code 0 and this on stdout.
    Says(&'static str),
    /// Exit code 1 and this on stderr.
    Error(&'static str),
    /// Exit code 0, 1 or 4 (out of memory).
    Anything,
}

fn on_bytes(bytes: &[u8], want: Want) -> Result<(), Failed> {
    let dir = scratch("robust");
    std::fs::write(dir.join("model.smv"), bytes)?;
    let got = run(&product(), &["-dcx", "model.smv"], &dir, b"", LIMIT);
    std::fs::remove_dir_all(&dir)?;
    judge(&got, want)
}

fn judge(got: &Finished, want: Want) -> Result<(), Failed> {
    let shorten = |text: String| text.chars().take(600).collect::<String>();
    let context = |what: &str| {
        let (out, err) = (got.out(), got.err());
        format!(
            "{what}\n{:?}\n{}\n{}",
            got.code,
            shorten(strip_banner(&out).into()),
            shorten(err)
        )
    };
    if let Some(crash) = got.crash() {
        return Err(context(&shorten(crash)).into());
    }
    let fine = match want {
        Want::Says(text) => got.code == Some(0) && got.out().contains(text),
        Want::Error(text) => got.code == Some(1) && got.err().contains(text),
        Want::Anything => matches!(got.code, Some(0 | 1 | 4)),
    };
    if fine {
        Ok(())
    } else {
        Err(context("not as expected").into())
    }
}

fn deep(open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP))
}

/// Models with one very deep expression, by name.
fn deep_models() -> Vec<(&'static str, String)> {
    let head = "MODULE main\nVAR a : boolean; x : 0..3;\n";
    let spec = |e: String| format!("{head}INVARSPEC ({e}) | TRUE\n");
    let chain = |op: &str| {
        let mut text = "a".to_owned();
        for _ in 0..DEEP {
            text += op;
            text += "a";
        }
        text
    };
    let mut defines = "DEFINE d0 := a;\n".to_owned();
    for i in 1..DEEP {
        defines += &format!("d{i} := !d{};\n", i - 1);
    }
    vec![
        ("parentheses", spec(deep("(", "a", ")"))),
        ("not", spec(deep("!", "a", ""))),
        ("not_parentheses", spec(deep("!(", "a", ")"))),
        ("and_left", spec(chain(" & "))),
        ("implies_right", spec(chain(" -> "))),
        ("and_right", spec(deep("(a & ", "a", ")"))),
        (
            "plus",
            spec(format!("{} = x", chain(" + ").replace('a', "0"))),
        ),
        ("minus_unary", spec(format!("{} = x", deep("-(", "x", ")")))),
        ("case", spec(deep("case a : ", "a", "; TRUE : a; esac"))),
        (
            "case_long",
            spec(format!("case {} TRUE : a; esac", "a : a; ".repeat(DEEP))),
        ),
        ("ternary", spec(deep("(a ? a : ", "a", ")"))),
        (
            "set",
            format!("{head}ASSIGN init(x) := {};\n", deep("{0, ", "1", "}")),
        ),
        (
            "next",
            format!("{head}TRANS {}\n", deep("(", "next(a)", ")")),
        ),
        (
            "define_chain",
            format!("{head}{defines}INVARSPEC d{} | TRUE\n", DEEP - 1),
        ),
        (
            "ctl",
            format!("{head}SPEC ({}) | TRUE\n", deep("AX ", "a", "")),
        ),
        (
            "ctl_nested",
            format!("{head}SPEC ({}) | TRUE\n", deep("(a -> AX ", "a", ")")),
        ),
        (
            "ltl_parentheses",
            format!("{head}LTLSPEC NAME q := {}\n", deep("(", "a", ")")),
        ),
        (
            "psl_parentheses",
            format!("{head}PSLSPEC {} | TRUE;\n", deep("(", "a", ")")),
        ),
        (
            "psl_chain",
            format!("{head}PSLSPEC {} -> a;\n", chain(" | ")),
        ),
        (
            "psl_sere",
            format!("{head}PSLSPEC never {}a}};\n", "{a; ".repeat(DEEP)),
        ),
        (
            "subscript",
            format!("{head}INIT {} = 0\n", deep("x[", "0", "]")),
        ),
        ("unclosed", format!("{head}INIT {}\n", "(".repeat(DEEP))),
        ("dots", format!("{head}INIT a{}\n", ".b".repeat(DEEP))),
    ]
}

fn deep_want(name: &str) -> Want {
    match name {
        "set" | "next" | "ltl_parentheses" | "psl_chain" => Want::Anything,
        "subscript" | "dots" => Want::Error("file model.smv"),
        "unclosed" => Want::Error("Parser error"),
        "psl_sere" => Want::Error("PSL parse error"),
        _ => Want::Says("is true"),
    }
}

/// A valid file of about 10 MB.
fn large() -> String {
    let mut text = "MODULE main\nVAR a : boolean; x : 0..3;\n".to_owned();
    let mut i = 0;
    while text.len() < 10_000_000 {
        text += &format!(
            "DEFINE some_longer_name_{i} := (a & x = {}) | (x + 1 > 2); -- {i}\n",
            i % 4
        );
        i += 1;
    }
    text + "SPEC AG (a | !a)\n"
}

/// Work for minutes: a product of words compared with a constant.
const HARD: &str = "MODULE main\nVAR a : unsigned word[30]; b : unsigned word[30];\n\
    ASSIGN next(a) := a + 0ud30_1; next(b) := b * a;\n\
    INVARSPEC extend(a, 30) * extend(b, 30) != 0ud60_1000036000099\n";

fn timeout() -> Result<(), Failed> {
    let dir = scratch("robust");
    std::fs::write(dir.join("model.smv"), HARD)?;
    let start = Instant::now();
    let got = run(
        &product(),
        &["--timeout", "1", "model.smv"],
        &dir,
        b"",
        LIMIT,
    );
    let took = start.elapsed();
    std::fs::remove_dir_all(&dir)?;
    if let Some(crash) = got.crash() {
        return Err(crash.into());
    }
    if got.code == Some(0) || got.err().trim().is_empty() || took > Duration::from_secs(20) {
        return Err(format!("{:?} after {took:?}: {}", got.code, got.err()).into());
    }
    Ok(())
}

/// Starts the program on `model.smv` in `dir`, its output to be read from pipes.
fn start_on_model(dir: &Path) -> std::io::Result<Child> {
    Command::new(product())
        .arg("model.smv")
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

fn interrupt() -> Result<(), Failed> {
    let dir = scratch("robust");
    std::fs::write(dir.join("model.smv"), HARD)?;
    let mut child = start_on_model(&dir)?;
    std::thread::sleep(Duration::from_millis(1500));
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill()?;
            child.wait()?;
            return Err("still runs 20 s after the interrupt".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output()?;
    std::fs::remove_dir_all(&dir)?;
    let err = String::from_utf8_lossy(&output.stderr);
    if output.status.code().is_none_or(|c| c == 0) || err.trim().is_empty() {
        return Err(format!("{}: {err}", output.status).into());
    }
    Ok(())
}

/// Less address space than the model needs, by half or by far: a message, its exit code, a document.
fn exhausted(megabytes: u32) -> Result<(), Failed> {
    let dir = scratch("robust");
    let array = "MODULE main\nVAR a : array 0..2000000 of boolean;\n";
    std::fs::write(dir.join("model.smv"), array)?;
    let command = format!(
        "ulimit -v {} && exec '{}' -quiet --format json model.smv",
        u64::from(megabytes) << 10,
        product().display()
    );
    let got = run(Path::new("sh"), &["-c", &command], &dir, b"", LIMIT);
    std::fs::remove_dir_all(&dir)?;
    let document = got.out().contains("\"code\":\"out-of-memory\"");
    if got.code == Some(4) && got.err() == "nusmv-rs: out of memory\n" && document {
        return Ok(());
    }
    Err(format!("{:?}, signal {:?}: {}", got.code, got.signal, got.err()).into())
}

/// A property that nothing checks is an error of the document, beside its own reason.
fn unchecked() -> Result<(), Failed> {
    let dir = scratch("robust");
    let model = "MODULE main\nVAR a : boolean;\nLTLSPEC F [0, 2147483647] a\n";
    std::fs::write(dir.join("model.smv"), model)?;
    let args = ["--format", "json", "model.smv"];
    let got = run(&product(), &args, &dir, b"", LIMIT);
    std::fs::remove_dir_all(&dir)?;
    match got.code == Some(3) && got.out().contains("\"code\":\"not-checked\"") {
        true => Ok(()),
        false => Err(format!("{:?} {}", got.code, got.out()).into()),
    }
}

/// The reader of our output goes away, as in `nusmv-rs ... | head -1`.
fn closed_pipe() -> Result<(), Failed> {
    let dir = scratch("robust");
    let specs = "SPEC AG x = 0\n".repeat(20_000);
    let model = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\n";
    std::fs::write(dir.join("model.smv"), model.to_owned() + &specs)?;
    let mut child = start_on_model(&dir)?;
    drop(child.stdout.take());
    let output = child.wait_with_output()?;
    std::fs::remove_dir_all(&dir)?;
    let err = String::from_utf8_lossy(&output.stderr);
    match err.contains("panicked") {
        true => Err(err.into_owned().into()),
        false => Ok(()),
    }
}

/// Paths that are no readable file.
fn no_file(argument: &'static str, code: i32) -> Result<(), Failed> {
    let dir = scratch("robust");
    std::fs::create_dir(dir.join("folder"))?;
    let got = run(&product(), &[argument], &dir, b"", LIMIT);
    std::fs::remove_dir_all(&dir)?;
    match (
        got.crash(),
        got.code == Some(code),
        got.err().trim().is_empty(),
    ) {
        (None, true, false) => Ok(()),
        _ => Err(format!("{:?} {}", got.code, got.err()).into()),
    }
}

pub fn trials() -> Vec<Trial> {
    const OK: &str = "MODULE main\nVAR a : boolean;\nSPEC AG (a | !a)\n";
    let small: Vec<(&str, Vec<u8>, Want)> = vec![
        ("empty", Vec::new(), Want::Error("Parser error")),
        (
            "crlf",
            OK.replace('\n', "\r\n").into(),
            Want::Says("is true"),
        ),
        ("tabs", OK.replace(' ', "\t").into(), Want::Says("is true")),
        (
            "latin1_comment",
            [OK.as_bytes(), b"-- caf\xe9 \xff\n"].concat(),
            Want::Says("is true"),
        ),
        (
            "utf8_comment",
            format!("-- naïve → ∀\n{OK}").into(),
            Want::Says("is true"),
        ),
        (
            "latin1_code",
            OK.replace("AG", "\u{e9}").into(),
            Want::Error("file model.smv: line 3"),
        ),
        (
            "nul",
            OK.replace("AG", "\0").into(),
            Want::Error("file model.smv: line 3"),
        ),
        (
            "no_final_newline",
            OK.trim_end().into(),
            Want::Says("is true"),
        ),
        (
            "open_comment",
            format!("{OK}/-- never closed").into(),
            Want::Anything,
        ),
        ("bom", format!("\u{feff}{OK}").into(), Want::Anything),
        (
            "huge_number",
            OK.replace("boolean", "0..99999999999999999999999").into(),
            Want::Anything,
        ),
        (
            "huge_range",
            OK.replace("boolean", "0..2000000000").into(),
            Want::Anything,
        ),
        (
            "huge_word",
            OK.replace("boolean", "word[4000000000]").into(),
            Want::Error("file"),
        ),
        (
            "huge_array",
            OK.replace("boolean", "array 0..2000000000 of boolean")
                .into(),
            Want::Anything,
        ),
        (
            "huge_shift",
            format!("{OK}INVARSPEC 0ud8_1 << 5000000000 = 0ud8_0").into(),
            Want::Anything,
        ),
        (
            "huge_bound",
            format!("{OK}SPEC EBF 0..1000000 a").into(),
            Want::Says("is true"),
        ),
        (
            "min_integer",
            format!("{OK}INVARSPEC (-9223372036854775808) / -1 = 0").into(),
            Want::Anything,
        ),
        (
            "recursive_module",
            "MODULE main VAR m : main; SPEC m.m.m".into(),
            Want::Error("file"),
        ),
        (
            "long_name",
            OK.replace('a', &"a".repeat(1_000_000)).into(),
            Want::Anything,
        ),
    ];
    let mut trials = Vec::new();
    for (name, bytes, want) in small {
        trials.push(Trial::test(format!("robust::{name}"), move || {
            on_bytes(&bytes, want)
        }));
    }
    for (name, text) in deep_models() {
        let test = move || on_bytes(text.as_bytes(), deep_want(name));
        trials.push(Trial::test(format!("robust::deep_{name}"), test));
    }
    trials.push(Trial::test("robust::large", || {
        on_bytes(large().as_bytes(), Want::Says("is true"))
    }));
    trials.push(Trial::test("robust::timeout", timeout));
    trials.push(Trial::test("robust::interrupt", interrupt));
    let limited = [20, 150, 300].into_iter();
    // Only there does the shell limit address space.
    for megabytes in limited.filter(|_| cfg!(target_os = "linux")) {
        let name = format!("robust::exhausted_{megabytes}");
        trials.push(Trial::test(name, move || exhausted(megabytes)));
    }
    trials.push(Trial::test("robust::unchecked", unchecked));
    trials.push(Trial::test("robust::closed_pipe", closed_pipe));
    trials.push(Trial::test("robust::directory", || no_file("folder", 2)));
    trials.push(Trial::test("robust::missing", || no_file("missing.smv", 1)));
    trials
}
