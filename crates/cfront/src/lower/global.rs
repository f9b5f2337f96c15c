//! The initial values of objects with static storage duration, as bytes and addresses.

use quipu_ir::{Init, Reloc, Symbol, Ty};
use rucc_sema::{Base, Const, Conversion, DeclKind, Eval, ExprId, ExprKind, InitEntry, InitList};

use super::Lowered;
use super::unit::UnitLower;

/// The bytes of an object under construction.
struct Image {
    bytes: Vec<u8>,
    size: u64,
    relocs: Vec<Reloc>,
}

impl Image {
    /// Writes bits from the least significant, growing the image up to the object's size.
    fn put_bits(&mut self, bit: u64, width: u32, value: u64) {
        for n in 0..u64::from(width) {
            let at = bit + n;
            if at / 8 >= self.size {
                return;
            }
            let byte = (at / 8) as usize;
            if byte >= self.bytes.len() {
                self.bytes.resize(byte + 1, 0);
            }
            let mask = 1u8 << (at % 8);
            self.bytes[byte] =
                if (value >> n) & 1 == 1 { self.bytes[byte] | mask } else { self.bytes[byte] & !mask };
        }
    }

    fn put_bytes(&mut self, offset: u64, bytes: &[u8]) {
        self.relocs.retain(|reloc| reloc.offset < offset || reloc.offset >= offset + bytes.len() as u64);
        let end = (offset + bytes.len() as u64).min(self.size) as usize;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        let start = (offset as usize).min(end);
        self.bytes[start..end].copy_from_slice(&bytes[..end - start]);
    }

    fn finish(mut self) -> Init {
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.relocs.sort_by_key(|reloc| reloc.offset);
        Init::Data { bytes: self.bytes, relocs: self.relocs }
    }
}

impl UnitLower<'_> {
    /// The initial value of an object of `size` bytes.
    pub(super) fn static_init(&mut self, list: InitList, size: u64) -> Lowered<Init> {
        let mut image = Image { bytes: Vec::new(), size, relocs: Vec::new() };
        self.fill(list, 0, &mut image)?;
        Ok(image.finish())
    }

    fn fill(&mut self, list: InitList, base: u64, image: &mut Image) -> Lowered<()> {
        for entry in &self.tast[list] {
            self.fill_entry(entry, base, image)?;
        }
        Ok(())
    }

    fn fill_entry(&mut self, entry: &InitEntry, base: u64, image: &mut Image) -> Lowered<()> {
        let span = self.tast.expr_span(entry.value);
        let offset = base + entry.offset;
        if entry.reverse {
            return self.unsupported("reversed storage order", span);
        }
        match self.tast[entry.value].kind {
            ExprKind::Str(id) if self.types.is_aggregate(self.tast[entry.value].ty) => {
                let bytes = self.tast[id].bytes(&self.unit.session.target);
                // The terminator is not written: it may lie outside the array, and the object starts as zeros.
                let width =
                    self.types.layout(self.tast[entry.value].ty).map_or(1, |layout| layout.align as usize);
                image.put_bytes(offset, &bytes[..bytes.len() - width]);
                return Ok(());
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand }
                if self.types.is_aggregate(self.tast[operand].ty) =>
            {
                return self.fill_aggregate(operand, offset, image);
            }
            ExprKind::CompoundLiteral(_) => return self.fill_aggregate(entry.value, offset, image),
            _ => {}
        }
        let constant =
            Eval::new(self.tast, &self.unit.types, &self.unit.session.target, &self.unit.session.interner)
                .objects(true)
                .initializer(entry.value);
        let Ok(constant) = constant else {
            return self.unsupported("initial value that is not a constant expression", span);
        };
        self.fill_constant(constant, entry, offset, image)
    }

    /// A compound literal, or an object whose own initial value is known, stands for its content.
    fn fill_aggregate(&mut self, expr: ExprId, offset: u64, image: &mut Image) -> Lowered<()> {
        let (ExprKind::CompoundLiteral(decl) | ExprKind::Decl(decl)) = self.tast[expr].kind else {
            return self.unsupported("initial value of a struct", self.tast.expr_span(expr));
        };
        match self.tast[decl].init {
            Some(list) => self.fill(list, offset, image),
            None => self.unsupported("initial value of a struct", self.tast.expr_span(expr)),
        }
    }

    fn fill_constant(
        &mut self,
        constant: Const,
        entry: &InitEntry,
        offset: u64,
        image: &mut Image,
    ) -> Lowered<()> {
        let span = self.tast.expr_span(entry.value);
        let ty = match self.types.scalar(self.tast[entry.value].ty) {
            Ok(ty) => ty,
            Err(what) => return self.unsupported(what, span),
        };
        if entry.is_bit_field() {
            let Const::Int(value) = constant else {
                return self.unsupported("initial value of a bit-field", span);
            };
            image.put_bits(offset * 8 + u64::from(entry.bit_offset), entry.bit_width, value as u64);
            return Ok(());
        }
        let size = self.linker.data_model.size_of(ty) as usize;
        let bits = match constant {
            Const::Int(value) => value as u64,
            Const::Float(value) => value.to_bits() as u64,
            Const::Address(address) => return self.fill_address(address, ty, offset, span, image),
            // Labels are numbered, so that their distance is a number too.
            Const::Apart { to, from } => label_number(to).wrapping_sub(label_number(from)),
            Const::Complex { .. } | Const::ComplexInt { .. } => {
                return self.unsupported("complex number", span);
            }
        };
        image.put_bytes(offset, &bits.to_le_bytes()[..size]);
        Ok(())
    }

    fn fill_address(
        &mut self,
        address: rucc_sema::Address,
        ty: Ty,
        offset: u64,
        span: rucc_diag::Span,
        image: &mut Image,
    ) -> Lowered<()> {
        let size = self.linker.data_model.size_of(ty);
        let Ok(addend) = i64::try_from(address.offset) else {
            return self.unsupported("address constant", span);
        };
        let symbol = match address.base {
            Base::Absolute => {
                image.put_bytes(offset, &addend.to_le_bytes()[..size as usize]);
                return Ok(());
            }
            Base::Label(label) => {
                image.put_bytes(offset, &label_number(label).to_le_bytes()[..size as usize]);
                return Ok(());
            }
            Base::Decl(decl) if self.tast[decl].kind == DeclKind::Function => {
                Symbol::Func(self.function(decl))
            }
            Base::Decl(decl) => Symbol::Global(self.object(decl)?),
            Base::Str(id) => {
                let place = self.span(span);
                Symbol::Global(self.literal(id, place))
            }
        };
        if size != self.linker.data_model.pointer_size() {
            return self.unsupported("address stored in a narrower integer", span);
        }
        image.put_bytes(offset, &vec![0; size as usize]);
        image.relocs.push(Reloc { offset, symbol, addend });
        Ok(())
    }
}

/// The number that stands for a label's address. It is no object's address.
pub(super) fn label_number(label: rucc_sema::LabelId) -> u64 {
    label.index() as u64 + 1
}
