//! Bytes of a local object that its initial value says nothing about: padding, and what lies in a union beyond the
//! member that is initialised (C17 6.2.6.1p6, p7).
//!
//! What is left out of an initial value is zero with all its padding (6.7.9p10, p21), as far as it is a member or an
//! element of its own. Which member of a union an initial value is for is seen by what it writes: the smallest one that
//! fits.

use rucc_sema::{ExprKind, InitEntry};
use rucc_types::RecordKind;

use super::unit::UnitLower;

/// An array of more elements has no bytes of this kind, as far as we tell.
const MOST_ELEMENTS: u64 = 1024;
/// Only so many of them in one object.
const MOST_GAPS: usize = 64;

/// A stretch of bytes.
type Range = (u64, u64);

/// The stretches of an object that its initial value leaves unspecified.
pub(super) fn gaps(unit: &UnitLower<'_>, ty: rucc_types::TypeId, entries: &[InitEntry]) -> Vec<Range> {
    let Some(size) = size_of(unit, ty) else { return Vec::new() };
    let written: Vec<(Range, &InitEntry)> =
        entries.iter().filter_map(|entry| Some((extent(unit, entry)?, entry))).collect();
    let mut known = Vec::new();
    Walk { unit, known: &mut known }.specify(ty, 0, &written);
    known.sort_unstable();
    let mut gaps = Vec::new();
    let mut at = 0;
    for (from, to) in known.into_iter().chain([(size, size)]) {
        if from > at {
            gaps.push((at, from));
        }
        at = at.max(to);
    }
    gaps.truncate(MOST_GAPS);
    gaps
}

struct Walk<'w, 'u> {
    unit: &'w UnitLower<'u>,
    /// The bytes that have values.
    known: &'w mut Vec<Range>,
}

impl Walk<'_, '_> {
    /// Takes note of the bytes of a part that have values.
    fn specify(&mut self, ty: rucc_types::TypeId, base: u64, entries: &[(Range, &InitEntry)]) {
        let Some(size) = size_of(self.unit, ty) else { return };
        let whole = (base, base + size);
        let inside: Vec<(Range, &InitEntry)> =
            entries.iter().filter(|(range, _)| range.0 < whole.1 && range.1 > whole.0).copied().collect();
        let is_one_value = |(range, entry): &(Range, &InitEntry)| {
            *range == whole || matches!(self.unit.tast[entry.value].kind, ExprKind::Str(_))
        };
        if inside.is_empty() || matches!(&inside[..], [only] if is_one_value(only)) {
            self.known.push(whole);
            return;
        }
        if let Some(element) = self.unit.types.element(ty) {
            return self.specify_elements(element, whole, &inside);
        }
        match self.unit.types.record(ty) {
            Some(record) if record.kind == RecordKind::Union => {
                let fits = |field: &&rucc_types::Field| self.fits(field, base, &inside);
                let sized = record.fields.iter().filter(fits);
                let member = sized.min_by_key(|field| size_of(self.unit, field.ty));
                match member {
                    Some(field) => self.specify_field(field, base, &inside),
                    None => self.known.push(whole),
                }
            }
            Some(record) => record.fields.iter().for_each(|field| self.specify_field(field, base, &inside)),
            None => self.known.push(whole),
        }
    }

    fn specify_elements(
        &mut self,
        element: rucc_types::TypeId,
        whole: Range,
        inside: &[(Range, &InitEntry)],
    ) {
        let size = size_of(self.unit, element).unwrap_or(0);
        let count = (whole.1 - whole.0).checked_div(size).unwrap_or(0);
        if !self.unit.types.is_aggregate(element) || count > MOST_ELEMENTS {
            self.known.push(whole);
            return;
        }
        (0..count).for_each(|n| self.specify(element, whole.0 + n * size, inside));
    }

    fn specify_field(&mut self, field: &rucc_types::Field, base: u64, inside: &[(Range, &InitEntry)]) {
        let at = base + field.offset;
        match field.bits {
            Some(bits) => self.known.push((at, at + u64::from(field.bit + bits).div_ceil(8))),
            None => self.specify(field.ty, at, inside),
        }
    }

    /// Whether values could be those of a member of a union at a place.
    fn fits(&self, field: &rucc_types::Field, base: u64, inside: &[(Range, &InitEntry)]) -> bool {
        let at = base + field.offset;
        let size = match field.bits {
            Some(bits) => u64::from(field.bit + bits).div_ceil(8),
            None => size_of(self.unit, field.ty).unwrap_or(0),
        };
        let is_record = self.unit.types.is_aggregate(field.ty);
        inside.iter().all(|&((from, to), entry)| match is_record {
            true => from >= at && to <= at + size,
            false => (from, to) == (at, at + size) && entry.is_bit_field() == field.bits.is_some(),
        })
    }
}

fn size_of(unit: &UnitLower<'_>, ty: rucc_types::TypeId) -> Option<u64> {
    unit.types.layout(ty).ok().map(|layout| layout.size)
}

/// The bytes that an entry writes.
fn extent(unit: &UnitLower<'_>, entry: &InitEntry) -> Option<Range> {
    if entry.is_bit_field() {
        let first = entry.offset + u64::from(entry.bit_offset / 8);
        let bits = entry.bit_offset % 8 + entry.bit_width;
        return Some((first, first + u64::from(bits.div_ceil(8))));
    }
    let size = size_of(unit, unit.tast[entry.value].ty)?;
    Some((entry.offset, entry.offset + size))
}
