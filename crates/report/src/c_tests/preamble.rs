//! What comes in front of the tests: headers, other names for the linker, the source itself.

use std::collections::BTreeSet;

use quipu_cfront::Program;

use super::allocators::{Allocators, is_allocator};
use super::comment::comment;
use super::linkage::Linkage;
use super::standins::StandIns;
use super::{PREFIX, SourceFile};

/// The macros by which a program chooses what headers declare. They count only in front of the first header.
const FEATURES: [&str; 9] = [
    "_GNU_SOURCE",
    "_DEFAULT_SOURCE",
    "_BSD_SOURCE",
    "_SVID_SOURCE",
    "_POSIX_SOURCE",
    "_POSIX_C_SOURCE",
    "_XOPEN_SOURCE",
    "_ISOC99_SOURCE",
    "_ISOC11_SOURCE",
];

/// Everything up to the end of the source under test, for tests with this text.
pub(crate) fn preamble(
    program: &Program,
    sources: &[SourceFile],
    linkage: &Linkage,
    (stand_ins, allocators): (&StandIns, &Allocators),
    tests: &str,
) -> String {
    let features = features(program, sources);
    let mut out = title(sources);
    let text = stand_ins.text();
    out.push_str(&feature_macros(&features, tests.contains("fork()")));
    let libraries = linkage.of_libraries(&program.module);
    out.push_str(&replaced(&libraries));
    let needed = stand_ins.headers().chain(allocators.headers());
    let used = headers(&[&text, tests]).into_iter().chain(needed);
    out.extend(used.collect::<BTreeSet<_>>().iter().map(|header| format!("#include <{header}>\n")));
    for text in [text, allocators.text()].iter().filter(|text| !text.is_empty()) {
        out.push_str(&format!("\n{text}"));
    }
    out.push_str(&renamed(program, linkage, &libraries));
    let allocates = tests.contains("malloc(") || linkage.library.iter().any(|name| is_allocator(name));
    out.push_str(&included(sources, linkage, &features, allocates));
    out
}

/// What the first line of a file of tests starts with. A file that starts so may be written anew.
pub const MARKER: &str = "/* Written by quipu";

fn title(sources: &[SourceFile]) -> String {
    let names: Vec<String> = sources.iter().map(|source| source.include.replace("*/", "* /")).collect();
    let first = format!("{MARKER}: unit tests of {}. */\n", names.join(", "));
    first
        + &comment(
            "The results in them are observed, not specified: a test that fails shows that behaviour changed, not \
             that it is wrong.",
        )
}

/// The lines of the sources that define such macros.
fn features(program: &Program, sources: &[SourceFile]) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for source in sources {
        let path = source.path.to_string_lossy();
        let Some(text) = program.sources.iter().find(|text| text.name == path) else { continue };
        for line in String::from_utf8_lossy(text.bytes.as_slice()).lines() {
            if let Some((name, value)) = feature(line)
                && !found.iter().any(|(known, _)| *known == name)
            {
                found.push((name, value));
            }
        }
    }
    found
}

/// The macro of this kind that a line defines, with its value.
fn feature(line: &str) -> Option<(&'static str, String)> {
    let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim();
    let (name, value) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    let name = FEATURES.into_iter().find(|feature| *feature == name)?;
    Some((name, value.split("/*").next().unwrap_or_default().trim().to_string()))
}

fn feature_macros(features: &[(&str, String)], forks: bool) -> String {
    let mut out = String::new();
    for (name, value) in features {
        out.push_str(format!("#define {name} {value}").trim_end());
        out.push('\n');
    }
    if forks && features.is_empty() {
        out.push_str("#if defined __STRICT_ANSI__ && !defined _POSIX_C_SOURCE\n");
        out.push_str("#define _POSIX_C_SOURCE 200809L /* for fork */\n#endif\n");
    }
    out
}

/// The headers for what texts call. No others: the source may declare in its own way what they declare.
fn headers(texts: &[&str]) -> Vec<&'static str> {
    let calls = |names: &[&str]| names.iter().any(|name| texts.iter().any(|text| text.contains(name)));
    let needs: [(&[&str], &[&str]); 4] = [
        (&["abort(", "malloc("], &["stdlib.h"]),
        (&["memcpy(", "strcmp(", "strchr("], &["string.h"]),
        (&["mmap("], &["sys/mman.h"]),
        (&["fork()"], &["stdlib.h", "sys/types.h", "sys/wait.h", "unistd.h"]),
    ];
    let needed = needs.into_iter().filter(|(names, _)| calls(names)).flat_map(|(_, headers)| headers);
    ["stdio.h"].into_iter().chain(needed.copied()).collect()
}

/// Macros in front of all headers, so that these declare functions of this file instead of some of the library.
fn replaced(libraries: &BTreeSet<String>) -> String {
    if libraries.is_empty() {
        return String::new();
    }
    let why = "Functions of libraries that do here what a test says.";
    let macros: String = libraries.iter().map(|name| format!("#define {name} {PREFIX}{name}\n")).collect();
    format!("\n{}{macros}\n", comment(why))
}

fn renamed(program: &Program, linkage: &Linkage, libraries: &BTreeSet<String>) -> String {
    let names = linkage.renamed(&program.module);
    let names: Vec<&String> = names.difference(libraries).collect();
    if names.is_empty() {
        return String::new();
    }
    let why = "The source is included below, so that static functions are in reach. For the linker what it defines \
               has other names, so that this file can be linked together with the source itself. The tests use the \
               plain names.";
    let macros: String = names.iter().map(|name| format!("#define {name} {PREFIX}{name}\n")).collect();
    format!("\n{}{macros}", comment(why))
}

/// What AddressSanitizer asks for when it starts.
const ADDRESS_SANITIZER: &str = "
/* For AddressSanitizer: blocks that nobody frees are no errors of a test, and one that is too large
   is null, as it is without. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return \"detect_leaks=0:allocator_may_return_null=1\"; }
";

fn included(
    sources: &[SourceFile],
    linkage: &Linkage,
    features: &[(&str, String)],
    allocates: bool,
) -> String {
    let mut out = String::from("\n");
    out.extend(features.iter().map(|(name, _)| format!("#undef {name}\n")));
    // Under another name the end of `main` returns nothing in particular (5.1.2.2.3).
    if linkage.has_main {
        out.push_str("#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wreturn-type\"\n");
    }
    out.extend(sources.iter().map(|source| format!("#include \"{}\"\n", source.include)));
    if linkage.has_main {
        out.push_str("#pragma GCC diagnostic pop\n");
    }
    out.push_str("\n#undef NDEBUG\n#include <assert.h>\n");
    if allocates {
        out.push_str(ADDRESS_SANITIZER);
    }
    out
}
