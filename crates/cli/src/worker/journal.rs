//! What the processes of a run leave for each other: a file with an entry on each line.
//!
//! The worker adds what it begins and what it has found, as soon as it has; whatever happens to it then, the next one
//! reads that and goes on. What was written is in the file even if the process crashes. The supervisor adds how workers
//! ended.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use quipu_cover::{News, Reason, Saved};
use serde::{Deserialize, Serialize};

/// The environment variable that tells a worker where the files of the run are.
pub const VARIABLE: &str = "QUIPU_RUN";
const FILE: &str = "journal";

/// What a run consists of, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phase {
    /// Reading the program and finding out what its inputs are.
    Load,
    /// The work on the function with this number.
    Search(usize),
    /// Putting together what is known about functions that nobody works on any more.
    Recall,
    /// Compiling the program with probes.
    Build,
    /// Running the tests of the function with this number.
    Replay(usize),
    /// Writing files.
    Export,
    /// Writing the report, which is complete by now.
    Print,
}

/// Something that happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Entry {
    /// Something begins, when the worker has used so many seconds.
    Begins { phase: Phase, cpu: f64 },
    /// Something was found out about the function with this number.
    News { function: usize, news: News },
    /// The work on a function is finished, and has taken so many seconds.
    Finished { function: usize, saved: Box<Saved>, cpu: f64 },
    /// A worker was ended, or ended as it should not. All workers together have used so many seconds.
    Died { phase: Phase, reason: Reason, cpu: f64 },
    /// A worker has left the rest to a fresh one. All workers together have used so many seconds.
    Left { cpu: f64 },
}

/// The file, to add to. Clones are the same file.
#[derive(Clone)]
pub struct Journal {
    file: Arc<Mutex<File>>,
    path: PathBuf,
    /// How far it was read.
    read: u64,
}

impl Journal {
    /// The journal of a run whose files are in this folder.
    pub fn open(folder: &Path) -> std::io::Result<Journal> {
        let path = folder.join(FILE);
        let file = File::options().create(true).append(true).open(&path)?;
        Ok(Journal { file: Arc::new(Mutex::new(file)), path, read: 0 })
    }

    /// Adds an entry.
    pub fn add(&self, entry: &Entry) {
        let Ok(mut line) = serde_json::to_vec(entry) else { return };
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Who cannot write goes on without: the journal is needed only if something else goes wrong, too.
        let _ = file.write_all(&line);
    }

    /// The entries that were added since this was last asked. A worker that was ended may have left half a line; nobody
    /// knows what it would have said.
    pub fn news(&mut self) -> Vec<Entry> {
        let mut bytes = Vec::new();
        let opened = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.read))?;
            file.read_to_end(&mut bytes)
        });
        if opened.is_err() {
            return Vec::new();
        }
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        self.read += end as u64;
        let lines = bytes[..end].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    /// Closes half a line that somebody left.
    pub fn mend(&self) {
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let _ = file.write_all(b"\n");
    }
}
