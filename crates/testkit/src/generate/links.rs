//! Linked nodes: functions that edit lists through pointers, and blocks that build lists of locals or of allocated
//! nodes, hand them to these functions, observe them and free them.
//!
//! Edits make lists cyclic and let them share nodes. Nevertheless every program ends, because each loop over a list
//! has a bound, and unless undefined behaviour is wanted every pointer is tested before it is followed.

use super::context::{Frame, Gen};

/// The longest way along a list that a loop goes.
const LONGEST_WALK: u32 = 9;

/// The node type of a program and the functions on it.
pub struct Links {
    /// The type, as in a declaration.
    node: String,
    /// `NODE *editor(NODE *head, NODE *given, unsigned n)`.
    editors: Vec<String>,
    /// `void walker(const NODE *at)`, which observes a list.
    walker: String,
}

/// Where the nodes of a block live.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Stack,
    Heap,
}

impl Gen<'_> {
    /// Declares the node type and its functions.
    pub(super) fn declare_links(&mut self) {
        if !self.features.links {
            return;
        }
        let node = format!("struct {}", self.global_name("node"));
        let mut members = vec![
            format!(
                "{} value;",
                self.rng.pick(&["unsigned", "unsigned char", "unsigned short", "unsigned long"])
            ),
            "union { unsigned whole; unsigned short half[2]; unsigned char byte[4]; } bits;".to_string(),
            format!("{node} *next;"),
            format!("{node} *other;"),
        ];
        self.shuffle(&mut members);
        self.sections.types.push_str(&format!("{node} {{\n    {}\n}};\n", members.join("\n    ")));
        let walker = self.define_walker(&node);
        let n_editors = self.rng.below(3) + 1;
        let editors = (0..n_editors).map(|_| self.define_editor(&node)).collect();
        self.links = Some(Links { node, editors, walker });
    }

    /// A block that builds a list, edits it and observes it.
    pub(super) fn linked_block(&mut self) {
        let Some(Links { node, editors, walker }) = self.links.as_ref() else {
            return self.simple_statement();
        };
        if self.frame.weight > 50 {
            return self.simple_statement();
        }
        let (node, editors, walker) = (node.clone(), editors.clone(), walker.clone());
        let home =
            *self.rng.pick(&if self.features.heap { [Home::Stack, Home::Heap] } else { [Home::Stack; 2] });
        let len = self.rng.below(4) + 2;
        let first = self.rng.below(len);
        let (all, head) = (self.local_name("all"), self.local_name("head"));
        self.open_block();
        let number = self.declare_number(6);
        self.build_list(&node, &all, home, len, &number);
        self.line(&format!("{node} *{head} = {all}[{first}];"));
        for _ in 0..self.rng.between(1, 3) {
            let (editor, given) = (self.rng.pick(&editors).clone(), self.rng.below(len));
            self.line(&format!("{head} = {editor}({head}, {all}[{given}], {number});"));
            self.line(&format!("{walker}({head});"));
        }
        self.begin_full_expression();
        if self.leave_unguarded(25) {
            self.plant_in_list(&all, &head, home, len, &number);
        }
        if home == Home::Heap {
            let index = self.local_name("i");
            self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++)"));
            self.line(&format!("    free({all}[{index}]);"));
        }
        self.close_block();
        self.frame.cost += 60 * self.frame.weight;
    }

    /// Nodes with values and links that depend on a number of the program: a list, a ring, or a list from behind.
    fn build_list(&mut self, node: &str, all: &str, home: Home, len: u64, number: &str) {
        let index = self.local_name("i");
        self.line(&format!("{node} *{all}[{len}];"));
        if home == Home::Stack {
            let nodes = self.local_name("nodes");
            self.line(&format!("{node} {nodes}[{len}];"));
            self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++)"));
            self.line(&format!("    {all}[{index}] = &{nodes}[{index}];"));
        } else {
            self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++)"));
            self.line(&format!("    {all}[{index}] = malloc(sizeof({node}));"));
        }
        let next = match self.rng.below(3) {
            0 => format!("{index} + 1 < {len} ? {all}[{index} + 1] : NULL"),
            1 => format!("{all}[({index} + 1) % {len}]"),
            _ => format!("{index} > 0 ? {all}[{index} - 1] : NULL"),
        };
        let (factor, step) = (self.rng.below(200), self.rng.below(len));
        self.line(&format!("for (int {index} = 0; {index} < {len}; {index}++) {{"));
        self.line(&format!("    {all}[{index}]->value = {index} * {factor} + {number};"));
        self.line(&format!("    {all}[{index}]->bits.whole = 0x01020304u * ({index} + 1);"));
        self.line(&format!("    {all}[{index}]->next = {next};"));
        self.line(&format!("    {all}[{index}]->other = {number} > {step} ? {all}[{step}] : NULL;"));
        self.line("}");
    }

    /// An access that may go wrong, depending on the number.
    fn plant_in_list(&mut self, all: &str, head: &str, home: Home, len: u64, number: &str) {
        let which = self.rng.below(len);
        match self.rng.below(3) {
            0 if home == Home::Heap => {
                self.line(&format!("if ({number} == 1) free({all}[{which}]);"));
                self.mix(&format!("{all}[{which}]->value"));
            }
            1 if home == Home::Heap => self.line(&format!("if ({number} == 2) free({all}[{which}]);")),
            2 => self.mix(&format!("{all}[{number}]->value")),
            _ => {
                self.line(&format!("{head} = {number} > 1 ? {all}[{which}] : NULL;"));
                self.line(&format!("{head}->value = 7;"));
            }
        }
    }

    fn define_walker(&mut self, node: &str) -> String {
        let (name, hash) = (self.global_name("walk"), self.hash_name());
        self.frame = Frame::new(None, 0);
        self.line(&format!("for (int i = 0; at && i < {LONGEST_WALK}; i++) {{"));
        self.line(&format!("    {hash} = qk_mix({hash}, at->value);"));
        self.line(&format!("    {hash} = qk_mix({hash}, at->bits.whole);"));
        let sideways =
            if self.rng.chance(40) { "i % 3 == 2 && at->other ? at->other : at->next" } else { "at->next" };
        self.line(&format!("    at = {sideways};"));
        self.line("}");
        self.mix("at != NULL");
        self.write_function(&format!("static void {name}(const {node} *at)"));
        name
    }

    fn define_editor(&mut self, node: &str) -> String {
        let name = self.global_name("edit");
        self.frame = Frame::new(None, 0);
        self.line(&format!("{node} *a = head;"));
        self.line(&format!("{node} *b = given;"));
        for _ in 0..self.rng.between(3, 9) {
            self.begin_full_expression();
            self.edit(node);
        }
        let result = *self.rng.pick(&["head", "a", "b"]);
        self.line(&format!("return {result};"));
        self.write_function(&format!("static {node} *{name}({node} *head, {node} *given, unsigned n)"));
        name
    }

    /// One edit through the pointers of an editor.
    fn edit(&mut self, node: &str) {
        let (p, q) = *self.rng.pick(&[("a", "b"), ("b", "a"), ("a", "head"), ("head", "b"), ("b", "given")]);
        let link = *self.rng.pick(&["next", "next", "other"]);
        match self.rng.below(15) {
            0 | 1 => self.guarded(p, &format!("{p} = {p}->{link};")),
            2 => self.guarded(p, &format!("{p}->{link} = {q};")),
            3 => self.guarded(p, &format!("{p}->value += n * 3 + 1;")),
            4 => self.guarded(p, &format!("{p}->bits.byte[n % 4] ^= {p}->value;")),
            5 => self.line(&format!("if ({p} && {q}) *{p} = *{q};")),
            6 => self.line(&format!("if ({p} && {q}) {{ {node} t = *{p}; *{p} = *{q}; *{q} = t; }}")),
            7 => self.mix(&format!("{p} == {q}")),
            8 => self.through_a_member(p, q),
            9 => self.unlink(node, link),
            10 => self.reverse(node),
            11 => self.line(&format!("if ({p} && {q}) {{ {q}->{link} = {p}->{link}; {p}->{link} = {q}; }}")),
            12 => self.line(&format!("if ({p} && {p}->value > n) {p} = {q};")),
            13 => self.line(&format!("{{ {node} *t = {p}; {p} = {q}; {q} = t; }}")),
            _ => self.back_to_node(node, p),
        }
    }

    /// A statement that follows a pointer, behind a test of it or, rarely, not.
    fn guarded(&mut self, pointer: &str, statement: &str) {
        let unguarded = self.leave_unguarded(8);
        self.line(&if unguarded { statement.to_string() } else { format!("if ({pointer}) {statement}") });
    }

    fn through_a_member(&mut self, p: &str, q: &str) {
        self.line(&format!("if ({p}) {{"));
        self.line(&format!("    unsigned *whole = {q} ? &{q}->bits.whole : &{p}->bits.whole;"));
        self.line(&format!("    *whole += {p}->bits.half[n % 2];"));
        self.line("}");
    }

    /// Takes a node out of the list at `head`, by a pointer to the pointer to it.
    fn unlink(&mut self, node: &str, link: &str) {
        self.line("{");
        self.line(&format!("    {node} **at = &head;"));
        self.line(&format!("    for (unsigned i = 0; *at && i < n % 4; i++) at = &(*at)->{link};"));
        self.line(&format!("    if (*at) *at = (*at)->{link};"));
        self.line("}");
    }

    fn reverse(&mut self, node: &str) {
        self.line("a = NULL;");
        self.line(&format!("for (int i = 0; head && i < {LONGEST_WALK}; i++) {{"));
        self.line(&format!("    {node} *rest = head->next;"));
        self.line("    head->next = a;");
        self.line("    a = head;");
        self.line("    head = rest;");
        self.line("}");
        self.line("head = a;");
    }

    /// From the address of a member back to its node.
    fn back_to_node(&mut self, node: &str, p: &str) {
        self.line(&format!("if ({p}) {{"));
        self.line(&format!("    unsigned char *member = (unsigned char *)&{p}->bits;"));
        self.line(&format!("    {node} *back = ({node} *)(void *)(member - offsetof({node}, bits));"));
        self.line("    back->value ^= member[n % 4];");
        self.mix(&format!("back == {p}"));
        self.line("}");
    }

    fn shuffle(&mut self, items: &mut [String]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.rng.index(last + 1));
        }
    }
}
