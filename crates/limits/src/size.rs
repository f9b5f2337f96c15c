//! Sizes as people write them: `512M`, `2G`, `1.5G`.

/// Units with their sizes; those of 1024, as memory is sold.
const UNITS: [(char, u64); 4] = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30), ('T', 1 << 40)];

/// The bytes that a text stands for.
///
/// # Errors
///
/// With what is wrong with it.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size; write 512M or 2G");
    let upper = text.trim().to_ascii_uppercase();
    let bare = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let unit = UNITS.iter().find(|(letter, _)| bare.ends_with(*letter));
    let (number, size) = match unit {
        Some((letter, size)) => (bare.trim_end_matches(*letter), *size),
        None => (bare, 1),
    };
    let is_plain = |c: char| c.is_ascii_digit() || c == '.';
    let number = number.trim_end();
    let count: f64 = number.parse().ok().filter(|_| number.chars().all(is_plain)).ok_or_else(wrong)?;
    let bytes = count * size as f64;
    match bytes.is_finite() && (1.0..9e18).contains(&bytes) {
        true => Ok(bytes as u64),
        false => Err(wrong()),
    }
}

/// A size for people, in the largest unit of which there is one.
pub fn size_text(bytes: u64) -> String {
    match UNITS.iter().rev().find(|(_, size)| bytes >= *size) {
        Some((letter, size)) if bytes.is_multiple_of(*size) => format!("{}{letter}", bytes / size),
        Some((letter, size)) => format!("{:.1}{letter}", bytes as f64 / *size as f64),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [("100", 100), ("1k", 1024), ("512M", 512 << 20), ("2G", 2 << 30), ("1.5G", 3 << 29)];
        for (text, bytes) in cases {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size(" 2 GB "), Ok(2 << 30));
        for wrong in ["", "G", "-1", "0", "1e9", "inf", "nan", "2X", "2GG2", "99999999T"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_for_people() {
        assert_eq!(
            ["2G", "1.5G", "512M", "7"].map(|text| size_text(parse_size(text).unwrap())),
            ["2G", "1.5G", "512M", "7"]
        );
    }
}
