//! `-o file` and `-m`: where a command's results go.

use super::options::Given;
use super::session::Session;
use super::{Answer, Stop};
use std::fs::File;
use std::process::{Command, Stdio};

impl Session {
    /// The same for commands that say nothing of the file.
    pub fn redirected_quietly<T>(
        &mut self,
        given: &Given,
        f: impl FnOnce(&mut Session) -> Answer<T>,
    ) -> Answer<T> {
        match given.value('o') {
            Some(name) => self.with_file(name, f),
            None if given.has('m') => self.with_pager(f),
            None => f(self),
        }
    }

    /// Runs `f` with its results going where `-o` or `-m` says.
    pub fn redirected<T>(
        &mut self,
        given: &Given,
        f: impl FnOnce(&mut Session) -> Answer<T>,
    ) -> Answer<T> {
        if let Some(name) = given.value('o') {
            self.tell_file(name);
        }
        self.redirected_quietly(given, f)
    }

    /// What some commands say when they meet `-o`.
    pub fn tell_file(&self, name: &str) {
        self.out(&format!("Output to file: {name}\n"));
    }

    fn with_file<T>(&mut self, name: &str, f: impl FnOnce(&mut Session) -> Answer<T>) -> Answer<T> {
        let Ok(file) = File::create(name) else {
            return self.fail(format!("Unable to open file \"{name}\"."));
        };
        self.context.console().redirect(Box::new(file));
        let answer = f(self);
        self.context.console().restore();
        answer
    }

    fn with_pager<T>(&mut self, f: impl FnOnce(&mut Session) -> Answer<T>) -> Answer<T> {
        let pager = std::env::var("PAGER").unwrap_or_else(|_| "more".to_owned());
        let mut child = Command::new("sh")
            .args(["-c", &pager])
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|_| Stop::Failed)?;
        if let Some(pipe) = child.stdin.take() {
            self.context.console().redirect(Box::new(pipe));
        }
        let answer = f(self);
        self.context.console().restore();
        let _ = child.wait();
        answer
    }
}
