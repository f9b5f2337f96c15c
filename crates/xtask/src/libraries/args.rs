//! The command line of `libraries`.

use std::path::PathBuf;

/// What the user asks for.
#[derive(Debug)]
pub struct Args {
    /// The file that lists the libraries.
    pub list: PathBuf,
    /// The directory of the checked-out libraries.
    pub sources: PathBuf,
    /// The `quipu` command.
    pub quipu: PathBuf,
    /// The names of the libraries to cover; all if empty.
    pub only: Vec<String>,
    /// The time for each function.
    pub seconds: u64,
    /// The number of functions that are covered at once.
    pub jobs: usize,
    /// Whether results of an earlier run count.
    pub resume: bool,
    /// With how many random runs everything called unreachable is attacked.
    pub attack: u64,
    /// Whether tests are exported, and the files compiled and run.
    pub export: bool,
    /// The title of the page.
    pub title: String,
}

impl Args {
    /// Reads the words behind `libraries`.
    pub fn parse(words: &[String]) -> Result<Args, String> {
        let (mut list, mut sources) = (None, None);
        let mut quipu = PathBuf::from("target/release/quipu");
        let (mut only, mut seconds, mut jobs, mut resume) = (Vec::new(), 10, 1, false);
        let (mut attack, mut export, mut title) = (0, false, "Public C libraries".to_owned());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().cloned().ok_or_else(|| format!("`{word}` needs a value"));
            match word.as_str() {
                "--list" => list = Some(value()?.into()),
                "--sources" => sources = Some(PathBuf::from(value()?)),
                "--quipu" => quipu = value()?.into(),
                "--only" => only.push(value()?),
                "--time" => seconds = number(&value()?)?,
                "--jobs" => jobs = usize::try_from(number(&value()?)?).unwrap_or(1),
                "--resume" => resume = true,
                "--attack" => attack = number(&value()?)?,
                "--export" => export = true,
                "--title" => title = value()?,
                _ => return Err(format!("unknown option `{word}` of libraries")),
            }
        }
        let list = list.ok_or("libraries needs --list FILE")?;
        let sources = sources.ok_or("libraries needs --sources DIR")?;
        let quipu = quipu.canonicalize().map_err(|error| format!("{}: {error}", quipu.display()))?;
        Ok(Args { list, sources, quipu, only, seconds, jobs, resume, attack, export, title })
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| format!("`{text}` is not a positive number"))
}
