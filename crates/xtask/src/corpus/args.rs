//! The command line of the corpus check.

/// What the user asks for.
#[derive(Debug)]
pub struct Args {
    /// The names of the libraries to check; all if empty.
    pub only: Vec<String>,
    /// Whether the unpacked sources stay for the next run.
    pub keep: bool,
    /// The number of files that are checked at once.
    pub jobs: usize,
    /// Whether the report is JSON.
    pub json: bool,
}

impl Args {
    /// Reads the words behind `corpus`.
    pub fn parse(words: &[String]) -> Result<Args, String> {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let mut args = Args { only: Vec::new(), keep: false, jobs, json: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
            match word.as_str() {
                "--only" => args.only.push(value()?.clone()),
                "--jobs" => args.jobs = jobs_of(value()?)?,
                "--keep" => args.keep = true,
                "--json" => args.json = true,
                _ => return Err(format!("unknown option `{word}`")),
            }
        }
        Ok(args)
    }
}

fn jobs_of(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| format!("`--jobs {text}` is not a positive number"))
}
