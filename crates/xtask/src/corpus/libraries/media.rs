//! Images, fonts and sound.

use super::ZLIB;
use crate::corpus::library::{Content, Generated, Library};

const JVERSION: &str = "\
#define JVERSION \"2.2.3\"
#define JCOPYRIGHT \"Copyright (C)  The libjpeg-turbo Project, Mozilla, and many others\"
#define JCOPYRIGHT_SHORT JCOPYRIGHT
";

const JCONFIGINT: &str = "\
#define BUILD \"0-mozjpeg-sys\"
#define INLINE inline __attribute__((always_inline))
#define HIDDEN __attribute__((visibility(\"hidden\")))
#define HAVE_THREAD_LOCAL
#define THREAD_LOCAL __thread
#define SIZEOF_SIZE_T 8
#define HAVE_BUILTIN_CTZL 1
#define FALLTHROUGH
#define PACKAGE_NAME \"mozjpeg-sys\"
#define VERSION \"2.2.3\"
";

const JCONFIG: &str = "\
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 0
#define BITS_IN_JSAMPLE 8
#define STDC_HEADERS 1
#define NO_GETENV 1
#define NO_PUTENV 1
#define HAVE_STDLIB_H 1
#define HAVE_UNSIGNED_CHAR 1
#define HAVE_UNSIGNED_SHORT 1
#define MEM_SRCDST_SUPPORTED 1
#define C_ARITH_CODING_SUPPORTED 1
#define D_ARITH_CODING_SUPPORTED 1
";

