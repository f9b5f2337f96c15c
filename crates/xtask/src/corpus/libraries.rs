//! The table of libraries. To add one, add an entry: what to take from the crate's build script is what
//! changes the meaning of the source (include directories, defines, generated headers).

use super::library::Library;

/// The libraries with these names; all if none is named.
pub fn selected(names: &[String]) -> Result<Vec<&'static Library>, String> {
    let all: Vec<&Library> = [FIRST].concat().to_vec().leak().iter().collect();
    for name in names {
        if !all.iter().any(|library| library.name == name) {
            let known: Vec<&str> = all.iter().map(|library| library.name).collect();
            return Err(format!("unknown library `{name}`; there are {}", known.join(", ")));
        }
    }
    Ok(all.into_iter().filter(|library| names.is_empty() || names.iter().any(|name| name == library.name)).collect())
}

const FIRST: &[Library] = &[
    Library {
        name: "zlib",
        krate: "libz-sys",
        version: "1.1.31",
        sources: &["src/zlib/*.c"],
        flags: &["-Isrc/zlib", "-DSTDC", "-D_LARGEFILE64_SOURCE", "-D_POSIX_SOURCE", "-DZ_HAVE_UNISTD_H", "-D_GNU_SOURCE"],
        generated: &[],
    },
    Library {
        name: "sqlite",
        krate: "libsqlite3-sys",
        version: "0.39.1",
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
        name: "lua",
        krate: "lua-src",
        version: "551.1.0",
        sources: &["lua-5.4.9/*.c"],
        flags: &["-Ilua-5.4.9", "-DLUA_USE_LINUX"],
        generated: &[],
    },
    Library {
        name: "zstd",
        krate: "zstd-sys",
        version: "2.1.2",
        sources: &["zstd/lib/common/*.c", "zstd/lib/compress/*.c", "zstd/lib/decompress/*.c", "zstd/lib/dictBuilder/*.c", "zstd/lib/legacy/*.c"],
        flags: &["-Izstd/lib", "-Izstd/lib/common", "-Izstd/lib/legacy", "-DZSTD_LIB_DEPRECATED=0", "-DXXH_PRIVATE_API=", "-DZSTDLIB_VISIBILITY=", "-DZSTDERRORLIB_VISIBILITY=", "-DZDICTLIB_VISIBILITY=", "-DZSTD_LEGACY_SUPPORT=1", "-DZSTD_MULTITHREAD=", "-pthread", "-fvisibility=hidden"],
        generated: &[],
    },
];
