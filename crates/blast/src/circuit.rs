//! Circuits: gates over edges, where an edge is a gate or its complement, and equal gates are one gate.
//!
//! An and-inverter graph with four more kinds of gates, because each has a better set of clauses than its
//! decomposition: exclusive or, choice, and the two outputs of a full adder. Constants fold away, and each kind
//! has a normal form in which complements are moved to the output where that is possible. Parities of the same edges
//! are one gate, however they are nested. Nothing here knows clauses: a gate that nobody asks for costs nothing but
//! memory.
//!
//! A circuit also collects *demands*, edges that must be true: that is how an operation can be encoded by what
//! its result satisfies instead of by how it is computed.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// A parity of more edges than this is not compared with others.
const MOST_SUMMANDS: usize = 64;

/// A gate's output or its complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Edge(u32);

/// The edges of a number, the least significant first.
pub(crate) type Word = Vec<Edge>;

/// What a gate computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// True. There is one, the first gate.
    True,
    /// Free. Every input is a gate of its own.
    Input,
    And(Edge, Edge),
    Xor(Edge, Edge),
    /// The second where the first is true, else the third.
    Mux(Edge, Edge, Edge),
    /// Whether an odd number of the three is true: the sum of a full adder.
    Odd(Edge, Edge, Edge),
    /// Whether at least two of the three are true: its carry.
    Majority(Edge, Edge, Edge),
}

/// A growing set of gates.
pub(crate) struct Circuit {
    gates: Vec<Gate>,
    /// How many gates use a gate.
    uses: Vec<u32>,
    /// The value of a gate that was fixed for good after it was made.
    fixed: Vec<Option<bool>>,
    known: FxHashMap<Gate, u32>,
    /// The gates of whose parity a gate is the output, sorted; none for a gate that is no parity, or a long one.
    summands: Vec<Option<Box<[u32]>>>,
    /// The gate that is the parity of these gates.
    parities: FxHashMap<Box<[u32]>, u32>,
    demands: Vec<Edge>,
}

impl Edge {
    pub const TRUE: Edge = Edge(0);
    pub const FALSE: Edge = Edge(1);

    pub fn constant(value: bool) -> Edge {
        if value { Edge::TRUE } else { Edge::FALSE }
    }

    /// The number of its gate.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_constant(self) -> bool {
        self.gate() == 0
    }

    /// The edge, complemented if `negate`.
    pub fn flip(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }

    fn plain(self) -> Edge {
        Edge(self.0 & !1)
    }
}

impl Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        self.flip(true)
    }
}

