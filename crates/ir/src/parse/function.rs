//! Functions: interface, tables, blocks.

use super::lexer::Token;
use super::parser::{Failure, Parsed, Parser, read_id, read_ty};
use super::values::Values;
use crate::function::{
    Block, Body, Cond, CondData, Decision, DecisionData, DecisionKind, FuncBody, Function, NamedValue, Param,
    Slot, SlotData, Stmt, StmtData, Unsupported,
};
use crate::module::{Func, Symbol};
use crate::source_type::TypeId;

impl Parser<'_> {
    /// A function, behind the word `func`.
    pub(super) fn function(&mut self, func: Func) -> Parsed<Function> {
        let local = self.eat_word("local");
        let weak = self.eat_word("weak");
        let noreturn = self.eat_word("noreturn");
        let variadic = self.eat_word("variadic");
        let returns_struct = self.eat_word("sret");
        let name = self.declared_name(Symbol::Func(func))?;
        self.punct(b'(')?;
        let params = self.list(b')', Self::param)?;
        let ret = if self.eat(Token::Arrow) { Some(self.ty()?) } else { None };
        self.punct(b':')?;
        let ty = self.id("t")?;
        let source_name = self.source_name(&name)?;
        let span = self.span();
        let body = self.function_body(func)?;
        Ok(Function {
            name,
            source_name,
            ty,
            params,
            ret,
            returns_struct,
            variadic,
            noreturn,
            local,
            weak,
            span,
            body,
        })
    }

    fn param(&mut self) -> Parsed<Param> {
        let (name, ty) = self.labelled("a type", read_ty)?;
        let source = self.optional_id("t");
        Ok(Param { name, ty, source, elements: self.elements()? })
    }

    /// `[n]` behind a parameter.
    fn elements(&mut self) -> Parsed<Option<u64>> {
        if !self.eat_punct(b'[') {
            return Ok(None);
        }
        let elements = self.unsigned()?;
        self.punct(b']')?;
        Ok(Some(elements))
    }

    fn function_body(&mut self, func: Func) -> Parsed<Body> {
        if self.eat_word("unsupported") {
            self.punct(b'{')?;
            let reasons =
                self.list(b'}', |parser| Ok(Unsupported { what: parser.text()?, span: parser.span() }))?;
            return Ok(Body::Unsupported(reasons));
        }
        if !self.eat_punct(b'{') {
            return Ok(Body::Declared);
        }
        self.values = Values::new(self.symbols.mentions(func));
        let mut body = FuncBody::default();
        while let Token::Word(word) = self.token {
            self.body_item(&mut body, word)?;
        }
        let end = self.at;
        self.punct(b'}')?;
        self.values.finish(&mut body).map_err(|missing| Failure {
            at: missing.at.unwrap_or(end),
            message: format!("{} is defined nowhere: values are numbered without gaps", missing.value),
        })?;
        Ok(Body::Defined(Box::new(body)))
    }

    fn body_item(&mut self, body: &mut FuncBody, word: &str) -> Parsed<()> {
        if read_id::<Block>(word, "bb").is_some() {
            self.next_id("bb", body.blocks.next_id())?;
            let block = self.block()?;
            body.blocks.push(block);
        } else if read_id::<Slot>(word, "slot").is_some() {
            self.next_id("slot", body.slots.next_id())?;
            let slot = self.slot()?;
            body.slots.push(slot);
        } else if read_id::<Stmt>(word, "s").is_some() {
            self.next_id("s", body.stmts.next_id())?;
            body.stmts.push(StmtData { span: self.span() });
        } else if read_id::<Decision>(word, "d").is_some() {
            self.next_id("d", body.decisions.next_id())?;
            let decision = self.decision()?;
            body.decisions.push(decision);
        } else if read_id::<Cond>(word, "c").is_some() {
            self.next_id("c", body.conds.next_id())?;
            let cond = self.cond()?;
            body.conds.push(cond);
        } else {
            return self.table_line(body);
        }
        Ok(())
    }

    /// A name, or a line of the value table: constants, or values that nothing defines.
    fn table_line(&mut self, body: &mut FuncBody) -> Parsed<()> {
        if self.eat_word("name") {
            let named = self.named()?;
            body.names.push(named);
        } else if self.eat_word("const") {
            self.constant_entry()?;
            while self.eat_punct(b',') {
                self.constant_entry()?;
            }
        } else if self.eat_word("undefined") {
            self.definition()?;
            while self.eat_punct(b',') {
                self.definition()?;
            }
        } else {
            return self.expected("a block, an entry of a table or `}`");
        }
        Ok(())
    }

    fn named(&mut self) -> Parsed<NamedValue> {
        let block = self.id("bb")?;
        let name = self.text()?;
        let ty: Option<TypeId> = self.optional_id("t");
        self.punct(b'=')?;
        Ok(NamedValue { block, name, ty, value: self.operand()? })
    }

    fn slot(&mut self) -> Parsed<SlotData> {
        self.punct(b'=')?;
        let name = self.optional_text()?;
        let ty: Option<TypeId> = self.optional_id("t");
        self.keyword("size")?;
        let size = self.unsigned()?;
        self.keyword("align")?;
        let align = self.unsigned()?;
        Ok(SlotData { name, size, align, ty, span: self.span() })
    }

    fn decision(&mut self) -> Parsed<DecisionData> {
        self.punct(b'=')?;
        let kind = self.word("a kind of decision", |word| {
            DecisionKind::ALL.iter().find(|(_, name)| *name == word).map(|(kind, _)| *kind)
        })?;
        let text = self.text()?;
        Ok(DecisionData { kind, span: self.span(), text })
    }

    fn cond(&mut self) -> Parsed<CondData> {
        self.punct(b'=')?;
        let decision = self.id("d")?;
        let text = self.text()?;
        let constant = if self.eat_word("always") { Some(self.bool()?) } else { None };
        Ok(CondData { decision, span: self.span(), text, constant })
    }
}
