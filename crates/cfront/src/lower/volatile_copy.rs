//! Copies of structs with volatile parts.
//!
//! Such a copy reads each volatile scalar once, in the order of declaration. Compilers may take other pieces than the
//! scalars (6.7.3p7 leaves it to them), but each bit is read once as well.

use quipu_ir::{InstKind, Ty, Value};
use quipu_num::Width;
use rucc_types::{RecordKind, TypeId};

use super::Lowered;
use super::function::FnLower;
use super::place::Place;

/// More scalars are not read one by one.
const MOST_SCALARS: usize = 256;

/// A volatile scalar of a struct.
#[derive(Clone, Copy)]
struct Scalar {
    /// In bytes.
    offset: u64,
    ty: Ty,
    /// For a bit-field its first bit.
    bit: Option<u32>,
}

impl FnLower<'_, '_> {
    /// Reads the volatile scalars of an object again, and writes them to the copy of its bytes.
    pub(super) fn copy_volatile(
        &mut self,
        dst: Value,
        src: Place,
        ty: TypeId,
        span: rucc_diag::Span,
    ) -> Lowered<()> {
        let mut scalars = Vec::new();
        self.volatile_scalars(ty, src.volatile, 0, &mut scalars);
        if scalars.len() > MOST_SCALARS {
            return self.unit.unsupported("copy of a large volatile object", span);
        }
        for Scalar { offset, ty, bit } in scalars {
            let (from, to) = (self.ptr_offset(src.ptr, offset), self.ptr_offset(dst, offset));
            match bit {
                Some(bit) => {
                    let value = self.emit(ty, InstKind::LoadBits { ptr: from, bit, volatile: true });
                    self.emit_effect(InstKind::StoreBits { ptr: to, bit, value });
                }
                None => {
                    let value = self.load(ty, from, 1, true);
                    self.store(to, value, 1, false);
                }
            }
        }
        Ok(())
    }

    fn volatile_scalars(&self, ty: TypeId, outer: bool, offset: u64, out: &mut Vec<Scalar>) {
        let types = &self.unit.types;
        let volatile = outer || types.is_volatile(ty);
        if out.len() > MOST_SCALARS {
            return;
        }
        if let Some(record) = types.record(ty) {
            if record.kind == RecordKind::Union {
                return self.volatile_union(ty, volatile, offset, out);
            }
            for field in &record.fields {
                let at = offset + field.offset;
                match field.bits.map(Width::new) {
                    None => self.volatile_scalars(field.ty, volatile, at, out),
                    Some(Some(width))
                        if field.name.is_some() && (volatile || types.is_volatile(field.ty)) =>
                    {
                        out.push(Scalar { offset: at, ty: Ty::Int(width), bit: Some(field.bit) });
                    }
                    Some(_) => {}
                }
            }
        } else if let (Some(element), Some(len)) = (types.element(ty), types.array_len(ty)) {
            let size = types.layout(element).map_or(0, |layout| layout.size);
            for n in 0..len.min(MOST_SCALARS as u64 + 1) {
                self.volatile_scalars(element, volatile, offset + n * size, out);
            }
        } else if volatile && let Ok(ty) = types.scalar(ty) {
            out.push(Scalar { offset, ty, bit: None });
        }
    }

    /// Nobody knows which member of a union is meant: it is read in pieces that are as large as it is aligned.
    fn volatile_union(&self, ty: TypeId, outer: bool, offset: u64, out: &mut Vec<Scalar>) {
        let mut inner = Vec::new();
        let types = &self.unit.types;
        for field in types.record(ty).iter().flat_map(|record| &record.fields) {
            self.volatile_scalars(field.ty, outer, 0, &mut inner);
        }
        let Ok(layout) = types.layout(ty) else { return };
        let piece = layout.align.clamp(1, 8);
        if !inner.is_empty() {
            let pieces = (0..layout.size / piece).take(MOST_SCALARS + 1);
            let ty = Ty::int(8 * piece as u32);
            out.extend(pieces.map(|n| Scalar { offset: offset + n * piece, ty, bit: None }));
        }
    }
}
