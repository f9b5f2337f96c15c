//! Lvalues: where an object or a part of one is.

use quipu_ir::{InstKind, Ty, Value, ValueDef};
use quipu_num::{Cast, Guard, Width};
use rucc_ast::UnaryOp;
use rucc_sema::{Category, Conversion, DeclId, DeclKind, ExprId, ExprKind};
use rucc_types::TypeId;

use super::Lowered;
use super::function::{FnLower, Local};

/// Where an lvalue is, and how to reach it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) ptr: Value,
    /// The alignment that the types along the way promise.
    pub(super) align: u32,
    pub(super) volatile: bool,
    /// The bits of a bit-field, within the byte at `ptr` and those behind it.
    pub(super) bits: Option<Bits>,
}

#[derive(Clone, Copy)]
pub(super) struct Bits {
    pub(super) first: u32,
    pub(super) width: Width,
}

/// What an array index may be: the index of an element, or one more where only the address is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Element,
    OnePast,
}

impl FnLower<'_, '_> {
    /// The place of an lvalue, or of a struct value, which gets an object of its own.
    pub(super) fn place(&mut self, expr: ExprId) -> Lowered<Place> {
        self.place_within(expr, Reach::Element)
    }

    pub(super) fn place_within(&mut self, expr: ExprId, reach: Reach) -> Lowered<Place> {
        let data = self.unit.tast[expr];
        match data.kind {
            ExprKind::Decl(decl) => self.decl_place(decl, expr),
            ExprKind::Str(id) => {
                let span = self.unit.expr_span(expr);
                let global = self.unit.literal(id, span);
                let ptr = self.body.constant(Ty::Ptr, ValueDef::Global(global, 0));
                self.place_at(ptr, data.ty, expr)
            }
            ExprKind::Member { base, field } => self.member(base, field as usize, expr),
            ExprKind::Subscript { base, index } => self.subscript(base, index, expr, reach),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let ptr = self.scalar(operand)?;
                self.place_at(ptr, data.ty, expr)
            }
            ExprKind::CompoundLiteral(decl) => {
                self.declaration(decl)?;
                self.decl_place(decl, expr)
            }
            _ if data.category == Category::Rvalue && self.unit.types.is_aggregate(data.ty) => {
                let layout =
                    self.represent(|unit| unit.types.layout(data.ty), self.unit.tast.expr_span(expr))?;
                let source = self.unit.source_type(data.ty);
                let slot = self.temporary(layout.size, layout.align, Some(source));
                let ptr = self.slot_addr(slot);
                self.struct_into(expr, ptr)?;
                self.place_at(ptr, data.ty, expr)
            }
            _ => self.unit.unsupported("lvalue", self.unit.tast.expr_span(expr)),
        }
    }

    /// A whole object of a type at a pointer.
    fn place_at(&mut self, ptr: Value, ty: TypeId, expr: ExprId) -> Lowered<Place> {
        let volatile = self.unit.types.is_volatile(ty);
        // Only the address of an incomplete or void object can be used.
        let align = match self.unit.types.layout(ty) {
            Ok(layout) => u32::try_from(layout.align).unwrap_or(1),
            Err(what) if what.starts_with("incomplete") => 1,
            Err(what) => return self.unit.unsupported(what, self.unit.tast.expr_span(expr)),
        };
        Ok(Place { ptr, align, volatile, bits: None })
    }

    fn decl_place(&mut self, decl: DeclId, expr: ExprId) -> Lowered<Place> {
        let data = &self.unit.tast[decl];
        let ty = data.ty;
        let ptr = if data.kind == DeclKind::Function {
            let func = self.unit.function(decl);
            self.body.constant(Ty::Ptr, ValueDef::Func(func))
        } else if self.unit.is_static(decl) {
            let global = self.unit.object(decl)?;
            self.body.constant(Ty::Ptr, ValueDef::Global(global, 0))
        } else {
            match self.locals.get(&decl).copied() {
                Some(Local::Slot(slot)) => self.at(expr, |lower| Ok(lower.slot_addr(slot)))?,
                Some(Local::At(ptr)) => ptr,
                None => {
                    return self
                        .unit
                        .unsupported("variable used outside its scope", self.unit.tast.expr_span(expr));
                }
            }
        };
        self.place_at(ptr, ty, expr)
    }

    fn member(&mut self, base: ExprId, field: usize, expr: ExprId) -> Lowered<Place> {
        let span = self.unit.tast.expr_span(expr);
        let outer = self.place(base)?;
        let Some(record) = self.unit.types.record(self.unit.tast[base].ty) else {
            return self.unit.unsupported("member of this type", span);
        };
        if record.variable.is_some() {
            return self.unit.unsupported("variable length array in a struct", span);
        }
        if record.reverse {
            return self.unit.unsupported("reversed storage order", span);
        }
        let data = &record.fields[field];
        if data.is_bit_field() && self.unit.types.is_unsigned_enum(data.ty) {
            return self
                .unit
                .unsupported("bit-field of an enumeration declared together with other members", span);
        }
        let ptr = self.at(expr, |lower| Ok(lower.ptr_offset(outer.ptr, data.offset)))?;
        let natural = self.unit.types.layout(data.ty).map_or(1, |layout| layout.align);
        let align = natural.min(data.align.max(1)).min(u64::from(outer.align));
        let bits = match data.bits {
            None => None,
            Some(bits) => match Width::new(bits) {
                Some(width) => Some(Bits { first: data.bit, width }),
                None => return self.unit.unsupported("wide bit-field", span),
            },
        };
        let volatile = outer.volatile || self.unit.types.is_volatile(self.unit.tast[expr].ty);
        Ok(Place { ptr, align: u32::try_from(align).unwrap_or(1), volatile, bits })
    }

    fn subscript(&mut self, base: ExprId, index: ExprId, expr: ExprId, reach: Reach) -> Lowered<Place> {
        let span = self.unit.tast.expr_span(expr);
        let base_ty = self.unit.tast[base].ty;
        let size = self.represent(|unit| unit.types.pointee_size(base_ty), span)?;
        let (ptr, array_align) = self.subscripted(base)?;
        let index_value = self.scalar(index)?;
        let signed = self.unit.types.is_signed(self.unit.tast[index].ty);
        let bound = self.known_length(base);
        let element = self.at(expr, |lower| {
            let count = lower.as_address(index_value, signed);
            if let Some(len) = bound {
                let width = lower.address_width();
                let len = lower.address_int(len);
                let guard = match reach {
                    Reach::Element => Guard::IndexBelow(width),
                    Reach::OnePast => Guard::IndexAtMost(width),
                };
                lower.guard(guard, count, len);
            }
            let offset = lower.scaled(count, signed, size);
            Ok(lower.ptr_add(ptr, offset))
        })?;
        let place = self.place_at(element, self.unit.tast[expr].ty, expr)?;
        Ok(Place { align: place.align.min(array_align), ..place })
    }

    /// The pointer that is subscripted, and the alignment of what it points to if it is a packed array.
    fn subscripted(&mut self, base: ExprId) -> Lowered<(Value, u32)> {
        match self.unit.tast[base].kind {
            ExprKind::Convert { kind: Conversion::ArrayDecay, operand } => {
                let array = self.place(operand)?;
                Ok((array.ptr, array.align))
            }
            _ => Ok((self.scalar(base)?, u32::MAX)),
        }
    }

    /// The length of the array that an expression decayed from, where an index outside it is undefined.
    ///
    /// The last member of a struct behind a pointer is exempt: programs over-allocate such structs, and compilers
    /// bear with it. The bounds of the whole object still hold.
    fn known_length(&self, base: ExprId) -> Option<u64> {
        let ExprKind::Convert { kind: Conversion::ArrayDecay, operand } = self.unit.tast[base].kind else {
            return None;
        };
        let len = self.unit.types.array_len(self.unit.tast[operand].ty)?;
        if self.is_trailing_behind_pointer(operand) { None } else { Some(len) }
    }

    fn is_trailing_behind_pointer(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Member { base, field } => {
                let record = self.unit.types.record(self.unit.tast[base].ty);
                let is_last = record.is_some_and(|record| {
                    record.kind == rucc_types::RecordKind::Union || field as usize + 1 == record.fields.len()
                });
                is_last && (self.is_behind_pointer(base) || self.is_trailing_behind_pointer(base))
            }
            _ => false,
        }
    }

    fn is_behind_pointer(&self, expr: ExprId) -> bool {
        match self.unit.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::Deref, .. } => true,
            // An element of a declared array has neighbours; an element behind a pointer may be the only one.
            ExprKind::Subscript { base, .. } => {
                !matches!(self.unit.tast[base].kind, ExprKind::Convert { kind: Conversion::ArrayDecay, .. })
            }
            _ => false,
        }
    }

    /// Reads a scalar at a place.
    pub(super) fn read(&mut self, place: Place, ty: TypeId, span: rucc_diag::Span) -> Lowered<Value> {
        let scalar = self.scalar_ty(ty, span)?;
        Ok(match (place.bits, scalar) {
            (None, Ty::Int(w)) if !w.bits().is_power_of_two() => {
                return self.unit.unsupported("type `_BitInt`", span);
            }
            (None, _) => self.load(scalar, place.ptr, place.align, place.volatile),
            (Some(bits), Ty::Int(to)) => {
                let kind = InstKind::LoadBits { ptr: place.ptr, bit: bits.first, volatile: place.volatile };
                let value = self.emit(Ty::Int(bits.width), kind);
                let signed = self.unit.types.is_signed(ty);
                self.resize(value, to, signed)
            }
            (Some(_), _) => return self.unit.unsupported("bit-field of this type", span),
        })
    }

    /// Reads what an operator changes at a place. A volatile read stands where its lvalue does, so that it is found in
    /// the text.
    pub(super) fn read_operand(
        &mut self,
        lvalue: ExprId,
        place: Place,
        span: rucc_diag::Span,
    ) -> Lowered<Value> {
        let ty = self.unit.tast[lvalue].ty;
        match place.volatile {
            true => self.at(lvalue, |lower| lower.read(place, ty, span)),
            false => self.read(place, ty, span),
        }
    }

    /// Writes a scalar of the lvalue's type to a place and returns the value that the lvalue then has.
    pub(super) fn write(&mut self, place: Place, value: Value, ty: TypeId) -> Value {
        let Some(bits) = place.bits else {
            self.store(place.ptr, value, place.align, place.volatile);
            return value;
        };
        let Ty::Int(full) = self.body.ty(value) else { unreachable!("a bit-field should be an integer") };
        let narrow = match full.cmp(&bits.width) {
            std::cmp::Ordering::Greater => {
                self.cast(Ty::Int(bits.width), Cast::Trunc(full, bits.width), value)
            }
            _ => value,
        };
        self.emit_effect(InstKind::StoreBits { ptr: place.ptr, bit: bits.first, value: narrow });
        let signed = self.unit.types.is_signed(ty);
        self.resize(narrow, full, signed)
    }
}
