//! How much of what pointers point to the code uses, and which pointers belong together.

use quipu_ir::{InstKind, Ty, Value};
use quipu_num::{IntCmp, IntOp};
use rustc_hash::FxHashMap;

use crate::usage::Reader;

/// Bytes before and behind where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Used {
    /// Not positive.
    pub from: i64,
    /// Not negative.
    pub to: i64,
}

impl Used {
    pub fn join(self, other: Used) -> Used {
        Used { from: self.from.min(other.from), to: self.to.max(other.to) }
    }

    pub fn moved(self, by: i64) -> Used {
        Used { from: self.from.saturating_add(by).min(0), to: self.to.saturating_add(by).max(0) }
    }
}

/// Distances further away are no hint at the size of an object.
const FAR: i64 = 4096;

impl Reader<'_> {
    pub(crate) fn find_spans(&mut self) {
        for inst in self.insts() {
            match inst.kind {
                InstKind::Load { ptr, .. } => {
                    let size = inst.result.map_or(1, |result| self.size(self.code.ty(result)));
                    self.used(ptr, size);
                }
                InstKind::Store { ptr, value, .. } => self.used(ptr, self.size(self.code.ty(value))),
                InstKind::LoadBits { ptr, .. } | InstKind::StoreBits { ptr, .. } => self.used(ptr, 1),
                InstKind::Copy { dst, src, size } => {
                    self.used(dst, size);
                    self.used(src, size);
                }
                InstKind::Zero { dst, size } | InstKind::Unspecify { dst, size } => self.used(dst, size),
                InstKind::PtrAdd(pointer, delta) => self.indexed(pointer, delta),
                InstKind::IntCmp(IntCmp::Eq | IntCmp::Ne, a, b) if !self.walks(a) && !self.walks(b) => {}
                InstKind::IntCmp(_, a, b) | InstKind::PtrDiff(a, b) => self.relate(a, b),
                _ => {}
            }
        }
    }

    fn size(&self, ty: Ty) -> u64 {
        self.module.data_model.size_of(ty)
    }

    /// So many bytes are used behind a pointer.
    fn used(&mut self, pointer: Value, size: u64) {
        let Some(origin) = self.pointer(pointer) else { return };
        let (path, start) = (origin.path.clone(), origin.moved.cast_signed());
        let end = start.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
        if start > -FAR && end < FAR {
            self.usage.uses(&path, Used { from: start.min(0), to: end.max(0) });
        }
    }

    /// An index that is compared with a constant tells how many elements there are at least.
    fn indexed(&mut self, pointer: Value, delta: Value) {
        let Some(path) = self.pointer(pointer).map(|origin| origin.path.clone()) else { return };
        if self.constant(delta).is_some() {
            return;
        }
        self.usage.walked.insert(path.clone());
        let scales = self.scales(delta);
        let most = scales.values().max().copied().unwrap_or(u64::MAX);
        self.usage.strays_by(&path, most);
        for inst in self.insts() {
            let InstKind::IntCmp(_, x, limit) = inst.kind else { continue };
            let Some((&scale, limit)) = scales.get(&x).zip(self.constant(limit)) else { continue };
            let end = i64::try_from(limit.saturating_mul(scale)).unwrap_or(i64::MAX);
            if end < FAR {
                self.usage.uses(&path, Used { from: 0, to: end });
            }
        }
    }

    /// The values of which an offset is made, each with the number that it is multiplied by.
    pub(crate) fn scales(&self, delta: Value) -> FxHashMap<Value, u64> {
        let mut scales = FxHashMap::default();
        let mut open = vec![(delta, 1u64)];
        while let Some((value, scale)) = open.pop() {
            if scales.insert(value, scale).is_some_and(|known| known >= scale) {
                continue;
            }
            let scaled =
                |a: Value, b: Value| self.constant(b).map(|factor| (a, scale.saturating_mul(factor)));
            match self.makers[value] {
                Some(InstKind::Cast(_, a)) => open.push((*a, scale)),
                Some(InstKind::Int(IntOp::Mul, a, b)) => open.extend(scaled(*a, *b).or(scaled(*b, *a))),
                Some(InstKind::Int(IntOp::Shl, a, b)) => {
                    let by = self.constant(*b).filter(|&by| by < 16);
                    open.extend(by.map(|by| (*a, scale.saturating_mul(1 << by))));
                }
                Some(InstKind::Int(IntOp::Add, a, b)) => open.extend([(*a, scale), (*b, scale)]),
                Some(InstKind::Int(IntOp::Sub, a, _)) => open.push((*a, scale)),
                _ => {}
            }
            if open.len() > 256 {
                break;
            }
        }
        scales
    }

    fn walks(&self, value: Value) -> bool {
        self.pointer(value).is_some_and(|origin| origin.walks)
    }

    /// Pointers that are ordered or subtracted belong to one object, and so do those of which one walks until it is
    /// equal to the other. Who only asks whether two pointers are the same expects different objects as well.
    fn relate(&mut self, a: Value, b: Value) {
        if let (Some(a), Some(b)) = (self.pointer(a), self.pointer(b))
            && a.path != b.path
        {
            let pair = (a.path.clone(), b.path.clone());
            self.usage.related.insert(pair);
        }
    }
}
