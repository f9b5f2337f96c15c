//! What a solution got wrong about a function that has no circuit.
//!
//! The word of such a function is free, within what is easily said of it. When a solution gives it a value that it does
//! not have, a lemma excludes that: where the operands lie on arcs around their values, the result lies on an arc that
//! contraction finds. The arcs of the operands are the widest, up to a power of two, whose lemma excludes the solution;
//! if there is nothing better, they are the values themselves.

use quipu_domain::{Domain, Interval, contract};
use quipu_num::{FloatFn, FloatWidth, Width};

use crate::circuit::{Circuit, Edge};
use crate::facts::on_arc;

/// A function with the words of its operands and its result.
pub(crate) struct Application<'a> {
    pub function: FloatFn,
    pub w: FloatWidth,
    pub operands: Vec<&'a [Edge]>,
    pub result: &'a [Edge],
}

impl Application<'_> {
    /// Demands what excludes that the function has this value, which is wrong, of these operands.
    pub fn demand_better(&self, circuit: &mut Circuit, operands: &[u64], wrong: u64) {
        let (mut good, mut bad) = (0, self.w.bits());
        while bad - good > 1 {
            let middle = good.midpoint(bad);
            match self.image(&self.around(operands, middle)).contains(self.result_width(), wrong) {
                true => bad = middle,
                false => good = middle,
            }
        }
        self.demand_image(circuit, &self.around(operands, good));
    }

    /// The arcs of all values that are less than a power of two away from the operands.
    fn around(&self, operands: &[u64], exponent: u32) -> Vec<Interval> {
        let (width, radius) = (self.w.width(), (1 << exponent) - 1);
        let arc =
            |&value: &u64| Interval::from_span(width, width.wrap(value.wrapping_sub(radius)), 2 * radius);
        operands.iter().map(arc).collect()
    }

    /// An arc that the function has its values on where the operands lie on these.
    fn image(&self, operands: &[Interval]) -> Interval {
        let result = Domain::full(self.result_width());
        let operands = operands.iter().map(|&arc| Domain::from_interval(self.w.width(), arc));
        let mut domains: Vec<Domain> = operands.chain([result]).collect();
        let possible = contract::float(self.function, self.w, &mut domains);
        assert!(possible, "a function should have a value everywhere");
        domains[domains.len() - 1].interval()
    }

    fn demand_image(&self, circuit: &mut Circuit, arcs: &[Interval]) {
        let image = self.image(arcs);
        let mut alternatives = vec![on_arc(circuit, self.result_width(), self.result, image)];
        for (word, &arc) in self.operands.iter().zip(arcs) {
            alternatives.push(!on_arc(circuit, self.w.width(), word, arc));
        }
        let lemma = circuit.any(alternatives);
        circuit.demand(lemma);
    }

    fn result_width(&self) -> Width {
        self.function.width(self.w)
    }
}
