//! Interpreters, parsers and disassemblers.

use crate::corpus::library::Library;

/// The defines with which the `tree-sitter` crate compiles its core; the grammars need none.
const TREE_SITTER_FLAGS: &[&str] = &[
    "-Isrc",
    "-Isrc/wasm",
    "-Iinclude",
    "-D_POSIX_C_SOURCE=200112L",
    "-D_DEFAULT_SOURCE",
    "-D_BSD_SOURCE",
    "-std=c11",
];

/// A grammar, whose parser (and scanner) is generated C.
const fn grammar(
    name: &'static str,
    krate: &'static str,
    version: &'static str,
    sources: &'static [&'static str],
) -> Library {
    Library { name, krate, version, needs: &[], sources, flags: &["-Isrc", "-std=c11"], generated: &[] }
}

/// The libraries of this kind.
pub const LIBRARIES: &[Library] = &[
    Library {
        name: "lua-5.1",
        krate: "lua-src",
        version: "551.1.0",
        needs: &[],
        sources: &["lua-5.1.5/*.c"],
        flags: &["-Ilua-5.1.5", "-DLUA_USE_LINUX"],
        generated: &[],
    },
    Library {
        name: "lua-5.4",
        krate: "lua-src",
        version: "551.1.0",
        needs: &[],
        sources: &["lua-5.4.9/*.c"],
        flags: &["-Ilua-5.4.9", "-DLUA_USE_LINUX"],
        generated: &[],
    },
    Library {
        name: "quickjs",
        krate: "rquickjs-sys",
        version: "0.14.0",
        needs: &[],
        sources: &["quickjs/libregexp.c", "quickjs/libunicode.c", "quickjs/quickjs.c", "quickjs/dtoa.c"],
        flags: &["-Iquickjs", "-D_GNU_SOURCE"],
        generated: &[],
    },
    Library {
        name: "janet",
        krate: "janet-sys",
        version: "0.1.0",
        needs: &[],
        sources: &["janet.c"],
        flags: &["-I."],
        generated: &[],
    },
    Library {
        name: "wren",
        krate: "wren-sys",
        version: "0.2.5",
        needs: &[],
        sources: &["wren/src/vm/*.c", "wren/src/optional/*.c"],
        flags: &["-Iwren/src/include", "-Iwren/src/vm", "-Iwren/src/optional", "-std=c99"],
        generated: &[],
    },
    Library {
        name: "mruby",
        krate: "mruby-sys",
        version: "0.2.0",
        needs: &[],
        sources: &["vendor/src/*.c"],
        flags: &["-Ivendor/include", "-std=gnu99"],
        generated: &[],
    },
    Library {
        name: "zydis",
        krate: "zydis",
        version: "4.1.1",
        needs: &[],
        sources: &[
            "zydis-c/src/*.c",
            "zydis-c/dependencies/zycore/src/*.c",
            "zydis-c/dependencies/zycore/src/API/*.c",
        ],
        flags: &[
            "-Izydis-c/include",
            "-Izydis-c/src",
            "-Izydis-c/dependencies/zycore/include",
            "-DZYDIS_STATIC_BUILD",
            "-DZYCORE_STATIC_BUILD",
            "-D_GNU_SOURCE",
            "-std=c11",
        ],
        generated: &[],
    },
    Library {
        name: "tree-sitter",
        krate: "tree-sitter",
        version: "0.26.13",
        needs: &[],
        sources: &["src/lib.c"],
        flags: TREE_SITTER_FLAGS,
        generated: &[],
    },
    grammar("tree-sitter-bash", "tree-sitter-bash", "0.25.1", &["src/parser.c", "src/scanner.c"]),
    grammar("tree-sitter-c", "tree-sitter-c", "0.24.2", &["src/parser.c"]),
    grammar("tree-sitter-go", "tree-sitter-go", "0.25.0", &["src/parser.c"]),
    grammar("tree-sitter-javascript", "tree-sitter-javascript", "0.25.0", &["src/parser.c", "src/scanner.c"]),
    grammar("tree-sitter-json", "tree-sitter-json", "0.24.8", &["src/parser.c"]),
    grammar("tree-sitter-python", "tree-sitter-python", "0.25.0", &["src/parser.c", "src/scanner.c"]),
    grammar("tree-sitter-rust", "tree-sitter-rust", "0.24.2", &["src/parser.c", "src/scanner.c"]),
];
