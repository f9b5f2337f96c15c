//! What the check knows about a library.

/// A C library that a registry crate bundles.
///
/// Paths are relative to the crate's directory. In flags and generated files, `@gen` stands for the directory
/// of the generated files and `@vendor` for the directory of all crates.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// The name for `--only` and in the report.
    pub name: &'static str,
    /// The crate that bundles the source.
    pub krate: &'static str,
    /// Its exact version.
    pub version: &'static str,
    /// Further crates whose headers the source includes.
    pub needs: &'static [Crate],
    /// The files: a path, `dir/*.c` or `dir/**/*.c`; a leading `!` removes instead. Read in order.
    pub sources: &'static [&'static str],
    /// The flags with which the crate's build script compiles them.
    pub flags: &'static [&'static str],
    /// The files that the build script makes.
    pub generated: &'static [Generated],
}

/// A crate of the registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crate {
    /// Its name.
    pub name: &'static str,
    /// Its exact version, without build metadata.
    pub version: &'static str,
}

/// A file that the build of a library makes.
#[derive(Clone, Copy, Debug)]
pub struct Generated {
    /// Its path below `@gen`.
    pub path: &'static str,
    /// What is in it.
    pub content: Content,
}

/// What is in a generated file.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// This text.
    Text(&'static str),
    /// The text of a file of the crate, with each first string replaced by its second.
    Template(&'static str, &'static [(&'static str, &'static str)]),
}

impl Library {
    /// The crates to unpack, the library's own first.
    pub fn crates(&self) -> impl Iterator<Item = Crate> {
        let own = Crate { name: self.krate, version: self.version };
        std::iter::once(own).chain(self.needs.iter().copied())
    }

    /// The words of the flags for the library unpacked at these places.
    pub fn flags_at(&self, generated: &str, vendored: &str) -> Vec<String> {
        self.flags.iter().map(|flag| flag.replace("@gen", generated).replace("@vendor", vendored)).collect()
    }
}
