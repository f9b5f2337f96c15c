//! Cryptography.

use crate::corpus::library::Library;

/// The libraries of this kind.
pub const LIBRARIES: &[Library] = &[
    Library {
        name: "mbedtls",
        krate: "mbedtls-sys-auto",
        version: "2.28.15",
        needs: &[],
        sources: &["vendor/library/*.c", "vendor/3rdparty/everest/library/*.c"],
        flags: &[
            "-Ivendor/include",
            "-Ivendor/library",
            "-Ivendor/3rdparty/everest/include",
            "-Ivendor/3rdparty/everest/include/everest",
            "-Ivendor/3rdparty/everest/include/everest/kremlib",
        ],
        generated: &[],
    },
    Library {
        name: "secp256k1",
        krate: "secp256k1-sys",
        version: "0.14.1",
        needs: &[],
        sources: &[
            "depend/secp256k1/contrib/lax_der_parsing.c",
            "depend/secp256k1/src/precomputed_ecmult_gen.c",
            "depend/secp256k1/src/precomputed_ecmult.c",
            "depend/secp256k1/src/secp256k1.c",
        ],
        flags: &[
            "-Idepend/secp256k1",
            "-Idepend/secp256k1/include",
            "-Idepend/secp256k1/src",
            "-DENABLE_MODULE_ECDH=1",
            "-DENABLE_MODULE_SCHNORRSIG=1",
            "-DENABLE_MODULE_EXTRAKEYS=1",
            "-DENABLE_MODULE_ELLSWIFT=1",
            "-DENABLE_MODULE_MUSIG=1",
            "-DENABLE_MODULE_RECOVERY=1",
            "-DECMULT_WINDOW_SIZE=15",
            "-DCOMB_BLOCKS=43",
            "-DCOMB_TEETH=6",
            "-DUSE_EXTERNAL_DEFAULT_CALLBACKS=1",
            "-Dprintf(...)=",
        ],
        generated: &[],
    },
    Library {
        name: "blake3",
        krate: "blake3",
        version: "1.8.7",
        needs: &[],
        sources: &["c/blake3.c", "c/blake3_dispatch.c", "c/blake3_portable.c"],
        flags: &["-Ic", "-std=c11"],
        generated: &[],
    },
    Library {
        name: "argon2",
        krate: "argon2-sys",
        version: "0.1.0",
        needs: &[],
        sources: &[
            "argon2/src/argon2.c",
            "argon2/src/core.c",
            "argon2/src/blake2/blake2b.c",
            "argon2/src/encoding.c",
            "argon2/src/thread.c",
            "argon2/src/ref.c",
        ],
        flags: &["-Iargon2/include", "-std=c89", "-pthread"],
        generated: &[],
    },
];
