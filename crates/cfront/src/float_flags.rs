//! Compiler flags under which floats are not computed as IEEE 754 says, operation by operation.

use quipu_ir::DataModel;

/// Processors without a fused multiply-add. What is not listed may have one.
const UNFUSED: [&str; 26] = [
    "x86-64",
    "x86-64-v2",
    "i386",
    "i486",
    "i586",
    "i686",
    "pentium",
    "pentium2",
    "pentium3",
    "pentium4",
    "prescott",
    "nocona",
    "core2",
    "nehalem",
    "westmere",
    "sandybridge",
    "ivybridge",
    "bonnell",
    "silvermont",
    "goldmont",
    "k8",
    "opteron",
    "athlon64",
    "amdfam10",
    "btver1",
    "btver2",
];

/// Flags that allow more than IEEE 754 does; each is taken back by its opposite.
const RELAXED: [(&str, &str); 6] = [
    ("-ffast-math", "-fno-fast-math"),
    ("-funsafe-math-optimizations", "-fno-unsafe-math-optimizations"),
    ("-ffinite-math-only", "-fno-finite-math-only"),
    ("-fassociative-math", "-fno-associative-math"),
    ("-freciprocal-math", "-fno-reciprocal-math"),
    ("-fno-signed-zeros", "-fsigned-zeros"),
];

/// Those among the flags of a program after which its floats may have other values than IEEE 754 says.
pub(crate) fn departures(flags: &[&str], data_model: DataModel) -> Vec<String> {
    let mut relaxed: Vec<&str> = Vec::new();
    let (mut fused, mut contracts, mut unit) = (None, true, None);
    for &flag in flags {
        if let Some((allows, _)) = RELAXED.iter().find(|(allows, _)| *allows == flag) {
            relaxed.retain(|known| known != allows);
            relaxed.push(allows);
        } else if let Some((allows, _)) = RELAXED.iter().find(|(_, forbids)| *forbids == flag) {
            // Also `-Ofast` allows fast math.
            relaxed.retain(|known| known != allows && (*known != "-Ofast" || *allows != "-ffast-math"));
        } else if flag.starts_with("-O") {
            relaxed.retain(|&known| known != "-Ofast");
            relaxed.extend((flag == "-Ofast").then_some(flag));
        } else if let Some(processor) = flag.strip_prefix("-march=") {
            fused = (!UNFUSED.contains(&processor)).then_some(flag);
        } else if flag == "-mfma" {
            fused = Some(flag);
        } else if flag == "-mno-fma" {
            fused = None;
        } else if let Some(how) = flag.strip_prefix("-ffp-contract=") {
            contracts = how != "off";
        } else if flag.starts_with("-mfpmath=") {
            unit = Some(flag);
        }
    }
    let excess = match (unit, data_model) {
        (Some("-mfpmath=sse"), _) | (None, DataModel::Lp64) => None,
        // The registers of the old floating-point unit are wider than any format.
        (None, DataModel::Ilp32) => Some("-m32"),
        (Some(other), _) => Some(other),
    };
    relaxed.into_iter().chain(excess).chain(fused.filter(|_| contracts)).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(flags: &str, expected: &[&str]) {
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let model = if flags.contains(&"-m32") { DataModel::Ilp32 } else { DataModel::Lp64 };
        assert_eq!(departures(&flags, model), expected, "{flags:?}");
    }

    #[test]
    fn the_last_flag_counts() {
        check("-O2 -Wall", &[]);
        check("-ffast-math", &["-ffast-math"]);
        check("-ffast-math -O2 -fno-fast-math", &[]);
        check("-Ofast", &["-Ofast"]);
        check("-Ofast -O2", &[]);
        check("-Ofast -fno-fast-math", &[]);
        check("-fno-signed-zeros -ffinite-math-only", &["-fno-signed-zeros", "-ffinite-math-only"]);
        check("-fno-signed-zeros -fsigned-zeros", &[]);
    }

    #[test]
    fn products_and_sums_are_fused_only_where_the_processor_can() {
        check("-ffp-contract=fast", &[]);
        check("-mfma", &["-mfma"]);
        check("-march=native", &["-march=native"]);
        check("-march=native -ffp-contract=off", &[]);
        check("-march=native -march=x86-64", &[]);
        check("-march=haswell -mno-fma", &[]);
    }

    #[test]
    fn wide_registers_are_told() {
        check("-mfpmath=387", &["-mfpmath=387"]);
        check("-mfpmath=sse", &[]);
        check("-m32", &["-m32"]);
        check("-m32 -msse2 -mfpmath=sse", &[]);
    }
}
