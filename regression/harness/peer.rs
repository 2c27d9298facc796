//! The real NuSMV 2.6.0, when this machine can have it.
//!
//! `NUSMV_PEER` names it; otherwise `scripts/peer` is asked, which fetches it once. Tests that
//! need it are skipped with the reason that the script gives.

use super::run::root;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Path of the peer, or why there is none.
pub fn peer() -> &'static Result<PathBuf, String> {
    static PEER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PEER.get_or_init(|| {
        if let Some(path) = std::env::var_os("NUSMV_PEER") {
            return Ok(PathBuf::from(path));
        }
        let output = Command::new(root().join("scripts/peer"))
            .output()
            .map_err(|e| format!("scripts/peer cannot be run: {e}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        match output.status.success() {
            true => Ok(PathBuf::from(text(&output.stdout))),
            false => Err(text(&output.stderr)),
        }
    })
}
