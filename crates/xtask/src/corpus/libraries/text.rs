//! Text: regular expressions, Unicode, markup.

use crate::corpus::library::{Content, Generated, Library};

const ONIG_CONFIG: &str = "\
#define HAVE_PROTOTYPES 1
#define STDC_HEADERS 1
#define HAVE_STRING_H 1
#define HAVE_STDARG_H 1
#define HAVE_STDLIB_H 1
#define HAVE_LIMITS_H 1
#define HAVE_INTTYPES_H 1
#define SIZEOF_INT 4
#define SIZEOF_SHORT 2
#define SIZEOF_LONG 8
#define SIZEOF_VOIDP 8
#define SIZEOF_LONG_LONG 8
";

const EXPAT_CONFIG: &str = "\
#define BYTEORDER 1234
#define HAVE_BCOPY 1
#define HAVE_MEMMOVE 1
#define HAVE_UNISTD_H 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
";

const YAML_CONFIG: &str = "\
#define YAML_VERSION_MAJOR 0
#define YAML_VERSION_MINOR 1
#define YAML_VERSION_PATCH 6
#define YAML_VERSION_STRING \"0.1.6\"
";

const CMARK_EXPORT: &str = "\
#define CMARK_GFM_EXPORT
#define CMARK_GFM_EXTENSIONS_EXPORT
#define CMARK_GFM_VERSION ((0 << 24) | (29 << 16) | (0 << 8) | 0)
#define CMARK_GFM_VERSION_STRING \"0.29.0.gfm.0\"
";

const CMARK_CONFIG: &[(&str, &str)] = &[("#cmakedefine", "#define")];

/// The libraries of this kind.
pub const LIBRARIES: &[Library] = &[
    Library {
        name: "oniguruma",
        krate: "onig_sys",
        version: "69.9.3",
        needs: &[],
        sources: &[
            "oniguruma/src/*.c",
            "!oniguruma/src/mktable.c",
            "!oniguruma/src/unicode_egcb_data.c",
            "!oniguruma/src/unicode_property_data.c",
            "!oniguruma/src/unicode_property_data_posix.c",
            "!oniguruma/src/unicode_wb_data.c",
            "!oniguruma/src/unicode_fold_data.c",
        ],
        flags: &[
            "-I@gen",
            "-Ioniguruma/src",
            "-DHAVE_UNISTD_H=1",
            "-DHAVE_SYS_TYPES_H=1",
            "-DHAVE_SYS_TIME_H=1",
            "-DHAVE_ALLOCA_H=1",
        ],
        generated: &[Generated { path: "config.h", content: Content::Text(ONIG_CONFIG) }],
    },
    Library {
        name: "pcre2",
        krate: "pcre2-sys",
        version: "0.2.10",
        needs: &[],
        sources: &[
            "upstream/src/*.c",
            "!upstream/src/pcre2_jit_match.c",
            "!upstream/src/pcre2_jit_misc.c",
            "!upstream/src/pcre2_ucptables.c",
        ],
        flags: &[
            "-Iupstream/src",
            "-Iupstream/deps",
            "-Iupstream/include",
            "-DPCRE2_CODE_UNIT_WIDTH=8",
            "-DHAVE_STDLIB_H=1",
            "-DHAVE_MEMMOVE=1",
            "-DHAVE_CONFIG_H=1",
            "-DPCRE2_STATIC=1",
            "-DSTDC_HEADERS=1",
            "-DSUPPORT_PCRE2_8=1",
            "-DSUPPORT_UNICODE=1",
            "-DSUPPORT_JIT=1",
        ],
        generated: &[],
    },
    Library {
        name: "utf8proc",
        krate: "utf8proc-sys",
        version: "0.1.2",
        needs: &[],
        sources: &["utf8proc/utf8proc.c"],
        flags: &["-DUTF8PROC_EXPORTS"],
        generated: &[],
    },
    Library {
        name: "expat",
        krate: "expat-sys",
        version: "2.1.6",
        needs: &[],
        sources: &["expat/lib/xmlparse.c", "expat/lib/xmlrole.c", "expat/lib/xmltok.c"],
        flags: &["-I@gen", "-Iexpat/lib", "-DHAVE_EXPAT_CONFIG_H"],
        generated: &[Generated { path: "expat_config.h", content: Content::Text(EXPAT_CONFIG) }],
    },
    Library {
        name: "libyaml",
        krate: "libyaml-sys",
        version: "0.1.0",
        needs: &[],
        sources: &["libyaml/src/*.c"],
        flags: &["-I@gen", "-Ilibyaml/include", "-DHAVE_CONFIG_H"],
        generated: &[Generated { path: "config.h", content: Content::Text(YAML_CONFIG) }],
    },
    Library {
        name: "cmark-gfm",
        krate: "cmark-gfm-sys",
        version: "0.29.0",
        needs: &[],
        sources: &["cmark-gfm/src/*.c", "cmark-gfm/extensions/*.c"],
        flags: &[
            "-I@gen",
            "-Icmark-gfm/src",
            "-Icmark-gfm/extensions",
            "-DCMARK_GFM_STATIC_DEFINE",
            "-std=c99",
        ],
        generated: &[
            Generated {
                path: "config.h",
                content: Content::Template("cmark-gfm/src/config.h.in", CMARK_CONFIG),
            },
            Generated { path: "cmark-gfm_export.h", content: Content::Text(CMARK_EXPORT) },
            Generated { path: "cmark-gfm-extensions_export.h", content: Content::Text("") },
            Generated { path: "cmark-gfm_version.h", content: Content::Text("") },
        ],
    },
];
