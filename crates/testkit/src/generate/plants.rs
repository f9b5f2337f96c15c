//! Planted undefined behaviour of memory and arithmetic, one operation per line.
//!
//! Each plant may or may not go wrong, depending on the program's data.

use super::context::{Gen, Mode, Var};
use super::types::{IntKind, Type};

impl Gen<'_> {
    /// One plant in a block of its own.
    pub(super) fn plant(&mut self) {
        self.open_block();
        match self.rng.below(9) {
            0 | 1 => self.plant_index(),
            2 => self.plant_null(),
            3 => self.plant_heap_index(),
            4 => self.plant_freed(),
            5 => self.plant_scope(),
            6 => self.plant_division(),
            7 => self.plant_shift(),
            _ => self.plant_conversion(),
        }
        self.close_block();
    }

    /// `0 <= n < limit`, from the program's data.
    fn small_number(&mut self, limit: u64) -> String {
        let any = self.with_mode(Mode::Pure, |g| g.int_expr(1));
        self.frame.unguarded = true;
        format!("(int)((unsigned long){} % {limit})", any.unary_operand())
    }

    /// A variable with such a number.
    pub(super) fn declare_number(&mut self, limit: u64) -> String {
        let name = self.local_name("k");
        let number = self.small_number(limit);
        self.line(&format!("int {name} = {number};"));
        name
    }

    /// Only whole arrays: sanitizers do not see a pointer leave one member for the next.
    fn plant_index(&mut self) {
        let flat = |var: &Var| match &var.ty {
            Type::Array(element, _) => matches!(**element, Type::Int(_)),
            _ => false,
        };
        let Some(array) = self.pick_var(flat) else { return self.plant_division() };
        let Type::Array(element, len) = array.ty.clone() else { return };
        let index = self.declare_number(len + 3);
        let (name, element) = (array.name, element.int_kind().map_or("int", IntKind::name));
        if self.rng.chance(40) {
            let pointer = self.local_name("p");
            self.line(&format!("const {element} *{pointer} = {name};"));
            self.line(&format!("{pointer} = {pointer} + 1;"));
            self.mix(&format!("{pointer}[{index} - 1]"));
        } else if self.rng.chance(40) && array.writable && array.range.is_none() {
            self.line(&format!("{name}[{index}] = 1;"));
        } else {
            self.mix(&format!("{name}[{index}]"));
        }
    }

    fn plant_null(&mut self) {
        let (object, pointer) = (self.local_name("o"), self.local_name("p"));
        let choice = self.declare_number(3);
        self.line(&format!("long {object} = 5;"));
        self.line(&format!("long *{pointer} = {choice} ? &{object} : NULL;"));
        if self.rng.chance(50) {
            self.line(&format!("*{pointer} = 7;"));
        } else {
            self.mix(&format!("*{pointer}"));
        }
    }

    fn plant_heap_index(&mut self) {
        let heap = self.local_name("h");
        let len = self.rng.below(5) + 1;
        let index = self.declare_number(len + 2);
        self.line(&format!("int *{heap} = calloc({len}, sizeof(int));"));
        if self.rng.chance(50) {
            self.line(&format!("{heap}[{index}] = 3;"));
        } else {
            self.mix(&format!("*({heap} + {index})"));
        }
        self.line(&format!("free({heap});"));
    }

    /// Use after `free`, a second `free`, or `free` of something else.
    fn plant_freed(&mut self) {
        let heap = self.local_name("h");
        let choice = self.declare_number(3);
        self.line(&format!("char *{heap} = calloc(8, 1);"));
        self.line(&format!("if ({choice} > 0) free({heap});"));
        match self.rng.below(4) {
            0 => self.mix(&format!("{heap}[2]")),
            1 => self.line(&format!("{heap}[7] = 'x';")),
            2 => self.line(&format!("free({heap});")),
            _ => {
                self.line(&format!("{heap} = {choice} ? calloc(4, 1) : {heap};"));
                self.line(&format!("free({heap} + {choice});"));
            }
        }
    }

    fn plant_scope(&mut self) {
        let (outer, inner, pointer) = (self.local_name("o"), self.local_name("o"), self.local_name("p"));
        let choice = self.declare_number(3);
        self.line(&format!("int {outer} = 11;"));
        self.line(&format!("int *{pointer} = &{outer};"));
        self.line("{");
        self.line(&format!("    int {inner} = 12;"));
        self.line(&format!("    if ({choice}) {pointer} = &{inner};"));
        self.line(&format!("    *{pointer} += 1;"));
        self.line("}");
        self.mix(&format!("*{pointer}"));
    }

    fn plant_division(&mut self) {
        let divisor = self.declare_number(4);
        let (name, kind) = *self.rng.pick(&[("int", IntKind::Int), ("long", IntKind::Long)]);
        let value = self.local_name("m");
        let least = Self::decimal(kind.range().lo);
        self.line(&format!("{name} {value} = {least};"));
        let sign = *self.rng.pick(&["/", "%"]);
        self.mix(&format!("{value} {sign} ({divisor} - 1)"));
    }

    fn plant_shift(&mut self) {
        let amount = self.declare_number(40);
        let value = *self.rng.pick(&["1", "-1", "1u", "(short)3", "1L", "0x7fffffff"]);
        let sign = *self.rng.pick(&["<<", ">>"]);
        let shift = if self.rng.chance(30) { format!("({amount} - 2)") } else { amount };
        self.mix(&format!("{value} {sign} {shift}"));
    }

    fn plant_conversion(&mut self) {
        let number = self.declare_number(9);
        let kind = *self.rng.pick(&IntKind::ALL[1..]);
        let scale = *self.rng.pick(&["-1.5", "1e2", "1e5", "1e9", "-1e18", "1e19", "1e30", "1e308"]);
        let value = self.local_name("x");
        self.line(&format!("double {value} = {number} * {scale};"));
        self.mix(&format!("({}){value}", kind.name()));
    }
}
