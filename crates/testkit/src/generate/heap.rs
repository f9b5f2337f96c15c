//! Blocks that work on an array whose size is only known at run time: from `malloc`, `calloc` or `realloc`,
//! freed at the end, or from `alloca`.

use super::context::{Gen, Mode, Var};
use super::expr::{Prec, Target};
use super::lvalues::Lvalue;
use super::range::Range;
use super::types::Type;

impl Gen<'_> {
    /// Allocates, fills, uses, observes and frees an array.
    pub(super) fn heap_block(&mut self) {
        if self.frame.weight > 400 {
            return self.simple_statement();
        }
        let element = match self.rng.below(4) {
            0 => self.float_type().unwrap_or(Type::INT),
            1 if !self.records.is_empty() => Type::Record(self.rng.index(self.records.len())),
            _ => self.scalar_int_type(),
        };
        let len = self.rng.below(7) + 1;
        let name = self.local_name("h");
        let ty = element.clone().pointer();
        self.open_block();
        self.allocation(&name, &ty, &element, len);
        self.line(&format!("if ({name} != NULL) {{"));
        self.frame.indent += 1;
        self.fill(&name, &element, &len.to_string());
        self.frame.indent -= 1;
        let level = self.frame.level();
        let mut var = Var::new(name.clone(), ty, level, self.frame.own_bit());
        var.writable = false;
        var.target = Target { extent: len, level, nullable: false };
        self.frame.scopes.push(vec![var]);
        self.block_body();
        self.frame.scopes.pop();
        self.frame.indent += 1;
        self.mix_heap(&name, &element, len);
        self.line(&format!("free({name});"));
        self.frame.indent -= 1;
        self.line("}");
        self.close_block();
    }

    /// An array on the stack whose length is computed; what is relied on is the least that it can be.
    pub(super) fn alloca_block(&mut self) {
        if self.frame.weight > 400 {
            return self.simple_statement();
        }
        let element = self.scalar_int_type();
        let (name, length) = (self.local_name("h"), self.local_name("len"));
        let least = self.rng.below(3) + 1;
        let extra = self.int_expr_within(Range::new(0, 3), 1);
        self.open_block();
        self.line(&format!("int {length} = {} + {least};", extra.at(Prec::Additive)));
        let declared = self.declare(&element, &format!("*{name}"));
        self.line(&format!("{declared} = __builtin_alloca({length} * sizeof *{name});"));
        self.fill(&name, &element, &length);
        let level = self.frame.level();
        let mut var = Var::new(name.clone(), element.pointer(), level, self.frame.own_bit());
        var.writable = false;
        var.target = Target { extent: least, level, nullable: false };
        self.line("{");
        self.frame.scopes.push(vec![var]);
        self.block_body();
        self.frame.scopes.pop();
        self.line("}");
        self.mix(&format!("{name}[{length} - 1]"));
        self.close_block();
    }

    fn allocation(&mut self, name: &str, ty: &Type, element: &Type, len: u64) {
        let declared = self.declare(ty, name);
        let element = self.type_name(element);
        let pointer = self.type_name(ty);
        let call = match self.rng.below(4) {
            0 => format!("calloc({len}, sizeof *{name})"),
            1 => format!("({pointer})malloc({len} * sizeof(*{name}))"),
            2 => format!("realloc(NULL, {len} * sizeof({element}))"),
            _ => format!("malloc(sizeof({element}) * {len})"),
        };
        self.line(&format!("{declared} = {call};"));
        if self.rng.chance(15) {
            let grown = self.local_name("more");
            self.line(&format!("void *{grown} = realloc({name}, {} * sizeof *{name});", len + 2));
            self.line(&format!("{name} = {grown};"));
        }
    }

    /// Gives every element a value, each on its own.
    fn fill(&mut self, name: &str, element: &Type, len: &str) {
        let index = self.local_name("i");
        self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++)"));
        let place = self.unnamed(element);
        self.begin_full_expression();
        let value = self.with_mode(Mode::Pure, |g| g.fill_value(&place));
        self.line(&format!("    {name}[{index}] = {value};"));
        self.frame.cost += 8 * self.frame.weight;
    }

    fn fill_value(&mut self, place: &Lvalue) -> String {
        match place.ty {
            Type::Record(id) => self.record_literal(id, 1).text,
            _ => self.value_for(place, 1).arg(),
        }
    }

    fn mix_heap(&mut self, name: &str, element: &Type, len: u64) {
        let whole = Var::new(name.to_string(), element.clone().array(len), 0, 0);
        self.mix_variable(&whole);
    }
}
