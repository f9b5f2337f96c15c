//! Why a test is not in the file of tests.

/// A reason, in a form that can be counted, and more about the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Absence {
    /// What it does, of one test: `ends in a timeout`.
    pub one: &'static str,
    /// The same of several.
    pub many: &'static str,
    /// More than that; may be empty.
    pub detail: String,
}

impl Absence {
    pub fn unconfirmed(why: &str) -> Absence {
        let detail = why.to_string();
        Absence {
            one: "was not confirmed by a compiled run",
            many: "were not confirmed by a compiled run",
            detail,
        }
    }

    pub fn disagreement() -> Absence {
        let (one, many) = ("does something else when compiled", "do something else when compiled");
        Absence { one, many, detail: String::new() }
    }

    pub fn timeout() -> Absence {
        Absence { one: "ends in a timeout", many: "end in a timeout", detail: String::new() }
    }

    /// The run ends neither by coming back nor by `exit`.
    pub fn no_return(detail: String) -> Absence {
        Absence { one: "does not come back", many: "do not come back", detail }
    }

    /// C has no words for it, or nothing stands in for what it needs.
    pub fn inexpressible(detail: String) -> Absence {
        Absence { one: "cannot be written in C", many: "cannot be written in C", detail }
    }

    pub fn led_by_addresses() -> Absence {
        let (one, many) = ("depends on where objects lie", "depend on where objects lie");
        Absence { one, many, detail: String::new() }
    }

    /// What it does depends on memory that nobody has written.
    pub fn unsteady(detail: String) -> Absence {
        let one = "rests on the value of memory that was never written";
        Absence { one, many: "rest on the value of memory that was never written", detail }
    }

    /// The exported form does something else, in these words.
    pub fn fails(detail: String) -> Absence {
        Absence { one: "fails in its exported form", many: "fail in their exported form", detail }
    }

    pub fn uncompilable(detail: String) -> Absence {
        let (one, many) = ("does not compile in its exported form", "do not compile in their exported form");
        Absence { one, many, detail }
    }
}

impl std::fmt::Display for Absence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.detail.is_empty() {
            true => f.write_str(self.one),
            false => write!(f, "{}: {}", self.one, self.detail),
        }
    }
}
