//! The compiler flags that change what a program means.

use quipu_ir::DataModel;
use rucc_session::Std;

use crate::float_flags::departures;

/// What the flags behind `--` say.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sizes of types: `-m32` or `-m64`.
    pub data_model: DataModel,
    /// The dialect.
    pub(crate) std: Std,
    /// Whether the dialect has the GNU extensions.
    pub(crate) gnu: bool,
    /// `-D`, each `NAME` or `NAME=VALUE`.
    pub(crate) defines: Vec<String>,
    /// `-U`.
    pub(crate) undefines: Vec<String>,
    /// `-I`.
    pub(crate) include_dirs: Vec<String>,
    /// `-iquote`.
    pub(crate) quote_dirs: Vec<String>,
    /// `-isystem`.
    pub(crate) system_dirs: Vec<String>,
    /// `-include`.
    pub(crate) includes: Vec<String>,
    /// `-funsigned-char` or `-fsigned-char`.
    pub(crate) char_signed: Option<bool>,
    /// `-fshort-enums`.
    pub(crate) short_enums: bool,
    /// Whether signed overflow wraps: `-fwrapv` or `-fno-strict-overflow`.
    pub(crate) wraps: bool,
    /// Whether local variables become values where they can.
    pub(crate) promotes: bool,
    /// `-nostdinc`.
    pub(crate) no_system_headers: bool,
    /// `-ffreestanding` turns this off.
    pub(crate) hosted: bool,
    /// The compiler whose headers are used.
    pub(crate) compiler: String,
    /// Whether the files are a whole program, so far as anybody knows.
    pub(crate) links: bool,
    /// The flags under which floats are not computed as IEEE 754 says.
    float_departures: Vec<String>,
}

/// A flag that cannot be honoured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlagError(pub String);

impl std::fmt::Display for FlagError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FlagError {}

impl Default for Options {
    fn default() -> Options {
        Options {
            data_model: DataModel::Lp64,
            std: Std::C17,
            gnu: true,
            defines: Vec::new(),
            undefines: Vec::new(),
            include_dirs: Vec::new(),
            quote_dirs: Vec::new(),
            system_dirs: Vec::new(),
            includes: Vec::new(),
            char_signed: None,
            short_enums: false,
            wraps: false,
            promotes: true,
            no_system_headers: false,
            hosted: true,
            links: true,
            compiler: std::env::var("CC")
                .ok()
                .filter(|cc| !cc.is_empty())
                .unwrap_or_else(|| "cc".to_string()),
            float_departures: Vec::new(),
        }
    }
}

impl Options {
    /// The same for a file that is looked at apart from the others of its program: what depends on all of them is left.
    #[must_use]
    pub fn for_one_file(self) -> Options {
        Options { links: false, ..self }
    }

    /// The user's compiler: `CC`, else `cc`. It may carry flags of its own.
    pub fn compiler(&self) -> &str {
        &self.compiler
    }

    /// The flags after which floats in the compiled program may have other values than IEEE 754 says, and so others than
    /// in its representation here.
    pub fn float_departures(&self) -> &[String] {
        &self.float_departures
    }

    /// Leaves all local variables in memory, where they have names.
    pub fn keep_variables(&mut self) {
        self.promotes = false;
    }

    /// Says whether sums, differences, products and left shifts of signed integers wrap. Otherwise an overflow is
    /// undefined.
    pub fn wrap_overflow(&mut self, wraps: bool) {
        self.wraps = wraps;
    }

    /// The options that compiler flags ask for. Flags that only steer warnings, optimisation, debugging
    /// information or linking are accepted and change nothing.
    ///
    /// # Errors
    ///
    /// For a flag that would change the meaning of the program in a way that is not modelled.
    pub fn from_flags<S: AsRef<str>>(flags: &[S]) -> Result<Options, FlagError> {
        let mut options = Options::default();
        let flags: Vec<&str> = flags.iter().map(AsRef::as_ref).collect();
        let mut rest = flags.iter().copied();
        while let Some(flag) = rest.next() {
            options.take(flag, &mut rest)?;
        }
        options.float_departures = departures(&flags, options.data_model);
        Ok(options)
    }

