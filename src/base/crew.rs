//! Copies of this process that answer questions of it.
//!
//! Each copy has a socket to its parent. A question is a number; an answer is a number and bytes. Copies
//! are killed and waited for when the crew is dropped.

use super::fork;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// The copies that have not ended.
pub struct Crew {
    members: Vec<Member>,
}

struct Member {
    pid: Pid,
    link: UnixStream,
    /// How many answers are to come.
    owes: usize,
}

/// What comes from a copy.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// From the copy with this unit of work: its bytes.
    Answer(u32, Vec<u8>),
    /// A copy has ended unasked, with answers to come.
    Lost,
}

/// Where a copy sends its answers.
pub struct Reply<'a>(&'a mut UnixStream);

impl Reply<'_> {
    /// Sends an answer.
    pub fn send(&mut self, number: u32, bytes: &[u8]) -> io::Result<()> {
        let mut head = [0; 12];
        head[..4].copy_from_slice(&number.to_le_bytes());
        head[4..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.write_all(&head)?;
        self.0.write_all(bytes)
    }
}

impl Crew {
    /// Makes `size` copies that run `serve` for each question, until it fails or there is no parent to ask.
    /// `calm` as in [`fork::spawn`].
    pub fn new<G>(
        size: usize,
        calm: impl Fn() -> G,
        mut serve: impl FnMut(u32, &mut Reply) -> io::Result<()>,
    ) -> io::Result<Crew> {
        let mut crew = Crew {
            members: Vec::new(),
        };
        for _ in 0..size {
            let (link, mut theirs) = UnixStream::pair()?;
            let members = &mut crew.members;
            let pid = fork::spawn(&calm, || {
                // The ends of the others are theirs and the parent's; these copies are not.
                std::mem::take(members)
                    .into_iter()
                    .for_each(|m| drop(m.link));
                let mut question = [0; 4];
                while theirs.read_exact(&mut question).is_ok()
                    && serve(u32::from_le_bytes(question), &mut Reply(&mut theirs)).is_ok()
                {
                }
            })?;
            crew.members.push(Member { pid, link, owes: 0 });
        }
        Ok(crew)
    }

    /// Puts a question to a copy that has none; false if all have. So many answers will come.
    pub fn ask(&mut self, question: u32, answers: usize) -> io::Result<bool> {
        let Some(free) = self.members.iter_mut().find(|m| m.owes == 0) else {
            return Ok(false);
        };
        free.link.write_all(&question.to_le_bytes())?;
        free.owes = answers;
        Ok(true)
    }

    /// The next answer, if one comes within `limit`.
    pub fn wait(&mut self, limit: Duration) -> io::Result<Option<Event>> {
        let mut links: Vec<PollFd> = (self.members.iter())
            .map(|m| PollFd::new(m.link.as_fd(), PollFlags::POLLIN))
            .collect();
        let limit = PollTimeout::try_from(limit).unwrap_or(PollTimeout::MAX);
        match poll(&mut links, limit) {
            Err(nix::Error::EINTR) => return Ok(None),
            other => other?,
        };
        let Some(at) = links.iter().position(|l| l.any() == Some(true)) else {
            return Ok(None);
        };
        let member = &mut self.members[at];
        let Ok((number, bytes)) = receive(&mut member.link) else {
            return Ok(Some(Event::Lost));
        };
        member.owes = member.owes.saturating_sub(1);
        Ok(Some(Event::Answer(number, bytes)))
    }

    /// The numbers of the copies, as the system counts processes.
    pub fn processes(&self) -> impl Iterator<Item = u32> {
        self.members.iter().map(|m| m.pid.as_raw() as u32)
    }
}

fn receive(link: &mut UnixStream) -> io::Result<(u32, Vec<u8>)> {
    let (mut number, mut len) = ([0; 4], [0; 8]);
    link.read_exact(&mut number)?;
    link.read_exact(&mut len)?;
    let mut bytes = Vec::new();
    let len = u64::from_le_bytes(len);
    if link.take(len).read_to_end(&mut bytes)? as u64 != len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((u32::from_le_bytes(number), bytes))
}

impl Drop for Crew {
    fn drop(&mut self) {
        for m in &self.members {
            let _ = kill(m.pid, Signal::SIGKILL);
        }
        for m in &self.members {
            let _ = waitpid(m.pid, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(crew: &mut Crew) -> Event {
        crew.wait(Duration::from_secs(60))
            .unwrap()
            .expect("an event")
    }

    #[test]
    fn copies_know_what_was_known_and_answer() {
        let known = [10u8, 20, 30];
        let mut crew = Crew::new(
            2,
            || (),
            |question, reply| {
                for i in 0..question {
                    reply.send(i, &known[..i as usize])?;
                }
                Ok(())
            },
        )
        .unwrap();
        assert!(crew.ask(3, 3).unwrap());
        assert!(crew.ask(1, 1).unwrap());
        assert!(!crew.ask(1, 1).unwrap());
        let mut got: Vec<Event> = (0..4).map(|_| next(&mut crew)).collect();
        got.sort_by_key(|e| matches!(e, Event::Answer(_, b) if !b.is_empty()));
        assert_eq!(
            got[..2],
            [Event::Answer(0, vec![]), Event::Answer(0, vec![])]
        );
        assert_eq!(
            got[2..],
            [Event::Answer(1, vec![10]), Event::Answer(2, vec![10, 20])]
        );
        assert!(crew.ask(1, 1).unwrap());
        assert_eq!(next(&mut crew), Event::Answer(0, vec![]));
    }

    #[test]
    fn a_copy_that_dies_is_missed() {
        let mut crew = Crew::new(1, || (), |_, _| panic!("here")).unwrap();
        assert!(crew.ask(1, 1).unwrap());
        assert_eq!(next(&mut crew), Event::Lost);
    }
}
