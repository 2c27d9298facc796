//! `-pre` and `-cpp`: the model text goes through external programs before it is parsed.
//!
//! The programs are run as NuSMV runs them: by the shell, with the file's name behind, their
//! stdout being the new text, their stderr ours, their exit code ignored. The second and later
//! ones read the output of the one before from a temporary file.

use super::options::Preprocessor;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A preprocessor could not be run.
#[derive(Debug, thiserror::Error)]
pub enum PreprocessError {
    #[error("cannot run a preprocessor: {0}")]
    Run(#[from] std::io::Error),
    #[error("Preprocessor file {0} does not exist.")]
    Missing(String),
}

/// The programs that the shell's variables `pp_cpp_path` and `pp_m4_path` put in the place of the usual ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    pub cpp: Option<String>,
    pub m4: Option<String>,
}

impl Programs {
    /// The program given for a preprocessor; an error if there is no such file.
    pub fn of(&self, which: Preprocessor) -> Result<Option<&str>, PreprocessError> {
        let given = match which {
            Preprocessor::Cpp => &self.cpp,
            Preprocessor::M4 => &self.m4,
        };
        match given {
            Some(file) if !Path::new(file).is_file() => Err(PreprocessError::Missing(file.clone())),
            given => Ok(given.as_deref()),
        }
    }
}

impl Preprocessor {
    /// The command line without the file.
    fn command(self, programs: &Programs) -> Result<OsString, PreprocessError> {
        if let Some(file) = programs.of(self)? {
            return Ok(file.into());
        }
        Ok(match self {
            Preprocessor::Cpp => std::env::var_os("CPP").unwrap_or_else(|| "cc -E -x c".into()),
            Preprocessor::M4 => "m4".into(),
        })
    }
}

/// The text of `file` after all of `list`.
pub fn run(
    list: &[Preprocessor],
    programs: &Programs,
    file: &OsStr,
) -> Result<Vec<u8>, PreprocessError> {
    let mut text = Vec::new();
    let mut input = file.to_owned();
    let mut temporary: Option<Temporary> = None;
    for (i, pre) in list.iter().enumerate() {
        if i > 0 {
            let t = Temporary::new(i, &text)?;
            input = t.0.clone().into_os_string();
            temporary = Some(t);
        }
        let mut line = pre.command(programs)?;
        line.push(" \"$1\"");
        let output = Command::new("sh")
            .arg("-c")
            .arg(line)
            .arg("sh")
            .arg(&input)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()?;
        text = output.stdout;
    }
    drop(temporary);
    Ok(text)
}

/// A file that is removed when it is no longer needed.
struct Temporary(PathBuf);

impl Temporary {
    fn new(step: usize, text: &[u8]) -> std::io::Result<Self> {
        use std::io::Write;
        let name = format!("nusmv-rs-{}-{step}.smv", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        file.write_all(text)?;
        Ok(Temporary(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
