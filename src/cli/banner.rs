//! The banner: the form and the number of lines of NuSMV's, so that programs that skip it still do.
//!
//! Programs look for `This is NuSMV` in the first line and count the word for a property in the
//! output, so no line may contain that word.

/// Eighteen lines, the last one blank.
pub fn banner() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let lines = [
        format!("*** This is NuSMV-rs {version} (nusmv-rs, compatible with NuSMV 2.6.0)"),
        "*** It reads the models and options of NuSMV 2.6.0 and prints its results.".to_owned(),
        "*** It is an independent program, written anew in Rust.".to_owned(),
        "*** It shares no code with NuSMV.".to_owned(),
        "*** For the differences see the file COMPATIBILITY.md.".to_owned(),
        "*** For the options run nusmv-rs -h.".to_owned(),
        "*** Please report bugs to the place you have it from.".to_owned(),
        String::new(),
        "*** Licensed under MIT or Apache-2.0, at your choice".to_owned(),
        String::new(),
        "*** nusmv-rs is linked to the CUDD library version 2.5.1".to_owned(),
        "*** Copyright (c) 1995-2004, Regents of the University of Colorado".to_owned(),
        String::new(),
        "*** Decision diagrams: CUDD, by Fabio Somenzi".to_owned(),
        "*** No SAT solver is linked to this version.".to_owned(),
        "*** The input language is that of NuSMV 2.6.0,".to_owned(),
        "*** Copyright (c) 2010-2014, Fondazione Bruno Kessler".to_owned(),
        String::new(),
    ];
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::banner;

    #[test]
    fn programs_that_skip_nusmv_banner_skip_ours() {
        let text = banner();
        assert_eq!(text.lines().count(), 18);
        assert!(text.lines().next().unwrap().contains("This is NuSMV"));
        assert!(!text.contains("specification"));
        assert!(text.lines().all(|l| l.is_empty() || l.starts_with("*** ")));
    }
}