    fn take<'a>(&mut self, flag: &'a str, rest: &mut impl Iterator<Item = &'a str>) -> Result<(), FlagError> {
        for (name, list) in [
            ("-include", &mut self.includes as &mut Vec<String>),
            ("-isystem", &mut self.system_dirs),
            ("-iquote", &mut self.quote_dirs),
            ("-I", &mut self.include_dirs),
            ("-D", &mut self.defines),
            ("-U", &mut self.undefines),
        ] {
            if let Some(joined) = flag.strip_prefix(name) {
                let value = if joined.is_empty() { rest.next() } else { Some(joined) };
                let value =
                    value.ok_or_else(|| FlagError(format!("compiler flag `{name}` needs a value")))?;
                list.push(value.to_string());
                return Ok(());
            }
        }
        if let Some(name) = flag.strip_prefix("-std=").or_else(|| flag.strip_prefix("--std=")) {
            let (std, gnu) =
                Std::from_flag(name).ok_or_else(|| FlagError(format!("unknown C standard in `{flag}`")))?;
            (self.std, self.gnu) = (std, gnu);
            return Ok(());
        }
        match flag {
            "-m32" => self.data_model = DataModel::Ilp32,
            "-m64" => self.data_model = DataModel::Lp64,
            "-ansi" => (self.std, self.gnu) = (Std::C89, false),
            "-funsigned-char" => self.char_signed = Some(false),
            "-fsigned-char" => self.char_signed = Some(true),
            "-fshort-enums" => self.short_enums = true,
            // Of these gcc takes the last. To trap is what happens to undefined behaviour anyway.
            "-fwrapv" | "-fno-strict-overflow" => self.wraps = true,
            "-fno-wrapv" | "-fstrict-overflow" | "-ftrapv" => self.wraps = false,
            // Programs can tell; `-Ofast` is no flag of the preprocessor.
            "-ffast-math" => self.defines.push("__FAST_MATH__=1".to_string()),
            "-fno-fast-math" => self.defines.retain(|define| define != "__FAST_MATH__=1"),
            "-nostdinc" => self.no_system_headers = true,
            "-ffreestanding" => self.hosted = false,
            "-o" | "-MF" | "-MT" | "-MQ" | "-L" | "-l" => drop(rest.next()),
            _ if is_harmless(flag) => {}
            _ => return Err(FlagError(format!("compiler flag `{flag}` is not supported"))),
        }
        Ok(())
    }
}

/// Whether a flag leaves the meaning of a well-defined program alone, but for its floats.
fn is_harmless(flag: &str) -> bool {
    const CHANGES_MEANING: [&str; 4] =
        ["-fshort-wchar", "-fpack-struct", "-fsingle-precision-constant", "-mlong-double-64"];
    const PREFIXES: [&str; 12] =
        ["-W", "-O", "-g", "-f", "-l", "-L", "-M", "-mtune=", "-march=", "-msse", "-mfpmath=", "-pedantic"];
    const EXACT: [&str; 10] =
        ["-c", "-S", "-pipe", "-pthread", "-v", "-w", "-s", "-static", "-mfma", "-mno-fma"];
    !CHANGES_MEANING.iter().any(|bad| flag.starts_with(bad))
        && (PREFIXES.iter().any(|prefix| flag.starts_with(prefix)) || EXACT.contains(&flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_and_separate_values_are_the_same() {
        let options =
            Options::from_flags(&["-Iinc", "-I", "lib", "-DX=1", "-D", "Y", "-UZ", "-include", "a.h"])
                .unwrap();
        assert_eq!(options.include_dirs, ["inc", "lib"]);
        assert_eq!(options.defines, ["X=1", "Y"]);
        assert_eq!(options.undefines, ["Z"]);
        assert_eq!(options.includes, ["a.h"]);
    }

    #[test]
    fn the_last_flag_about_overflow_counts() {
        let wraps = |flags: &[&str]| Options::from_flags(flags).unwrap().wraps;
        assert!(!wraps(&[]));
        assert!(wraps(&["-fwrapv"]) && wraps(&["-fno-strict-overflow"]) && wraps(&["-ftrapv", "-fwrapv"]));
        assert!(!wraps(&["-fwrapv", "-fno-wrapv"]) && !wraps(&["-fwrapv", "-ftrapv"]));
        assert!(!wraps(&["-ftrapv"]) && !wraps(&["-fno-strict-overflow", "-fstrict-overflow"]));
    }

    #[test]
    fn flags_that_change_the_meaning_are_refused() {
        for flag in ["-fsingle-precision-constant", "-fpack-struct=1", "--sysroot=/x", "-std=c3000", "-I"] {
            assert!(Options::from_flags(&[flag]).is_err(), "{flag}");
        }
        for flag in [
            "-Wall",
            "-O2",
            "-ffast-math",
            "-Ofast",
            "-mfma",
            "-g",
            "-fPIC",
            "-pthread",
            "-std=gnu11",
            "-m32",
        ] {
            assert!(Options::from_flags(&[flag]).is_ok(), "{flag}");
        }
    }
}
