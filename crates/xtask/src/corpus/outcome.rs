//! What became of a file, and its text form between the processes: one fact per line, tab-separated.

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Why there is no module, if there is none.
    pub failure: Option<Failure>,
    /// The library's functions with a body.
    pub functions: u64,
    /// Those with code.
    pub supported: u64,
    /// The functions that do not stand in a header, which many files share.
    pub own_functions: u64,
    /// Those with code.
    pub own_supported: u64,
    /// Why the others have none.
    pub unsupported: Vec<Unsupported>,
    /// What the verifier says.
    pub verify_errors: Vec<String>,
    /// What is wrong with the text form, if anything is.
    pub round_trip: RoundTrip,
    /// The CPU time of the front end in milliseconds.
    pub compile_ms: u64,
    /// The CPU time of the verifier in milliseconds.
    pub verify_ms: u64,
    /// The largest memory of the front end and the verifier in KiB.
    pub peak_kib: u64,
}

/// Why a file has no module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The front end gives an error.
    Rejected(String),
    /// The front end panics.
    Panicked(String),
    /// The process ends otherwise: a signal, or the time limit.
    Crashed(String),
}

/// A construct that keeps a function from having code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Where it is.
    pub place: String,
    /// The function.
    pub function: String,
    /// Whether it is the function's first.
    pub first: bool,
}

/// Whether the printed module parses to an equal one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum RoundTrip {
    /// Not tried.
    #[default]
    Skipped,
    /// It does.
    Equal,
    /// It does not.
    Broken(String),
}

impl Outcome {
    /// The outcome of a file without a module.
    pub fn failed(failure: Failure) -> Outcome {
        Outcome { failure: Some(failure), ..Outcome::default() }
    }

    /// Whether the file is translated without a defect of the front end.
    pub fn is_ok(&self) -> bool {
        self.failure.is_none()
            && self.verify_errors.is_empty()
            && !matches!(self.round_trip, RoundTrip::Broken(_))
    }

    /// The text form.
    pub fn encode(&self) -> String {
        let mut lines: Vec<Vec<String>> = Vec::new();
        match &self.failure {
            Some(Failure::Rejected(why)) => lines.push(words(&["rejected", why])),
            Some(Failure::Panicked(why)) => lines.push(words(&["panicked", why])),
            Some(Failure::Crashed(why)) => lines.push(words(&["crashed", why])),
            None => {}
        }
        for item in &self.unsupported {
            let first = if item.first { "first" } else { "further" };
            lines.push(words(&["unsupported", &item.what, &item.place, &item.function, first]));
        }
        lines.extend(self.verify_errors.iter().map(|error| words(&["verify", error])));
        match &self.round_trip {
            RoundTrip::Skipped => {}
            RoundTrip::Equal => lines.push(words(&["round-trip"])),
            RoundTrip::Broken(why) => lines.push(words(&["round-trip", why])),
        }
        for (name, number) in self.numbers() {
            lines.push(words(&[name, &number.to_string()]));
        }
        lines.iter().map(|words| words.join("\t") + "\n").collect()
    }

    /// The outcome with this text form, if it is one.
    pub fn decode(text: &str) -> Option<Outcome> {
        let mut outcome = Outcome::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split('\t').collect();
            outcome.take(&words)?;
        }
        Some(outcome)
    }

    fn take(&mut self, words: &[&str]) -> Option<()> {
        match *words {
            ["rejected", why] => self.failure = Some(Failure::Rejected(why.to_string())),
            ["panicked", why] => self.failure = Some(Failure::Panicked(why.to_string())),
            ["crashed", why] => self.failure = Some(Failure::Crashed(why.to_string())),
            ["unsupported", what, place, function, first] => self.unsupported.push(Unsupported {
                what: what.to_string(),
                place: place.to_string(),
                function: function.to_string(),
                first: first == "first",
            }),
            ["verify", error] => self.verify_errors.push(error.to_string()),
            ["round-trip"] => self.round_trip = RoundTrip::Equal,
            ["round-trip", why] => self.round_trip = RoundTrip::Broken(why.to_string()),
            [name, number] => *self.number_mut(name)? = number.parse().ok()?,
            _ => return None,
        }
        Some(())
    }

    fn numbers(&self) -> [(&'static str, u64); 7] {
        [
            ("functions", self.functions),
            ("supported", self.supported),
            ("own-functions", self.own_functions),
            ("own-supported", self.own_supported),
            ("compile-ms", self.compile_ms),
            ("verify-ms", self.verify_ms),
            ("peak-kib", self.peak_kib),
        ]
    }

    fn number_mut(&mut self, name: &str) -> Option<&mut u64> {
        match name {
            "functions" => Some(&mut self.functions),
            "supported" => Some(&mut self.supported),
            "own-functions" => Some(&mut self.own_functions),
            "own-supported" => Some(&mut self.own_supported),
            "compile-ms" => Some(&mut self.compile_ms),
            "verify-ms" => Some(&mut self.verify_ms),
            "peak-kib" => Some(&mut self.peak_kib),
            _ => None,
        }
    }
}

/// The words of a line; blanks of any kind become spaces.
fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.replace(['\t', '\n', '\r'], " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_survives_its_text_form() {
        let (what, place, function) = ("a thing".to_string(), "x.c:1:2".to_string(), "f".to_string());
        let outcome = Outcome {
            failure: Some(Failure::Panicked("at x.rs".to_string())),
            functions: 3,
            supported: 2,
            own_functions: 1,
            own_supported: 0,
            unsupported: vec![Unsupported { what, place, function, first: true }],
            verify_errors: vec!["wrong".to_string()],
            round_trip: RoundTrip::Broken("differs".to_string()),
            compile_ms: 10,
            verify_ms: 20,
            peak_kib: 30,
        };
        assert_eq!(Outcome::decode(&outcome.encode()), Some(outcome));
        assert_eq!(Outcome::decode("something else"), None);
    }
}
