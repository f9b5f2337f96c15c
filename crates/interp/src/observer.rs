//! Who watches a run.

use quipu_ir::{Block, Func, Stmt};

use crate::memory::Memory;

/// Is told what a run does. All methods do nothing unless overridden; the interpreter is compiled for each
/// observer, so that what nobody watches costs nothing.
pub trait Observer {
    /// Whether [`compare`](Observer::compare) is told anything: comparisons are too frequent to ask each time.
    const COMPARES: bool = false;

    /// Whether [`result`](Observer::result) and [`memory`](Observer::memory) are told anything.
    const WATCHES_MEMORY: bool = false;

    /// A block is entered.
    #[inline(always)]
    fn block(&mut self, _func: Func, _block: Block) {}

    /// A block is left by its terminator's edge number `edge`, counted as in `Terminator::edges`.
    #[inline(always)]
    fn edge(&mut self, _func: Func, _block: Block, _edge: usize) {}

    /// A source statement starts.
    #[inline(always)]
    fn stmt(&mut self, _func: Func, _stmt: Stmt) {}

    /// A function with a body is entered.
    #[inline(always)]
    fn enter(&mut self, _func: Func) {}

    /// A function with a body returns.
    #[inline(always)]
    fn leave(&mut self, _func: Func) {}

    /// Instruction number `inst` of the block, an `IntCmp` or a `FloatCmp`, compares these bits.
    #[inline(always)]
    fn compare(&mut self, _func: Func, _block: Block, _inst: usize, _a: u64, _b: u64) {}

    /// Instruction number `inst` of the block, which makes an object, moves a pointer, reads memory or calls a
    /// function, has this result.
    #[inline(always)]
    fn result(&mut self, _func: Func, _block: Block, _inst: usize, _bits: u64) {}

    /// The memory at the start of a statement, which instruction number `inst` of the block tells.
    #[inline(always)]
    fn memory(&mut self, _func: Func, _block: Block, _inst: usize, _memory: &Memory) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// Records everything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// What happened, in order.
    pub items: Vec<TraceItem>,
}

/// One thing that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceItem {
    /// A block was entered.
    Block(Func, Block),
    /// A block was left by this edge of its terminator.
    Edge(Func, Block, usize),
    /// A statement started.
    Stmt(Func, Stmt),
    /// A function was entered.
    Enter(Func),
    /// A function returned.
    Leave(Func),
}

impl Observer for Trace {
    fn block(&mut self, func: Func, block: Block) {
        self.items.push(TraceItem::Block(func, block));
    }

    fn edge(&mut self, func: Func, block: Block, edge: usize) {
        self.items.push(TraceItem::Edge(func, block, edge));
    }

    fn stmt(&mut self, func: Func, stmt: Stmt) {
        self.items.push(TraceItem::Stmt(func, stmt));
    }

    fn enter(&mut self, func: Func) {
        self.items.push(TraceItem::Enter(func));
    }

    fn leave(&mut self, func: Func) {
        self.items.push(TraceItem::Leave(func));
    }
}
