//! Network protocols.

use super::ZLIB;
use super::network_config::{ARES_BUILD, ARES_CONFIG, CURL_FLAGS, RDKAFKA_CONFIG};
use crate::corpus::library::{Content, Generated, Library};

const NGHTTP2_VERSION: &[(&str, &str)] =
    &[("@PACKAGE_VERSION@", "1.68.1"), ("@PACKAGE_VERSION_NUM@", "0x014401")];

/// The libraries of this kind.
pub const LIBRARIES: &[Library] = &[
    Library {
        name: "curl",
        krate: "curl-sys",
        version: "0.4.91",
        needs: &[ZLIB],
        sources: &[
            "curl/lib/*.c",
            "curl/lib/curlx/*.c",
            "curl/lib/vauth/*.c",
            "curl/lib/vdns/*.c",
            "curl/lib/vquic/*.c",
            "curl/lib/vssh/*.c",
            "curl/lib/vtls/*.c",
        ],
        flags: CURL_FLAGS,
        generated: &[],
    },
    Library {
        name: "nghttp2",
        krate: "libnghttp2-sys",
        version: "0.1.13",
        needs: &[],
        sources: &["nghttp2/lib/*.c"],
        flags: &[
            "-Inghttp2/lib/includes",
            "-I@gen",
            "-DNGHTTP2_STATICLIB",
            "-DHAVE_NETINET_IN",
            "-DHAVE_TIME_H",
            "-DHAVE_ARPA_INET_H",
        ],
        generated: &[Generated {
            path: "nghttp2/nghttp2ver.h",
            content: Content::Template("nghttp2/lib/includes/nghttp2/nghttp2ver.h.in", NGHTTP2_VERSION),
        }],
    },
    Library {
        name: "libssh2",
        krate: "libssh2-sys",
        version: "0.3.3",
        needs: &[ZLIB],
        sources: &[
            "libssh2/src/*.c",
            "!libssh2/src/agent_win.c",
            "!libssh2/src/libgcrypt.c",
            "!libssh2/src/mbedtls.c",
            "!libssh2/src/openssl.c",
            "!libssh2/src/os400qc3.c",
            "!libssh2/src/wincng.c",
        ],
        flags: &[
            "-I@gen",
            "-Ilibssh2/include",
            "-Ilibssh2/src",
            "-I@vendor/libz-sys-1.1.31/src/zlib",
            "-DHAVE_LONGLONG",
            "-DHAVE_SNPRINTF",
            "-DHAVE_UNISTD_H",
            "-DHAVE_INTTYPES_H",
            "-DHAVE_STDLIB_H",
            "-DHAVE_SYS_SELECT_H",
            "-DHAVE_SYS_SOCKET_H",
            "-DHAVE_SYS_IOCTL_H",
            "-DHAVE_SYS_TIME_H",
            "-DHAVE_SYS_UN_H",
            "-DHAVE_O_NONBLOCK",
            "-DHAVE_EVP_AES_128_CTR",
            "-DHAVE_POLL",
            "-DHAVE_GETTIMEOFDAY",
            "-DLIBSSH2_OPENSSL",
            "-DLIBSSH2_DH_GEX_NEW",
            "-DLIBSSH2_HAVE_ZLIB",
            "-fvisibility=hidden",
        ],
        generated: &[Generated { path: "libssh2_config.h", content: Content::Text("") }],
    },
    Library {
        name: "c-ares",
        krate: "c-ares-sys",
        version: "13.0.0",
        needs: &[],
        sources: &["c-ares/src/lib/**/*.c"],
        flags: &[
            "-I@gen",
            "-Ic-ares/include",
            "-Ic-ares/src/lib",
            "-Ic-ares/src/lib/include",
            "-DHAVE_CONFIG_H=1",
            "-DCARES_STATICLIB",
            "-D_GNU_SOURCE",
            "-D_POSIX_C_SOURCE=200809L",
            "-D_XOPEN_SOURCE=700",
            "-std=c99",
        ],
        generated: &[
            Generated { path: "ares_build.h", content: Content::Text(ARES_BUILD) },
            Generated { path: "ares_config.h", content: Content::Text(ARES_CONFIG) },
        ],
    },
    Library {
        name: "librdkafka",
        krate: "rdkafka-sys",
        version: "4.10.0",
        needs: &[ZLIB],
        sources: &[
            "librdkafka/src/*.c",
            "librdkafka/src/nanopb/*.c",
            "librdkafka/src/opentelemetry/*.c",
            "!librdkafka/src/rdhttp.c",
            "!librdkafka/src/rdkafka_sasl_cyrus.c",
            "!librdkafka/src/rdkafka_sasl_oauthbearer.c",
            "!librdkafka/src/rdkafka_sasl_oauthbearer_oidc.c",
            "!librdkafka/src/rdkafka_sasl_scram.c",
            "!librdkafka/src/rdkafka_sasl_win32.c",
            "!librdkafka/src/rdkafka_ssl.c",
            "!librdkafka/src/rdkafka_zstd.c",
        ],
        flags: &[
            "-I@gen/generated",
            "-Ilibrdkafka/src",
            "-I@vendor/libz-sys-1.1.31/src/zlib",
            "-DLIBRDKAFKA_STATICLIB",
            "-D_GNU_SOURCE",
        ],
        generated: &[
            // The sources ask for `../config.h` seen from the directory of generated files.
            Generated { path: "generated/empty.h", content: Content::Text("") },
            Generated { path: "config.h", content: Content::Text(RDKAFKA_CONFIG) },
        ],
    },
];
