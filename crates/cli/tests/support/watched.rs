//! Runs of the command whose time and memory are measured, and that can be interrupted. One at a time: the system counts
//! the time of all children together. Each file of tests uses a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use quipu_limits::{Usage, descendants};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A run that has begun.
pub struct Watched {
    child: Child,
    folder: PathBuf,
    cpu_before: Duration,
    peak: u64,
    _alone: MutexGuard<'static, ()>,
}

/// What a run printed, how it ended, and what it took.
pub struct Measured {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
    /// Of the command and everything that it has started.
    pub cpu: f64,
    /// The most megabytes that one of its processes held, as far as that was seen.
    pub megabytes: u64,
    folder: PathBuf,
}

/// Starts the command on a program.
pub fn start(name: &str, program: &str, args: &str) -> Watched {
    let alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let folder = crate::empty_folder(&format!("limits-{name}"));
    std::fs::write(folder.join("p.c"), program).expect("a file can be written");
    let temporary = folder.join("temporary");
    std::fs::create_dir(&temporary).expect("a folder can be made");
    let file = |name: &str| std::fs::File::create(folder.join(name)).expect("a file can be made");
    let cpu_before = Usage::now().cpu;
    let child = Command::new(env!("CARGO_BIN_EXE_quipu"))
        .args(args.split_whitespace())
        .current_dir(&folder)
        .env_remove("CC")
        .env("TMPDIR", &temporary)
        .stdin(Stdio::null())
        .stdout(file("stdout"))
        .stderr(file("stderr"))
        .spawn()
        .expect("the command should start");
    Watched { child, folder, cpu_before, peak: 0, _alone: alone }
}

/// Runs the command to its end.
pub fn measure(name: &str, program: &str, args: &str) -> Measured {
    start(name, program, args).end()
}

impl Watched {
    /// Waits for the end.
    pub fn end(mut self) -> Measured {
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("the command can be waited for") {
                break status.code().expect("the command itself is not killed");
            }
            self.look();
        };
        let read = |name: &str| {
            String::from_utf8_lossy(&std::fs::read(self.folder.join(name)).expect("it was written"))
                .into_owned()
        };
        Measured {
            stdout: read("stdout"),
            stderr: read("stderr"),
            code,
            cpu: (Usage::now().cpu - self.cpu_before).as_secs_f64(),
            megabytes: self.peak >> 20,
            folder: self.folder.clone(),
        }
    }

    /// Lets it work for some time.
    pub fn works_for(mut self, seconds: f64) -> Watched {
        let start = Instant::now();
        while start.elapsed().as_secs_f64() < seconds {
            self.look();
        }
        self
    }

    /// Waits until its journal has a text.
    pub fn writes(mut self, text: &str) -> Watched {
        let start = Instant::now();
        while !journal(&self.folder).contains(text) {
            assert!(start.elapsed().as_secs() < 60, "`{text}` should be in the journal");
            assert!(matches!(self.child.try_wait(), Ok(None)), "the command should still run");
            self.look();
        }
        self
    }

    /// Sends a signal to the command itself.
    pub fn gets(self, signal: &str) -> Watched {
        send(signal, self.child.id());
        self
    }

    /// Sends a signal to the process that does the work.
    pub fn worker_gets(self, signal: &str) -> Watched {
        let workers = descendants(self.child.id());
        send(signal, *workers.first().expect("somebody works"));
        self
    }

    fn look(&mut self) {
        let family = descendants(self.child.id());
        let held = family.into_iter().filter_map(Usage::of_process).map(|usage| usage.memory).max();
        self.peak = self.peak.max(held.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Measured {
    /// Checks the exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Measured {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Checks what it took, in CPU seconds.
    #[track_caller]
    pub fn takes_at_most(self, seconds: f64) -> Measured {
        assert!(self.cpu <= seconds, "it took {} s\n{}", self.cpu, self.stdout);
        self
    }

    /// Checks the memory of its processes.
    #[track_caller]
    pub fn holds_at_most(self, megabytes: u64) -> Measured {
        assert!(self.megabytes <= megabytes, "it held {} MB", self.megabytes);
        self
    }

    /// Checks that nothing temporary is left.
    #[track_caller]
    pub fn leaves_nothing(self) -> Measured {
        let left: Vec<_> = std::fs::read_dir(self.folder.join("temporary")).expect("it is there").collect();
        assert!(left.is_empty(), "{left:?}");
        self
    }

    /// The output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}:\n{}\n{}", self.stdout, self.stderr))
    }

    /// How many goals have a verdict, by the summary of the JSON report.
    #[track_caller]
    pub fn count(&self, what: &str) -> u64 {
        self.json()["summary"][what].as_u64().unwrap_or_else(|| panic!("no {what} in:\n{}", self.stdout))
    }
}

fn journal(folder: &Path) -> String {
    let Ok(runs) = std::fs::read_dir(folder.join("temporary")) else { return String::new() };
    runs.flatten().filter_map(|run| std::fs::read_to_string(run.path().join("journal")).ok()).collect()
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").arg(signal).arg(process.to_string()).status();
    assert!(sent.is_ok_and(|status| status.success()), "the signal should be sent");
}
