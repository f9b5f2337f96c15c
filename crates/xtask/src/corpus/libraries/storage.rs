//! Databases, version control and memory.

use super::ZLIB;
use crate::corpus::library::{Content, Generated, Library};

/// What the build script of `libgit2-sys` finds out without any optional feature.
const GIT2_FEATURES: &str = "\
#ifndef INCLUDE_features_h
#define INCLUDE_features_h
#define GIT_THREADS 1
#define GIT_TRACE 1
#define GIT_HTTPPARSER_BUILTIN 1
#define GIT_USE_NSEC 1
#define GIT_IO_POLL 1
#define GIT_IO_SELECT 1
#define GIT_USE_STAT_MTIM 1
#define GIT_ARCH_64 1
#define GIT_SHA1_COLLISIONDETECT 1
#define GIT_SHA256_BUILTIN 1
#endif
";

/// The libraries of this kind.
pub const LIBRARIES: &[Library] = &[
    Library {
        name: "sqlite",
        krate: "libsqlite3-sys",
        version: "0.39.1",
        needs: &[],
        sources: &["sqlite3/sqlite3.c"],
        flags: &[
            "-DSQLITE_CORE",
            "-DSQLITE_DEFAULT_FOREIGN_KEYS=1",
            "-DSQLITE_ENABLE_API_ARMOR",
            "-DSQLITE_ENABLE_COLUMN_METADATA",
            "-DSQLITE_ENABLE_DBSTAT_VTAB",
            "-DSQLITE_ENABLE_FTS3",
            "-DSQLITE_ENABLE_FTS3_PARENTHESIS",
            "-DSQLITE_ENABLE_FTS5",
            "-DSQLITE_ENABLE_JSON1",
            "-DSQLITE_ENABLE_LOAD_EXTENSION=1",
            "-DSQLITE_ENABLE_RTREE",
            "-DSQLITE_ENABLE_STAT4",
            "-DSQLITE_SOUNDEX",
            "-DSQLITE_THREADSAFE=1",
            "-DSQLITE_USE_URI",
            "-DHAVE_USLEEP=1",
            "-DHAVE_ISNAN",
            "-DHAVE_LOCALTIME_R",
            "-D_POSIX_THREAD_SAFE_FUNCTIONS",
        ],
        generated: &[],
    },
    Library {
        name: "lmdb",
        krate: "lmdb-rkv-sys",
        version: "0.11.2",
        needs: &[],
        sources: &["lmdb/libraries/liblmdb/mdb.c", "lmdb/libraries/liblmdb/midl.c"],
        flags: &["-DMDB_IDL_LOGN=16", "-pthread"],
        generated: &[],
    },
    Library {
        name: "mdbx",
        krate: "mdbx-sys",
        version: "14.4.0",
        needs: &[],
        sources: &["libmdbx/mdbx.c"],
        flags: &["-DNDEBUG=1", "-DMDBX_TXN_CHECKOWNER=0", "-DMDBX_BUILD_FLAGS=\"\"", "-fvisibility=hidden"],
        generated: &[],
    },
    Library {
        name: "unqlite",
        krate: "unqlite",
        version: "1.5.0",
        needs: &[],
        sources: &["unqlite/unqlite.c"],
        flags: &["-DUNQLITE_ENABLE_THREADS", "-DJX9_ENABLE_MATH_FUNC"],
        generated: &[],
    },
    Library {
        name: "mimalloc",
        krate: "libmimalloc-sys",
        version: "0.1.49",
        needs: &[],
        sources: &["c_src/mimalloc/v2/src/static.c"],
        flags: &[
            "-Ic_src/mimalloc/v2/include",
            "-Ic_src/mimalloc/v2/src",
            "-ftls-model=initial-exec",
            "-DMI_DEBUG=0",
            "-DMI_BUILD_RELEASE",
            "-DNDEBUG",
        ],
        generated: &[],
    },
    Library {
        name: "libgit2",
        krate: "libgit2-sys",
        version: "0.18.8",
        needs: &[ZLIB],
        sources: &[
            "libgit2/src/libgit2/*.c",
            "libgit2/src/libgit2/transports/*.c",
            "libgit2/src/libgit2/streams/*.c",
            "libgit2/src/util/*.c",
            "libgit2/src/util/unix/*.c",
            "libgit2/src/util/allocators/failalloc.c",
            "libgit2/src/util/allocators/stdalloc.c",
            "libgit2/src/util/hash/collisiondetect.c",
            "libgit2/src/util/hash/sha1dc/*.c",
            "libgit2/src/util/hash/builtin.c",
            "libgit2/src/util/hash/rfc6234/sha224-256.c",
            "libgit2/deps/llhttp/*.c",
            "libgit2/deps/xdiff/*.c",
            "libgit2/deps/pcre2/*.c",
            "!libgit2/deps/pcre2/pcre2_fuzzsupport.c",
        ],
        flags: &[
            "-I@gen",
            "-Ilibgit2/include",
            "-Ilibgit2/src/libgit2",
            "-Ilibgit2/src/util",
            "-Ilibgit2/deps/llhttp",
            "-Ilibgit2/deps/xdiff",
            "-Ilibgit2/deps/pcre2",
            "-I@vendor/libz-sys-1.1.31/src/zlib",
            "-DGIT_REGEX_BUILTIN=1",
            "-DPCRE2_STATIC",
            "-DPCRE2_EXPORT=",
            "-DPCRE2_EXP_DECL=",
            "-DPCRE2_EXP_DEFN=",
            "-DPCRE2_CODE_UNIT_WIDTH=8",
            "-DSUPPORT_PCRE2_8=1",
            "-DSUPPORT_UNICODE=1",
            "-DLINK_SIZE=2",
            "-DHEAP_LIMIT=20000000",
            "-DMATCH_LIMIT=10000000",
            "-DMATCH_LIMIT_DEPTH=MATCH_LIMIT",
            "-DMAX_VARLOOKBEHIND=255",
            "-DNEWLINE_DEFAULT=2",
            "-DPARENS_NEST_LIMIT=250",
            "-DMAX_NAME_SIZE=128",
            "-DMAX_NAME_COUNT=10000",
            "-DSHA1DC_NO_STANDARD_INCLUDES=1",
            "-DSHA1DC_CUSTOM_INCLUDE_SHA1_C=\"common.h\"",
            "-DSHA1DC_CUSTOM_INCLUDE_UBC_CHECK_C=\"common.h\"",
            "-fvisibility=hidden",
        ],
        generated: &[Generated { path: "git2_features.h", content: Content::Text(GIT2_FEATURES) }],
    },
];
