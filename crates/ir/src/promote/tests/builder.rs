//! Makes bodies in code, for those that are too big or too random to be written down.

use quipu_base::Id;
use quipu_num::{IntCmp, IntOp};

use crate::*;

/// Makes bodies out of blocks that are filled one after the other.
pub struct Builder {
    pub body: FuncBody,
    at: Block,
}

impl Builder {
    /// A body of `n_blocks` empty blocks and `n_slots` slots of four bytes.
    pub fn new(n_blocks: usize, n_slots: usize) -> Builder {
        let mut body = FuncBody::default();
        for _ in 0..n_blocks {
            let term = Terminator::Return(None);
            body.blocks.push(BlockData { params: vec![], insts: vec![], term, span: span() });
        }
        for n in 0..n_slots {
            let name = Some(format!("v{n}"));
            body.slots.push(SlotData { name, size: 4, align: 4, ty: None, span: span() });
        }
        Builder { body, at: Block::new(0) }
    }

    pub fn at(&mut self, block: usize) -> &mut Builder {
        self.at = Block::new(block);
        self
    }

    pub fn param(&mut self) -> Value {
        let param = self.body.fresh(Ty::I32);
        self.body.blocks[self.at].params.push(param);
        param
    }

    pub fn constant(&mut self, bits: u64) -> Value {
        self.body.constant(Ty::I32, ValueDef::Const(bits))
    }

    pub fn effect(&mut self, kind: InstKind) {
        self.body.blocks[self.at].insts.push(Inst { result: None, kind, span: span() });
    }

    pub fn value(&mut self, ty: Ty, kind: InstKind) -> Value {
        let result = self.body.fresh(ty);
        self.body.blocks[self.at].insts.push(Inst { result: Some(result), kind, span: span() });
        result
    }

    pub fn addr(&mut self, slot: usize) -> Value {
        self.value(Ty::Ptr, InstKind::SlotAddr(Slot::new(slot)))
    }

    pub fn load_from(&mut self, ptr: Value) -> Value {
        self.value(Ty::I32, InstKind::Load { ptr, align: 4, volatile: false })
    }

    pub fn store_to(&mut self, ptr: Value, value: Value) {
        self.effect(InstKind::Store { ptr, value, align: 4, volatile: false });
    }

    pub fn load(&mut self, slot: usize) -> Value {
        let ptr = self.addr(slot);
        self.load_from(ptr)
    }

    pub fn store(&mut self, slot: usize, value: Value) {
        let ptr = self.addr(slot);
        self.store_to(ptr, value);
    }

    pub fn store_const(&mut self, slot: usize, bits: u64) {
        let value = self.constant(bits);
        self.store(slot, value);
    }

    pub fn end(&mut self, slot: usize) {
        self.effect(InstKind::SlotEnd(Slot::new(slot)));
    }

    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.value(Ty::I32, InstKind::Int(IntOp::Add, a, b))
    }

    /// Shows a value to the outside: a number to function 0, an address to function 1.
    pub fn observe(&mut self, value: Value) {
        let observer = Func::new(usize::from(self.body.ty(value) == Ty::Ptr));
        self.effect(InstKind::Call(Callee::Direct(observer), vec![value]));
    }

    pub fn jump(&mut self, target: usize) {
        self.body.blocks[self.at].term = Terminator::Jump(Edge::to(Block::new(target)));
    }

    pub fn branch(&mut self, value: Value, then: usize, otherwise: usize) {
        let zero = self.constant(0);
        let value = self.value(Ty::BOOL, InstKind::IntCmp(IntCmp::Ne, value, zero));
        let (then, otherwise) = (Edge::to(Block::new(then)), Edge::to(Block::new(otherwise)));
        self.body.blocks[self.at].term = Terminator::Branch { value, then, otherwise, cond: None };
    }

    pub fn ret(&mut self, value: Value) {
        self.body.blocks[self.at].term = Terminator::Return(Some(value));
    }
}

pub fn span() -> Span {
    Span { file: FileId::new(0), line: 1, column: 1, end_line: 1, end_column: 1 }
}