impl Gate {
    /// Calls `visit` for every edge that the gate reads.
    pub fn for_each_input(self, mut visit: impl FnMut(Edge)) {
        match self {
            Gate::True | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(visit),
            Gate::Mux(a, b, c) | Gate::Odd(a, b, c) | Gate::Majority(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }
}

impl Circuit {
    pub fn new() -> Circuit {
        Circuit {
            gates: vec![Gate::True],
            uses: vec![0],
            fixed: vec![None],
            known: FxHashMap::default(),
            summands: vec![None],
            parities: FxHashMap::default(),
            demands: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    /// Whether at most one gate reads this one.
    pub fn is_private(&self, number: usize) -> bool {
        self.uses[number] <= 1
    }

    /// The value that a gate has been fixed to.
    pub fn fixed(&self, number: usize) -> Option<bool> {
        self.fixed[number]
    }

    /// The edge, or the constant that it has been fixed to.
    pub fn resolve(&self, edge: Edge) -> Edge {
        match self.fixed[edge.gate()] {
            Some(value) => Edge::constant(value != edge.is_complement()),
            None => edge,
        }
    }

    /// Records that the edge is true in everything that will be asked.
    pub fn fix(&mut self, edge: Edge) {
        if !edge.is_constant() {
            self.fixed[edge.gate()] = Some(!edge.is_complement());
        }
    }

    /// Demands that the edge be true.
    pub fn demand(&mut self, edge: Edge) {
        if edge != Edge::TRUE {
            self.demands.push(edge);
        }
    }

    /// Demands that one of two edges be true.
    pub fn demand_either(&mut self, a: Edge, b: Edge) {
        let either = self.or(a, b);
        self.demand(either);
    }

    /// The demands since the last time.
    pub fn take_demands(&mut self) -> Vec<Edge> {
        std::mem::take(&mut self.demands)
    }

    /// A new free edge.
    pub fn input(&mut self) -> Edge {
        self.push(Gate::Input)
    }

    pub fn and(&mut self, a: Edge, b: Edge) -> Edge {
        let (mut a, mut b) = (self.resolve(a), self.resolve(b));
        loop {
            match self.simpler_and(a, b) {
                Simpler::Edge(edge) => return edge,
                Simpler::And(c, d) => (a, b) = (self.resolve(c), self.resolve(d)),
                Simpler::Nothing => break,
            }
        }
        self.intern(Gate::And(a.min(b), a.max(b)))
    }

    pub fn or(&mut self, a: Edge, b: Edge) -> Edge {
        !self.and(!a, !b)
    }

    /// Complements are moved to the output.
    pub fn xor(&mut self, a: Edge, b: Edge) -> Edge {
        let (a, b) = (self.resolve(a), self.resolve(b));
        let negate = a.is_complement() != b.is_complement();
        let (a, b) = (a.plain().min(b.plain()), a.plain().max(b.plain()));
        let plain = if a == b {
            Edge::FALSE
        } else if a == Edge::TRUE {
            !b
        } else {
            self.parity(&[a, b], Gate::Xor(a, b))
        };
        plain.flip(negate)
    }

    pub fn equal(&mut self, a: Edge, b: Edge) -> Edge {
        !self.xor(a, b)
    }

    /// `a` where the condition is true, else `b`. The condition and `a` are made plain.
    pub fn mux(&mut self, condition: Edge, a: Edge, b: Edge) -> Edge {
        let (c, a, b) = (self.resolve(condition), self.resolve(a), self.resolve(b));
        let (c, a, b) = if c.is_complement() { (!c, b, a) } else { (c, a, b) };
        if c == Edge::TRUE || a == b {
            a
        } else if c == Edge::FALSE {
            b
        } else if a == !b {
            self.equal(c, a)
        } else if a == Edge::TRUE || a == c {
            self.or(c, b)
        } else if a == Edge::FALSE || a == !c {
            self.and(!c, b)
        } else if b == Edge::FALSE || b == c {
            self.and(c, a)
        } else if b == Edge::TRUE || b == !c {
            self.or(!c, a)
        } else {
            let negate = a.is_complement();
            self.intern(Gate::Mux(c, a.flip(negate), b.flip(negate))).flip(negate)
        }
    }

    /// The sum bit of three bits. Complements are moved to the output.
    pub fn odd(&mut self, a: Edge, b: Edge, c: Edge) -> Edge {
        let edges = [self.resolve(a), self.resolve(b), self.resolve(c)];
        let negate = edges.iter().filter(|edge| edge.is_complement()).count() % 2 == 1;
        let mut plain = edges.map(Edge::plain);
        plain.sort_unstable();
        let [a, b, c] = plain;
        let edge = if a == b {
            c
        } else if b == c {
            a
        } else if a == Edge::TRUE {
            self.equal(b, c)
        } else {
            self.parity(&[a, b, c], Gate::Odd(a, b, c))
        };
        edge.flip(negate)
    }

    /// The carry bit of three bits. It is its own dual, so at most one complement stays inside.
    pub fn majority(&mut self, a: Edge, b: Edge, c: Edge) -> Edge {
        let mut edges = [self.resolve(a), self.resolve(b), self.resolve(c)];
        edges.sort_unstable();
        let [a, b, c] = edges;
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a.is_constant() {
            return if a == Edge::TRUE { self.or(b, c) } else { self.and(b, c) };
        }
        let negate = edges.iter().filter(|edge| edge.is_complement()).count() >= 2;
        let [a, b, c] = edges.map(|edge| edge.flip(negate));
        self.intern(Gate::Majority(a, b, c)).flip(negate)
    }

    /// The conjunction of many edges, as a balanced tree.
    pub fn all(&mut self, mut edges: Vec<Edge>) -> Edge {
        edges.sort_unstable();
        edges.dedup();
        while edges.len() > 1 {
            let pairs = edges.chunks(2);
            edges = pairs.map(|pair| pair.iter().fold(Edge::TRUE, |a, &b| self.and(a, b))).collect();
        }
        edges.first().copied().unwrap_or(Edge::TRUE)
    }

    pub fn any(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        !self.all(edges.into_iter().map(Edge::not).collect())
    }

    /// The parity of plain edges, made by a gate unless there is one already. However parities are nested, those of
    /// the same edges are one gate.
    fn parity(&mut self, edges: &[Edge], gate: Gate) -> Edge {
        let own = |edge: Edge| edge.0 >> 1;
        let summands = edges.iter().fold(Vec::new(), |sum, &edge| match &self.summands[edge.gate()] {
            Some(inner) => symmetric_difference(&sum, inner),
            None => symmetric_difference(&sum, &[own(edge)]),
        });
        match summands[..] {
            [] => return Edge::FALSE,
            [only] => return self.resolve(Edge(only << 1)),
            _ if summands.len() > MOST_SUMMANDS => return self.intern(gate),
            _ => {}
        }
        let summands = summands.into_boxed_slice();
        if let Some(&number) = self.parities.get(&summands) {
            return self.resolve(Edge(number << 1));
        }
        let edge = self.intern(gate);
        if !edge.is_constant() {
            self.parities.insert(summands.clone(), own(edge));
            self.summands[edge.gate()] = Some(summands);
        }
        edge
    }

    fn intern(&mut self, gate: Gate) -> Edge {
        if let Some(&number) = self.known.get(&gate) {
            return self.resolve(Edge(number << 1));
        }
        gate.for_each_input(|edge| self.uses[edge.gate()] += 1);
        let edge = self.push(gate);
        self.known.insert(gate, edge.0 >> 1);
        edge
    }

    fn push(&mut self, gate: Gate) -> Edge {
        let number = u32::try_from(self.gates.len()).ok().filter(|number| *number < 1 << 31);
        let number = number.expect("a circuit should have fewer than 2^31 gates");
        self.gates.push(gate);
        self.uses.push(0);
        self.fixed.push(None);
        self.summands.push(None);
        Edge(number << 1)
    }
}

/// What is in one of two sorted lists only.
fn symmetric_difference(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut result = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (Some(x), Some(y)) if x == y => {
                a.next();
                b.next();
            }
            (Some(x), Some(y)) if x < y => result.extend(a.next()),
            (Some(_), None) => result.extend(a.next()),
            (_, Some(_)) => result.extend(b.next()),
            (None, None) => return result,
        }
    }
}

/// What a conjunction is equal to.
enum Simpler {
    Edge(Edge),
    And(Edge, Edge),
    Nothing,
}

/// Two-level rewriting of conjunctions (Brummayer, Biere: Local two-level and-inverter graph minimization
/// without blowup, MEMICS 2006): the rules that never make the graph larger.
impl Circuit {
    fn simpler_and(&self, a: Edge, b: Edge) -> Simpler {
        if a == Edge::FALSE || b == Edge::FALSE || a == !b {
            return Simpler::Edge(Edge::FALSE);
        }
        if a == Edge::TRUE || a == b {
            return Simpler::Edge(b);
        }
        if b == Edge::TRUE {
            return Simpler::Edge(a);
        }
        match (self.one_sided(a, b), self.one_sided(b, a)) {
            (Simpler::Nothing, Simpler::Nothing) => self.two_sided(a, b),
            (Simpler::Nothing, simpler) | (simpler, _) => simpler,
        }
    }

    /// Looks into `a` only.
    fn one_sided(&self, a: Edge, b: Edge) -> Simpler {
        let Gate::And(x, y) = self.gates[a.gate()] else { return Simpler::Nothing };
        match a.is_complement() {
            false if x == !b || y == !b => Simpler::Edge(Edge::FALSE),
            false if x == b || y == b => Simpler::Edge(a),
            true if x == !b || y == !b => Simpler::Edge(b),
            true if x == b => Simpler::And(b, !y),
            true if y == b => Simpler::And(b, !x),
            _ => Simpler::Nothing,
        }
    }

    fn two_sided(&self, a: Edge, b: Edge) -> Simpler {
        let (Gate::And(x, y), Gate::And(u, v)) = (self.gates[a.gate()], self.gates[b.gate()]) else {
            return Simpler::Nothing;
        };
        let opposed = x == !u || x == !v || y == !u || y == !v;
        match (a.is_complement(), b.is_complement()) {
            (false, false) if opposed => Simpler::Edge(Edge::FALSE),
            (false, false) if x == u || y == u => Simpler::And(a, v),
            (false, false) if x == v || y == v => Simpler::And(a, u),
            (true, false) if opposed => Simpler::Edge(b),
            (true, false) if x == u || x == v => Simpler::And(b, !y),
            (true, false) if y == u || y == v => Simpler::And(b, !x),
            (false, true) => self.two_sided(b, a),
            (true, true) if (x == u && y == !v) || (x == v && y == !u) => Simpler::Edge(!x),
            (true, true) if (y == v && x == !u) || (y == u && x == !v) => Simpler::Edge(!y),
            _ => Simpler::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gates over four inputs, with the truth tables that they should have.
    struct Tables {
        circuit: Circuit,
        known: Vec<(Edge, u16)>,
    }

    impl Tables {
        fn new() -> Tables {
            let mut circuit = Circuit::new();
            let mut known = vec![(Edge::TRUE, u16::MAX)];
            for table in [0xaaaa, 0xcccc, 0xf0f0, 0xff00] {
                known.push((circuit.input(), table));
            }
            Tables { circuit, known }
        }

        fn pick(&self, choice: u64) -> (Edge, u16) {
            let (edge, table) = self.known[(choice >> 1) as usize % self.known.len()];
            if choice & 1 == 1 { (!edge, !table) } else { (edge, table) }
        }

        fn grow(&mut self, mut choice: u64) {
            let mut next = || {
                choice =
                    choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                choice >> 33
            };
            let ((a, x), (b, y), (c, z)) = (self.pick(next()), self.pick(next()), self.pick(next()));
            let circuit = &mut self.circuit;
            self.known.push(match next() % 8 {
                0..=2 => (circuit.and(a, b), x & y),
                3 => (circuit.or(a, b), x | y),
                4 => (circuit.xor(a, b), x ^ y),
                5 => (circuit.mux(a, b, c), (x & y) | (!x & z)),
                6 => (circuit.odd(a, b, c), x ^ y ^ z),
                _ => (circuit.majority(a, b, c), (x & y) | (x & z) | (y & z)),
            });
        }

        /// The truth table of every gate, computed from its inputs.
        fn computed(&self) -> Vec<u16> {
            let inputs = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
            let mut tables: Vec<u16> = Vec::new();
            for number in 0..self.circuit.len() {
                let t = |edge: Edge| tables[edge.gate()] ^ if edge.is_complement() { u16::MAX } else { 0 };
                let table = match self.circuit.gate(number) {
                    Gate::True => u16::MAX,
                    Gate::Input => inputs[number - 1],
                    Gate::And(a, b) => t(a) & t(b),
                    Gate::Xor(a, b) => t(a) ^ t(b),
                    Gate::Mux(c, a, b) => (t(c) & t(a)) | (!t(c) & t(b)),
                    Gate::Odd(a, b, c) => t(a) ^ t(b) ^ t(c),
                    Gate::Majority(a, b, c) => (t(a) & t(b)) | (t(a) & t(c)) | (t(b) & t(c)),
                };
                tables.push(table);
            }
            tables
        }
    }

    #[test]
    fn rewriting_keeps_truth_tables() {
        for seed in 0..2000 {
            let mut tables = Tables::new();
            (0..60).for_each(|step| tables.grow(seed * 1000 + step));
            let computed = tables.computed();
            for &(edge, table) in &tables.known {
                let found = computed[edge.gate()] ^ if edge.is_complement() { u16::MAX } else { 0 };
                assert_eq!(found, table, "seed {seed}");
            }
        }
    }

    #[test]
    fn gates_are_shared_up_to_order_and_complement() {
        let mut circuit = Circuit::new();
        let [a, b, c] = [(); 3].map(|()| circuit.input());
        assert_eq!(circuit.majority(a, !b, c), !circuit.majority(!c, !a, b));
        assert_eq!(circuit.odd(a, !b, c), circuit.odd(c, b, !a));
        assert_eq!(circuit.mux(a, !b, c), !circuit.mux(!a, !c, b));
        assert_eq!(circuit.xor(a, b), circuit.xor(!b, !a));
        let before = circuit.len();
        let (or, and) = (circuit.or(a, b), circuit.and(!a, !b));
        assert_eq!((or, circuit.len()), (!and, before + 1));
    }
}
