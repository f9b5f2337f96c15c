//! Local declarations and their initial values.

use quipu_ir::Value;
use quipu_num::{Cast, Width};
use rucc_sema::{DeclId, DeclKind, ExprKind, InitEntry, InitList, Linkage};

use super::Lowered;
use super::function::FnLower;
use super::place::{Bits, Place};
use super::unspecified;

impl FnLower<'_, '_> {
    /// A declaration inside a function, or the object of a compound literal.
    pub(super) fn declaration(&mut self, decl: DeclId) -> Lowered<()> {
        let data = &self.unit.tast[decl];
        let span = self.unit.tast.decl_span(decl);
        match data.kind {
            DeclKind::Object => {}
            DeclKind::Function if data.body.is_some() && data.linkage == Linkage::None => {
                return self.unit.unsupported("nested function", span);
            }
            DeclKind::Function => return Ok(()),
            DeclKind::Type => return self.fix_sizes(data.ty),
        }
        self.fix_sizes(data.ty)?;
        if self.unit.is_static(decl) {
            // Entered where it is used; a value that has no representation matters only there.
            return Ok(());
        }
        if data.cleanup.is_some() {
            return self.unit.unsupported("cleanup attribute", span);
        }
        if data.register.is_some() {
            return self.unit.unsupported("register variable", span);
        }
        let slot = self.local(decl)?;
        self.own_slot(slot);
        let Some(list) = data.init else { return Ok(()) };
        let outer = self.span;
        self.span = self.unit.decl_span(decl);
        let ptr = self.slot_addr(slot);
        let (size, align) = (self.body.slots[slot].size, self.body.slots[slot].align);
        self.initialize(ptr, list, size, align, data.ty)?;
        self.span = outer;
        Ok(())
    }

    /// The lengths in a variably modified type are evaluated where it is declared, and keep these values (6.7.6.2p5,
    /// 6.7.8p3). A type that contains another one by its name finds the lengths of that as they are.
    pub(super) fn fix_sizes(&mut self, ty: rucc_types::TypeId) -> Lowered<()> {
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            if let Some(vla) = self.unit.types.variable_length(ty) {
                let length = self.unit.tast.vla_size(vla);
                if !self.evaluated.contains_key(&length) {
                    let value = self.scalar(length)?;
                    self.evaluated.insert(length, value);
                }
            }
            open.extend(self.unit.types.element(ty).or_else(|| self.unit.types.pointee(ty)));
        }
        Ok(())
    }

    fn initialize(
        &mut self,
        ptr: Value,
        list: InitList,
        size: u64,
        align: u64,
        ty: rucc_types::TypeId,
    ) -> Lowered<()> {
        let entries: Vec<InitEntry> = self.unit.tast[list].to_vec();
        let covers_all = entries.len() == 1 && self.covers(&entries[0], size);
        if self.unit.types.is_aggregate(ty) && !covers_all || entries.is_empty() {
            self.zero(ptr, size);
            for (from, to) in unspecified::gaps(self.unit, ty, &entries) {
                let dst = self.ptr_offset(ptr, from);
                self.unspecify(dst, to - from);
            }
        }
        entries.iter().try_for_each(|entry| self.entry(ptr, entry, size, align))
    }

    /// Whether an entry is a struct value that fills the whole object.
    fn covers(&self, entry: &InitEntry, size: u64) -> bool {
        let ty = self.unit.tast[entry.value].ty;
        let is_string = matches!(self.unit.tast[entry.value].kind, ExprKind::Str(_));
        !is_string
            && entry.offset == 0
            && self.unit.types.is_aggregate(ty)
            && self.unit.types.layout(ty).is_ok_and(|layout| layout.size == size)
    }

    fn entry(&mut self, base: Value, entry: &InitEntry, size: u64, align: u64) -> Lowered<()> {
        let value_ty = self.unit.tast[entry.value].ty;
        let span = self.unit.tast.expr_span(entry.value);
        if entry.reverse {
            return self.unit.unsupported("reversed storage order", span);
        }
        if let ExprKind::Str(id) = self.unit.tast[entry.value].kind
            && self.unit.types.is_aggregate(value_ty)
        {
            // Without the terminator, which the zeros underneath provide where there is room for it.
            let place = self.unit.expr_span(entry.value);
            let literal = self.unit.literal(id, place);
            let element = self.unit.tast[id].encoding.element_width(&self.unit.unit.session.target) / 8;
            let bytes = self.unit.tast[id].elements.len() as u64 * u64::from(element);
            let src = self.body.constant(quipu_ir::Ty::Ptr, quipu_ir::ValueDef::Global(literal, 0));
            let dst = self.ptr_offset(base, entry.offset);
            self.copy(dst, src, bytes.min(size.saturating_sub(entry.offset)));
            return Ok(());
        }
        if self.unit.types.is_aggregate(value_ty) {
            let dst = self.ptr_offset(base, entry.offset);
            return self.struct_into(entry.value, dst);
        }
        let value = self.scalar(entry.value)?;
        let bit = u64::from(entry.bit_offset);
        let ptr = self.ptr_offset(base, entry.offset + bit / 8);
        let natural = self.represent(|unit| unit.types.layout(value_ty), span)?.align;
        let known =
            if entry.offset == 0 { align } else { align.min(1 << entry.offset.trailing_zeros().min(16)) };
        let bits = match entry.is_bit_field() {
            false => None,
            true => match Width::new(entry.bit_width) {
                Some(width) => Some(Bits { first: (bit % 8) as u32, width }),
                None => return self.unit.unsupported("wide bit-field", span),
            },
        };
        let place = Place { ptr, align: natural.min(known) as u32, volatile: false, bits };
        self.write_entry(place, value, value_ty);
        Ok(())
    }

    fn write_entry(&mut self, place: Place, value: Value, ty: rucc_types::TypeId) {
        // The value of a bit-field of type `_Bool` has one bit already.
        let value = match (place.bits, self.body.ty(value)) {
            (Some(bits), quipu_ir::Ty::Int(w)) if w < bits.width => {
                self.cast(quipu_ir::Ty::Int(bits.width), Cast::ZExt(w, bits.width), value)
            }
            _ => value,
        };
        self.write(place, value, ty);
    }
}
