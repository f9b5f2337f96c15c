//! Functions, their tables and their blocks.

use quipu_base::{Id, IdVec};

use super::{Printer, atoms};
use crate::function::{
    Block, BlockData, Body, FuncBody, Function, NamedValue, Param, SlotData, Value, ValueDef,
};
use crate::module::Symbol;
use crate::ty::Ty;

/// A `const` line ends behind the first constant that reaches this column.
const CONST_LINE: usize = 90;

impl Printer<'_> {
    pub(super) fn function(&mut self, function: &Function) {
        self.out.push_str("func ");
        self.flag(function.local, "local ");
        self.flag(function.weak, "weak ");
        self.flag(function.noreturn, "noreturn ");
        self.flag(function.variadic, "variadic ");
        self.flag(function.returns_struct, "sret ");
        atoms::push_symbol(&mut self.out, &function.name);
        self.out.push('(');
        self.list(&function.params, Self::param);
        self.out.push(')');
        if let Some(ret) = function.ret {
            self.put(format_args!(" -> {ret}"));
        }
        self.put(format_args!(" : {}", function.ty));
        self.source_name(&function.source_name, &function.name);
        self.span(function.span);
        match &function.body {
            Body::Declared => {}
            Body::Unsupported(reasons) => {
                self.out.push_str(" unsupported ");
                self.braced(reasons, |printer, reason| {
                    atoms::push_text(&mut printer.out, &reason.what);
                    printer.span(reason.span);
                });
            }
            Body::Defined(body) => self.body(body),
        }
        self.out.push('\n');
    }

    fn param(&mut self, param: &Param) {
        self.optional_label(param.name.as_deref());
        self.put(format_args!("{}", param.ty));
        if let Some(source) = param.source {
            self.put(format_args!(" {source}"));
        }
        if let Some(elements) = param.elements {
            self.put(format_args!("[{elements}]"));
        }
    }

    fn body(&mut self, body: &FuncBody) {
        self.out.push_str(" {\n");
        self.value_table(body);
        for (slot, data) in body.slots.entries() {
            self.put(format_args!("  {slot} = "));
            self.slot(data);
        }
        for (stmt, data) in body.stmts.entries() {
            self.put(format_args!("  {stmt}"));
            self.span(data.span);
            self.out.push('\n');
        }
        for (decision, data) in body.decisions.entries() {
            self.put(format_args!("  {decision} = {} ", data.kind.name()));
            atoms::push_text(&mut self.out, &data.text);
            self.span(data.span);
            self.out.push('\n');
        }
        for (cond, data) in body.conds.entries() {
            self.put(format_args!("  {cond} = {} ", data.decision));
            atoms::push_text(&mut self.out, &data.text);
            if let Some(constant) = data.constant {
                self.put(format_args!(" always {constant}"));
            }
            self.span(data.span);
            self.out.push('\n');
        }
        for named in &body.names {
            self.named(body, named);
        }
        for (block, data) in body.blocks.entries() {
            self.block(body, block, data);
        }
        self.out.push('}');
    }

    fn slot(&mut self, slot: &SlotData) {
        self.optional_text(slot.name.as_deref());
        if let Some(ty) = slot.ty {
            self.put(format_args!("{ty} "));
        }
        self.put(format_args!("size {} align {}", slot.size, slot.align));
        self.span(slot.span);
        self.out.push('\n');
    }

    fn named(&mut self, body: &FuncBody, named: &NamedValue) {
        self.put(format_args!("  name {} ", named.block));
        atoms::push_text(&mut self.out, &named.name);
        if let Some(ty) = named.ty {
            self.put(format_args!(" {ty}"));
        }
        self.out.push_str(" = ");
        self.operand(body, named.value);
        self.out.push('\n');
    }

    fn block(&mut self, body: &FuncBody, block: Block, data: &BlockData) {
        self.put(format_args!("{block}"));
        if !data.params.is_empty() {
            self.out.push('(');
            self.list(&data.params, |printer, &param| printer.definition(body, param));
            self.out.push(')');
        }
        self.out.push_str(":\n");
        for inst in &data.insts {
            self.out.push_str("  ");
            self.inst(body, inst);
            self.out.push('\n');
        }
        self.out.push_str("  ");
        self.terminator(body, &data.term);
        self.span(data.span);
        self.out.push('\n');
    }

    /// `%n: type` where a value is defined.
    pub(super) fn definition(&mut self, body: &FuncBody, value: Value) {
        match body.values.get(value) {
            Some(data) => self.put(format_args!("{value}: {}", data.ty)),
            None => self.put(format_args!("{value}: ?")),
        }
    }

    /// A value where it is used: its number, or what it is if it is a constant.
    pub(super) fn operand(&mut self, body: &FuncBody, value: Value) {
        match body.values.get(value) {
            Some(data) if data.def != ValueDef::Computed => self.constant(data.ty, data.def),
            _ => self.put(format_args!("{value}")),
        }
    }

    fn constant(&mut self, ty: Ty, def: ValueDef) {
        let (symbol, offset) = match def {
            ValueDef::Const(bits) => return atoms::push_number(&mut self.out, ty, bits),
            ValueDef::Global(global, offset) => (Symbol::Global(global), offset),
            ValueDef::Func(func) => (Symbol::Func(func), 0),
            ValueDef::Computed => unreachable!("only constants should be printed by content"),
        };
        if ty != Ty::Ptr {
            self.put(format_args!("{ty} "));
        }
        self.address(symbol, offset);
    }

    /// The part of the value table that the blocks do not tell: where the constants are, unless the parser
    /// would put them there anyway, and values that nothing defines.
    fn value_table(&mut self, body: &FuncBody) {
        let is_constant = |value: &Value| body.values[*value].def != ValueDef::Computed;
        let defined = defined_values(body);
        if !constants_are_implied(body, &defined) {
            self.value_lines("const", body.values.ids().filter(is_constant), |printer, value| {
                printer.put(format_args!("{value} = "));
                printer.operand(body, value);
            });
        }
        let undefined = body.values.ids().filter(|value| !is_constant(value) && !defined[*value]);
        self.value_lines("undefined", undefined, |printer, value| printer.definition(body, value));
    }

    fn value_lines(
        &mut self,
        keyword: &str,
        values: impl Iterator<Item = Value>,
        mut item: impl FnMut(&mut Self, Value),
    ) {
        let mut line_start = None;
        for value in values {
            match line_start {
                Some(start) if self.out.len() - start < CONST_LINE => self.out.push_str(", "),
                _ => {
                    self.flag(line_start.is_some(), "\n");
                    line_start = Some(self.out.len());
                    self.put(format_args!("  {keyword} "));
                }
            }
            item(self, value);
        }
        self.flag(line_start.is_some(), "\n");
    }
}

/// Whether the constants stand behind all other values in the order in which the text mentions them first,
/// which is where the parser puts those that no `const` line lists.
fn constants_are_implied(body: &FuncBody, defined: &IdVec<Value, bool>) -> bool {
    let is_constant = |value: Value| body.values.get(value).is_some_and(|v| v.def != ValueDef::Computed);
    let mut next = body.values.ids().take_while(|&value| !is_constant(value)).count();
    let mut implied = true;
    for (_, value) in body.blocks.iter().flat_map(BlockData::uses) {
        if is_constant(value) && value.index() >= next {
            implied &= value.index() == next && !defined[value];
            next += 1;
        }
    }
    implied && next == body.values.len()
}

fn defined_values(body: &FuncBody) -> IdVec<Value, bool> {
    let mut defined = IdVec::filled(false, body.values.len());
    for block in body.blocks.iter() {
        let results = block.insts.iter().filter_map(|inst| inst.result);
        for value in block.params.iter().copied().chain(results) {
            if body.values.get(value).is_some() {
                defined[value] = true;
            }
        }
    }
    defined
}
