//! Products: partial products in columns, and when a signed product fits.
//!
//! An operand is taken apart into *digits*, bits with a weight and a sign. An operand that is a filled-up narrower
//! one has as few digits as that one. A constant has the digits of its non-adjacent form (Reitwiesner 1960), in which
//! at most every second one is not zero.

use crate::circuit::{Circuit, Edge, Word};
use crate::columns::Columns;
use crate::words;

/// A bit times plus or minus a power of two.
#[derive(Clone, Copy)]
struct Digit {
    bit: Edge,
    weight: usize,
    negative: bool,
}

/// `a * b` modulo the width.
pub(crate) fn product(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Word {
    let (a, b) = in_order(a, b);
    let (left, right) = (digits(a), digits(b));
    multiply(circuit, &left, &right, a.len())
}

/// A constant plus words times constants, modulo the width.
pub(crate) fn linear(circuit: &mut Circuit, width: usize, constant: u64, parts: &[(u64, &[Edge])]) -> Word {
    let mut columns = Columns::new(width);
    columns.add_constant(u128::from(constant));
    for &(coefficient, word) in parts {
        add_multiple(&mut columns, coefficient, &digits(word));
    }
    columns.sum(circuit)
}

/// The product of two natural numbers, in full.
pub(crate) fn natural_product(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Word {
    let (left, right) = (natural_digits(a), natural_digits(b));
    let (rows, others) = if (left.len(), a) <= (right.len(), b) { (left, right) } else { (right, left) };
    multiply(circuit, &rows, &others, a.len() + b.len())
}

/// Adds a constant multiple of a word to columns. The word is a natural number.
pub(crate) fn add_natural_multiple(columns: &mut Columns, coefficient: u64, word: &[Edge]) {
    add_multiple(columns, coefficient, &natural_digits(word));
}

fn add_multiple(columns: &mut Columns, coefficient: u64, digits: &[Digit]) {
    for (shift, negative) in non_adjacent_form(u128::from(coefficient), columns.width()) {
        for digit in digits {
            let weight = shift + digit.weight;
            if negative == digit.negative {
                columns.add(weight, digit.bit);
            } else {
                columns.subtract(weight, digit.bit);
            }
        }
    }
}

/// Whether the signed product of two words is representable.
///
/// A product of n bits and m bits has n + m bits at most. Where that does not settle it, the product overflows into
/// position w + 1 or higher only if bits i and j with i + j >= w - 1 differ from their signs, and else a product of
/// w + 1 bits shows it (Gök, Schulte, Arnold: Integer multipliers with overflow detection, 2006). Its lower columns
/// are those of the product itself, and are shared with it.
pub(crate) fn product_fits(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Edge {
    let width = a.len();
    let (a, b) = in_order(a, b);
    if words::significant_signed(a) + words::significant_signed(b) <= width {
        return Edge::TRUE;
    }
    if width == 1 {
        return !circuit.and(a[0], b[0]);
    }
    let large = large_product(circuit, a, b);
    let (left, right) = (signed_digits(a), signed_digits(b));
    let product = multiply(circuit, &left, &right, width + 1);
    let same = circuit.equal(product[width], product[width - 1]);
    circuit.and(!large, same)
}

/// Whether there are bits i and j, with i + j >= w - 1, that differ from the signs of their words.
fn large_product(circuit: &mut Circuit, a: &[Edge], b: &[Edge]) -> Edge {
    let width = a.len();
    let mut differs = |word: &[Edge]| -> Word {
        let sign = word[width - 1];
        word[..width - 1].iter().map(|&bit| circuit.xor(bit, sign)).collect()
    };
    let (a, b) = (differs(a), differs(b));
    let a = words::set_from(circuit, &a);
    let pairs: Word = (1..width - 1).map(|j| circuit.and(a[width - 1 - j], b[j])).collect();
    circuit.any(pairs)
}

/// The factors in one order, so that `a * b` is `b * a`; the one with fewer digits makes the rows.
fn in_order<'a>(a: &'a [Edge], b: &'a [Edge]) -> (&'a [Edge], &'a [Edge]) {
    let size = |word: &[Edge]| digits(word).len();
    if (size(a), a) <= (size(b), b) { (a, b) } else { (b, a) }
}

fn multiply(circuit: &mut Circuit, rows: &[Digit], others: &[Digit], width: usize) -> Word {
    let mut columns = Columns::new(width);
    for row in rows {
        for other in others {
            let weight = row.weight + other.weight;
            if weight >= width {
                continue;
            }
            let bit = circuit.and(row.bit, other.bit);
            if row.negative == other.negative {
                columns.add(weight, bit);
            } else {
                columns.subtract(weight, bit);
            }
        }
    }
    columns.sum(circuit)
}

/// The digits of a natural number.
fn natural_digits(word: &[Edge]) -> Vec<Digit> {
    if let Some(constant) = words::as_constant(word) {
        let form = non_adjacent_form(u128::from(constant), word.len() + 1);
        return form.map(|(weight, negative)| Digit { bit: Edge::TRUE, weight, negative }).collect();
    }
    let digit = |(weight, &bit)| Digit { bit, weight, negative: false };
    word.iter().enumerate().map(digit).filter(|digit| digit.bit != Edge::FALSE).collect()
}

/// The digits of a word modulo its width.
fn digits(word: &[Edge]) -> Vec<Digit> {
    if let Some(constant) = words::as_constant(word) {
        let form = non_adjacent_form(u128::from(constant), word.len());
        return form.map(|(weight, negative)| Digit { bit: Edge::TRUE, weight, negative }).collect();
    }
    // One superfluous copy of the sign costs less than a negative digit.
    let signed = words::significant_signed(word);
    let kept = if signed + 1 < word.len() { signed } else { word.len() };
    let digit = |(weight, &bit): (usize, &Edge)| Digit {
        bit,
        weight,
        negative: weight + 1 == kept && kept < word.len(),
    };
    word[..kept].iter().enumerate().map(digit).filter(|digit| digit.bit != Edge::FALSE).collect()
}

/// The digits of the signed value of a word, modulo one power of two more. Below that they are those of the word.
fn signed_digits(word: &[Edge]) -> Vec<Digit> {
    let width = word.len();
    let sign = *word.last().expect("a word has at least one bit");
    if let Some(constant) = words::as_constant(word) {
        let high = u128::from(sign == Edge::TRUE) << width;
        let form = non_adjacent_form(u128::from(constant) | high, width + 1);
        return form.map(|(weight, negative)| Digit { bit: Edge::TRUE, weight, negative }).collect();
    }
    let mut digits = digits(word);
    if sign != Edge::FALSE && digits.iter().all(|digit| !digit.negative) {
        digits.push(Digit { bit: sign, weight: width, negative: false });
    }
    digits
}

/// Positions and signs of the non-zero digits -1 and 1 of a number modulo 2^width, no two of them adjacent.
fn non_adjacent_form(number: u128, width: usize) -> impl Iterator<Item = (usize, bool)> {
    let mut rest = number;
    (0..width).filter_map(move |position| {
        let odd = rest & 1 == 1;
        // The digit is 2 - (rest mod 4), so that the next one is zero.
        let negative = odd && rest & 2 == 2;
        rest = if negative { (rest >> 1) + 1 } else { rest >> 1 };
        odd.then_some((position, negative))
    })
}
