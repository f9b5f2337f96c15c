//! The table of libraries, one file per kind.
//!
//! To add one, add an entry. What to take from the crate's build script is what changes the meaning of the
//! source: the list of files, include directories, defines and generated headers.

mod compression;
mod crypto;
mod devices;
mod languages;
mod media;
mod network;
mod network_config;
mod storage;
mod text;

use super::library::{Crate, Library};

/// The crate with zlib's headers, which several libraries include.
const ZLIB: Crate = Crate { name: "libz-sys", version: "1.1.31" };

const TABLES: [&[Library]; 8] = [
    compression::LIBRARIES,
    crypto::LIBRARIES,
    devices::LIBRARIES,
    languages::LIBRARIES,
    media::LIBRARIES,
    network::LIBRARIES,
    storage::LIBRARIES,
    text::LIBRARIES,
];

/// The libraries with these names; all if none is named.
pub fn selected(names: &[String]) -> Result<Vec<&'static Library>, String> {
    let all: Vec<&'static Library> = TABLES.into_iter().flatten().collect();
    for name in names {
        if !all.iter().any(|library| library.name == name) {
            let known: Vec<&str> = all.iter().map(|library| library.name).collect();
            return Err(format!("unknown library `{name}`; there are {}", known.join(", ")));
        }
    }
    let wanted = |library: &&Library| names.is_empty() || names.iter().any(|name| name == library.name);
    Ok(all.into_iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = super::TABLES.into_iter().flatten().map(|library| library.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
