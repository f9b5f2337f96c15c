//! Numbers where something changes: powers of two and what is next to them, ends of types, ties of roundings.

/// Integers of 64 bits around every power of two, and those that lie just beside the middle of two floats.
pub fn integers() -> Vec<u64> {
    let mut all = vec![0];
    for k in 0..64u32 {
        let power = 1u64 << k;
        let gaps = [23, 24, 25, 52, 53, 54].into_iter().filter_map(|bits| k.checked_sub(bits));
        let near: Vec<u64> = gaps.map(|gap| 1 << gap).chain([0]).collect();
        for distance in near {
            for around in [power.wrapping_add(distance), power.wrapping_sub(distance)] {
                let off_by_one = [around.wrapping_sub(1), around, around.wrapping_add(1)];
                all.extend(off_by_one.into_iter().flat_map(|n| [n, n.wrapping_neg()]));
            }
        }
    }
    distinct(all)
}

/// All numbers of the format at which a conversion or a rounding may change its result, as bits.
pub fn doubles() -> Vec<u64> {
    let mut numbers = vec![0.0, f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 0.1, 1.0 / 3.0];
    for k in -1074..1024 {
        numbers.push(power(k));
    }
    for k in -2..=66 {
        for part in [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.5] {
            numbers.extend([power(k) + part, power(k) - part]);
        }
    }
    // The middle between two `float`s, and the one beyond which rounding overflows.
    for k in -126..128 {
        numbers.extend([power(k) * (1.0 + power(-24)), power(k) * (1.0 + 3.0 * power(-24))]);
        numbers.push(power(k) * (1.0 - power(-25)));
    }
    numbers.extend((0..9).map(|n| (f64::from(n) + 0.5) * power(-149)));
    numbers.extend([f64::from(f32::MAX), f64::from(f32::MAX) + power(103), power(128)]);
    distinct(
        numbers
            .into_iter()
            .flat_map(|x| neighbours(x.to_bits(), f64::MAX.to_bits()))
            .flat_map(signs)
            .collect(),
    )
}

/// The same for `float`.
pub fn singles() -> Vec<u64> {
    let mut numbers = vec![0.0, f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE, 0.1, 1.0 / 3.0];
    for k in -149..128 {
        numbers.push(power(k) as f32);
    }
    for k in -2..=66 {
        for part in [0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.5] {
            numbers.extend([(power(k) + part) as f32, (power(k) - part) as f32]);
        }
    }
    let bits = numbers.into_iter().map(|x| u64::from(x.to_bits()));
    let near = bits.flat_map(|bits| neighbours(bits, u64::from(f32::MAX.to_bits())));
    distinct(near.flat_map(|bits| [bits, bits ^ 1 << 31]).collect())
}

/// Few numbers of all kinds, to be combined with each other.
pub fn selected(double: bool) -> Vec<u64> {
    let (largest, smallest, least) = match double {
        true => (f64::MAX, f64::MIN_POSITIVE, power(-1074)),
        false => (f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE), power(-149)),
    };
    let ulp = if double { power(-52) } else { power(-23) };
    let numbers = [
        0.0,
        least,
        3.0 * least,
        smallest - least,
        smallest,
        0.1,
        0.5 - ulp / 4.0,
        0.5,
        1.0 - ulp / 2.0,
        1.0,
        1.0 + ulp,
        1.5,
        2.0,
        2.5,
        3.0,
        10.0,
        1.0 / ulp - 0.5,
        1.0 / ulp,
        2.0 / ulp - 1.0,
        1e30,
        largest / 2.0,
        largest,
        f64::INFINITY,
        f64::NAN,
    ];
    let bits = |x: f64| if double { x.to_bits() } else { u64::from((x as f32).to_bits()) };
    distinct(numbers.into_iter().flat_map(|x| [bits(x), bits(-x)]).collect())
}

/// Exponents for `ldexp`, among them those that leave the range of both formats.
pub fn exponents() -> Vec<u64> {
    let around =
        [0i64, 23, 24, 52, 53, 126, 127, 128, 149, 150, 1022, 1023, 1024, 1074, 1075, 2046, 2098, 2100];
    let near = around.into_iter().flat_map(|n| [n - 1, n, n + 1, -n - 1, -n, 1 - n]);
    let ends = [i64::from(i32::MIN), i64::from(i32::MAX), -100_000, 100_000];
    distinct(near.chain(ends).map(i64::cast_unsigned).collect())
}

/// 2^k, also where it is subnormal.
fn power(k: i32) -> f64 {
    if k < -1022 { f64::from_bits(1 << (k + 1074)) } else { f64::from_bits(((k + 1023) as u64) << 52) }
}

/// A positive number with the two before and behind it. Infinity and NaN stand alone.
fn neighbours(bits: u64, most: u64) -> Vec<u64> {
    let near = [bits.checked_sub(2), bits.checked_sub(1), Some(bits), Some(bits + 1), Some(bits + 2)];
    match bits > most {
        true => vec![bits],
        false => near.into_iter().flatten().filter(|&near| near <= most).collect(),
    }
}

fn signs(bits: u64) -> [u64; 2] {
    [bits, bits ^ 1 << 63]
}

fn distinct(mut all: Vec<u64>) -> Vec<u64> {
    all.sort_unstable();
    all.dedup();
    all
}
