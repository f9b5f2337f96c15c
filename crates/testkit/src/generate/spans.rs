//! Functions on two stretches of memory that may be the same or overlap, and blocks that call them with pointers into
//! one array or into two, on the stack or on the heap.
//!
//! Both pointers of such a function have at least [`SPAN`] elements in front of them. What a write through one of them
//! does to reads through the other shows whether both sides agree on aliasing.

use super::context::{Frame, Gen};

/// The number of elements that can be relied on.
const SPAN: u64 = 4;

/// The functions of a program on two pointers.
pub struct Spans {
    /// The type of the elements.
    element: &'static str,
    /// `ELEMENT *function(ELEMENT *p, ELEMENT *q, unsigned n)`, where p and q are not null.
    functions: Vec<String>,
}

impl Gen<'_> {
    /// Defines the functions.
    pub(super) fn declare_spans(&mut self) {
        if !self.features.pointers {
            return;
        }
        let element = *self.rng.pick(&["unsigned", "unsigned char", "unsigned short", "unsigned long"]);
        let n_functions = self.rng.below(2) + 1;
        let functions = (0..n_functions).map(|_| self.define_on_span(element)).collect();
        self.spans = Some(Spans { element, functions });
    }

    /// A block that calls such functions with pointers that overlap, or do not.
    pub(super) fn span_block(&mut self) {
        let Some(Spans { element, functions }) = self.spans.as_ref() else { return self.simple_statement() };
        if self.frame.weight > 50 {
            return self.simple_statement();
        }
        let (element, functions) = (*element, functions.clone());
        let (array, index, result) = (self.local_name("x"), self.local_name("i"), self.local_name("r"));
        let (len, factor) = (SPAN + self.rng.below(6), self.rng.below(100));
        let on_heap = self.features.heap && self.rng.chance(40);
        self.open_block();
        let number = self.declare_number(6);
        self.line(&if on_heap {
            format!("{element} *{array} = malloc({len} * sizeof *{array});")
        } else {
            format!("{element} {array}[{len}];")
        });
        self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++)"));
        self.line(&format!("    {array}[{index}] = {index} * {factor} + {number};"));
        self.line(&format!("{element} *{result};"));
        for _ in 0..self.rng.between(1, 3) {
            let (p, q) = (self.rng.below(len - SPAN + 1), self.rng.below(len - SPAN + 1));
            let function = self.rng.pick(&functions).clone();
            self.line(&format!("{result} = {function}({array} + {p}, &{array}[{q}], {number});"));
            self.mix(&format!("{result} - {array}"));
            self.mix(&format!("*{result}"));
        }
        self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++)"));
        self.frame.indent += 1;
        self.mix(&format!("{array}[{index}]"));
        self.frame.indent -= 1;
        if on_heap {
            self.line(&format!("free({array});"));
        }
        self.close_block();
        self.frame.cost += 60 * self.frame.weight;
    }

    fn define_on_span(&mut self, element: &str) -> String {
        let name = self.global_name("span");
        self.frame = Frame::new(None, 0);
        for _ in 0..self.rng.between(3, 8) {
            self.begin_full_expression();
            self.span_step(element);
        }
        let result = *self.rng.pick(&["p", "q", "p + n % 4", "&q[(n + 1) % 4]"]);
        self.line(&format!("return {result};"));
        self.write_function(&format!("static {element} *{name}({element} *p, {element} *q, unsigned n)"));
        name
    }

    fn span_step(&mut self, element: &str) {
        let (p, q) = *self.rng.pick(&[("p", "q"), ("q", "p")]);
        let (i, j) = (self.span_index(), self.span_index());
        match self.rng.below(11) {
            0 | 1 => self.line(&format!("{p}[{i}] = {q}[{j}];")),
            2 => self.line(&format!("*({p} + {i}) += {q}[{j}] + 1;")),
            3 => self.line(&format!("if ({p}[{i}] > {q}[{j}]) {p} = {q};")),
            4 => self.line(&format!("{{ {element} *t = {p}; {p} = {q}; {q} = t; }}")),
            5 => self.mix(&format!("{p} == {q}")),
            6 => {
                self.line(&format!("for ({element} *at = {p}, *end = {p} + {SPAN}; at != end; at++)"));
                self.line(&format!("    *at ^= {q}[{j}];"));
            }
            7 => self.line(&format!("((unsigned char *){p})[n % {SPAN}] ^= {q}[{j}];")),
            8 => {
                self.line("{");
                self.line(&format!("    {element} *from = {p} + n % {SPAN}, *to = {p} + {SPAN};"));
                self.line(&format!("    while (from < to && *from != {q}[{j}]) from++;"));
                self.mix("to - from");
                self.line("    if (from != to) *from = n;");
                self.line("}");
            }
            9 if self.features.library => self.line(&format!("memmove({p} + n % 2, {q}, 2 * sizeof *{p});")),
            _ => self.line(&format!("{{ {element} t = {p}[{i}]; {p}[{i}] = {q}[{j}]; {q}[{j}] = t; }}")),
        }
    }

    /// An index within the span or, rarely and if undefined behaviour is wanted, one that may leave the array.
    fn span_index(&mut self) -> String {
        match self.rng.below(3) {
            _ if self.leave_unguarded(4) => "n".to_string(),
            0 => self.rng.below(SPAN).to_string(),
            1 => format!("n % {SPAN}"),
            _ => format!("(n + {}) % {SPAN}", self.rng.below(SPAN)),
        }
    }
}