/// The libraries of this kind.
pub const LIBRARIES: &[Library] = &[
    Library {
        name: "mozjpeg",
        krate: "mozjpeg-sys",
        version: "2.2.3",
        needs: &[],
        sources: &[
            "vendor/jaricom.c",
            "vendor/jcapimin.c",
            "vendor/jcapistd.c",
            "vendor/jcarith.c",
            "vendor/jccoefct.c",
            "vendor/jccolor.c",
            "vendor/jcdctmgr.c",
            "vendor/jcext.c",
            "vendor/jchuff.c",
            "vendor/jcicc.c",
            "vendor/jcinit.c",
            "vendor/jcmainct.c",
            "vendor/jcmarker.c",
            "vendor/jcmaster.c",
            "vendor/jcomapi.c",
            "vendor/jcparam.c",
            "vendor/jcphuff.c",
            "vendor/jcprepct.c",
            "vendor/jcsample.c",
            "vendor/jctrans.c",
            "vendor/jdapimin.c",
            "vendor/jdapistd.c",
            "vendor/jdarith.c",
            "vendor/jdatadst.c",
            "vendor/jdatadst-tj.c",
            "vendor/jdatasrc.c",
            "vendor/jdatasrc-tj.c",
            "vendor/jdcoefct.c",
            "vendor/jdcolor.c",
            "vendor/jddctmgr.c",
            "vendor/jdhuff.c",
            "vendor/jdicc.c",
            "vendor/jdinput.c",
            "vendor/jdmainct.c",
            "vendor/jdmarker.c",
            "vendor/jdmaster.c",
            "vendor/jdmerge.c",
            "vendor/jdphuff.c",
            "vendor/jdpostct.c",
            "vendor/jdsample.c",
            "vendor/jdtrans.c",
            "vendor/jerror.c",
            "vendor/jfdctflt.c",
            "vendor/jfdctfst.c",
            "vendor/jfdctint.c",
            "vendor/jidctflt.c",
            "vendor/jidctfst.c",
            "vendor/jidctint.c",
            "vendor/jidctred.c",
            "vendor/jmemmgr.c",
            "vendor/jmemnobs.c",
            "vendor/jquant1.c",
            "vendor/jquant2.c",
            "vendor/jsimd_none.c",
            "vendor/jutils.c",
            "vendor/transupp.c",
            "vendor/turbojpeg.c",
        ],
        flags: &["-I@gen", "-Ivendor"],
        generated: &[
            Generated { path: "jversion.h", content: Content::Text(JVERSION) },
            Generated { path: "jconfigint.h", content: Content::Text(JCONFIGINT) },
            Generated { path: "jconfig.h", content: Content::Text(JCONFIG) },
        ],
    },
    Library {
        name: "libpng",
        krate: "freetype-sys",
        version: "0.23.0",
        needs: &[ZLIB],
        sources: &["libpng/*.c", "!libpng/example.c", "!libpng/pngtest.c"],
        flags: &["-I@gen", "-Ilibpng", "-I@vendor/libz-sys-1.1.31/src/zlib"],
        generated: &[Generated {
            path: "pnglibconf.h",
            content: Content::Template("libpng/scripts/pnglibconf.h.prebuilt", &[]),
        }],
    },
    Library {
        name: "freetype",
        krate: "freetype-sys",
        version: "0.23.0",
        needs: &[ZLIB],
        sources: &[
            "freetype2/src/autofit/autofit.c",
            "freetype2/src/base/ftbase.c",
            "freetype2/src/base/ftbbox.c",
            "freetype2/src/base/ftbdf.c",
            "freetype2/src/base/ftbitmap.c",
            "freetype2/src/base/ftcid.c",
            "freetype2/src/base/ftdebug.c",
            "freetype2/src/base/ftfstype.c",
            "freetype2/src/base/ftgasp.c",
            "freetype2/src/base/ftglyph.c",
            "freetype2/src/base/ftgxval.c",
            "freetype2/src/base/ftinit.c",
            "freetype2/src/base/ftmm.c",
            "freetype2/src/base/ftotval.c",
            "freetype2/src/base/ftpatent.c",
            "freetype2/src/base/ftpfr.c",
            "freetype2/src/base/ftstroke.c",
            "freetype2/src/base/ftsynth.c",
            "freetype2/src/base/ftsystem.c",
            "freetype2/src/base/fttype1.c",
            "freetype2/src/base/ftwinfnt.c",
            "freetype2/src/bdf/bdf.c",
            "freetype2/src/bzip2/ftbzip2.c",
            "freetype2/src/cache/ftcache.c",
            "freetype2/src/cff/cff.c",
            "freetype2/src/cid/type1cid.c",
            "freetype2/src/gzip/ftgzip.c",
            "freetype2/src/lzw/ftlzw.c",
            "freetype2/src/pcf/pcf.c",
            "freetype2/src/pfr/pfr.c",
            "freetype2/src/psaux/psaux.c",
            "freetype2/src/pshinter/pshinter.c",
            "freetype2/src/psnames/psnames.c",
            "freetype2/src/raster/raster.c",
            "freetype2/src/sdf/sdf.c",
            "freetype2/src/svg/svg.c",
            "freetype2/src/sfnt/sfnt.c",
            "freetype2/src/smooth/smooth.c",
            "freetype2/src/truetype/truetype.c",
            "freetype2/src/type1/type1.c",
            "freetype2/src/type42/type42.c",
            "freetype2/src/winfonts/winfnt.c",
        ],
        flags: &[
            "-I@gen",
            "-I.",
            "-Ifreetype2/include",
            "-Ilibpng",
            "-Ifreetype2/src",
            "-I@vendor/libz-sys-1.1.31/src/zlib",
            "-DFT2_BUILD_LIBRARY",
            "-DFT_CONFIG_OPTION_USE_PNG",
        ],
        generated: &[Generated {
            path: "pnglibconf.h",
            content: Content::Template("libpng/scripts/pnglibconf.h.prebuilt", &[]),
        }],
    },
    Library {
        name: "libwebp",
        krate: "libwebp-sys",
        version: "0.14.4",
        needs: &[],
        sources: &["vendor/src/**/*.c", "vendor/sharpyuv/*.c"],
        flags: &["-Ivendor", "-DNDEBUG=1", "-D_THREAD_SAFE=1", "-DWEBP_USE_THREAD=1", "-fvisibility=hidden"],
        generated: &[],
    },
    Library {
        name: "opus",
        krate: "audiopus_sys",
        version: "0.2.2",
        needs: &[],
        sources: &[
            "opus/src/*.c",
            "opus/celt/*.c",
            "opus/silk/*.c",
            "opus/silk/float/*.c",
            "!opus/celt/opus_custom_demo.c",
            "!opus/src/opus_compare.c",
            "!opus/src/opus_demo.c",
            "!opus/src/repacketizer_demo.c",
        ],
        flags: &[
            "-Iopus/include",
            "-Iopus/celt",
            "-Iopus/silk",
            "-Iopus/silk/float",
            "-DOPUS_BUILD",
            "-DVAR_ARRAYS",
            "-DHAVE_LRINT",
            "-DHAVE_LRINTF",
            "-DHAVE_STDINT_H",
        ],
        generated: &[],
    },
    Library {
        name: "minimp3",
        krate: "minimp3-sys",
        version: "0.6.0",
        needs: &[],
        sources: &["minimp3.c"],
        flags: &["-Iminimp3", "-DMINIMP3_IMPLEMENTATION"],
        generated: &[],
    },
];
