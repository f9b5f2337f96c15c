//! `qsort` and `bsearch`.
//!
//! Both compare the same elements in the same order as glibc, so that the trace of the comparison function
//! is that of the real program.

use super::{Call, Table};
use crate::memory::{ObjectKind, Overlap};
use crate::outcome::Fallible;

pub(super) const FUNCTIONS: Table = &[("qsort", qsort), ("bsearch", bsearch)];

fn qsort(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (base, count, size, comparison) = (call.arg(0), call.arg(1), call.arg(2), call.arg(3));
    if count < 2 || size == 0 {
        return Ok(0);
    }
    // Every element is read, so the array must exist before its elements are listed.
    let total = count.saturating_mul(size);
    call.memory().check_readable(base, total)?;
    let mut elements: Vec<u64> = (0..count).map(|n| base + n * size).collect();
    merge_sort(call, comparison, &mut elements)?;
    permute(call, base, size, &elements)?;
    Ok(0)
}

/// glibc's `msort_with_tmp`, on the addresses of the elements.
fn merge_sort(call: &mut Call<'_, '_>, comparison: u64, elements: &mut [u64]) -> Fallible<()> {
    if elements.len() <= 1 {
        return Ok(());
    }
    let (left, right) = elements.split_at_mut(elements.len() / 2);
    merge_sort(call, comparison, left)?;
    merge_sort(call, comparison, right)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        if compare(call, comparison, left[l], right[r])? <= 0 {
            merged.push(left[l]);
            l += 1;
        } else {
            merged.push(right[r]);
            r += 1;
        }
    }
    merged.extend_from_slice(&left[l..]);
    merged.extend_from_slice(&right[r..]);
    elements.copy_from_slice(&merged);
    Ok(())
}

/// Moves the elements to their places, unwritten bytes included.
fn permute(call: &mut Call<'_, '_>, base: u64, size: u64, order: &[u64]) -> Fallible<()> {
    let memory = call.memory();
    let total = size * order.len() as u64;
    let copy = memory.allocate(ObjectKind::Heap, total, 16)?;
    for (n, &element) in order.iter().enumerate() {
        memory.copy(copy + n as u64 * size, element, size, Overlap::Exact)?;
    }
    memory.copy(base, copy, total, Overlap::Exact)?;
    memory.free(copy)
}

fn bsearch(call: &mut Call<'_, '_>) -> Fallible<u64> {
    let (key, base, count, size) = (call.arg(0), call.arg(1), call.arg(2), call.arg(3));
    let comparison = call.arg(4);
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base.wrapping_add(middle.wrapping_mul(size));
        match compare(call, comparison, key, element)? {
            0 => return Ok(element),
            order if order < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(0)
}

fn compare(call: &mut Call<'_, '_>, comparison: u64, a: u64, b: u64) -> Fallible<i32> {
    let result = call.call_back(comparison, &[a, b])?;
    match result {
        Some(order) => Ok(order as i32),
        None => crate::outcome::event(
            quipu_ir::Event::MissingReturnValue,
            "the comparison function returned no value".into(),
        ),
    }
}
