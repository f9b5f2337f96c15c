//! Which model belongs to a number.

use quipu_base::IdVec;
use quipu_model::{Model, Role};
use quipu_modelkit::{
    FloatShape, Random, Shape, Specimen, planted_model, random_float_model, random_model, with_relations,
};
use quipu_num::Width;

/// A model to be solved.
pub struct Case {
    pub number: u64,
    pub specimen: Specimen,
    /// Too many assignments to try.
    pub wide: bool,
    /// Decides what else is up to chance.
    pub seed: u64,
}

/// The case with a number.
pub fn case(seed: u64, number: u64) -> Case {
    let own = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
    let mut random = Random::new(own);
    let wide = random.chance(25);
    let relations = random.chance(30);
    let shape = if wide { wide_shape(&mut random) } else { small_shape(&mut random, relations) };
    let model = basis(&mut random, &shape, wide);
    let specimen = match relations {
        true => with_relations(model, &mut random),
        false => Specimen { model, meanings: IdVec::new() },
    };
    Case { number, specimen, wide, seed: random.number() }
}

/// The case with a number, small and with calls of relations and loops in it.
pub fn loop_case(seed: u64, number: u64) -> Case {
    let own = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
    let mut random = Random::new(own);
    let shape = small_shape(&mut random, true);
    let model = basis(&mut random, &shape, false);
    let specimen = with_relations(model, &mut random);
    Case { number, specimen, wide: false, seed: random.number() }
}

/// The case with a number, with floats in it.
pub fn float_case(seed: u64, number: u64) -> Case {
    let own = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
    let mut random = Random::new(own);
    let relations = random.chance(20);
    let mut shape = FloatShape::small(&mut random);
    if relations {
        shape.assertions = random.below(3);
    }
    let planted = random.chance(75);
    let model = random_float_model(&mut random, &shape, planted);
    let specimen = match relations {
        true => with_relations(model, &mut random),
        false => Specimen { model, meanings: IdVec::new() },
    };
    Case { number, specimen, wide: false, seed: random.number() }
}

fn small_shape(random: &mut Random, relations: bool) -> Shape {
    let widths =
        random.pick(&[&[1, 2][..], &[1, 3], &[1, 2, 4], &[1, 5], &[2, 3, 4], &[1, 6], &[8, 1], &[3]]);
    // Sixteen bits take a hundred times as long to try as ten.
    let bits = match random.below(40) {
        0 if !relations => 16,
        1..=3 if !relations => 13,
        _ => 10,
    };
    let assertions = if relations { random.below(3) } else { 1 + random.below(6) };
    let (variables, terms) = (2 + random.below(11), 4 + random.below(40));
    Shape { variables, widths: widths.to_vec(), bits, terms, assertions }
}

fn wide_shape(random: &mut Random) -> Shape {
    let widths =
        random.pick(&[&[8][..], &[8, 16], &[32], &[64], &[8, 32, 64], &[1, 16, 32], &[7, 13, 33], &[64, 1]]);
    let (variables, terms) = (2 + random.below(6), 3 + random.below(22));
    Shape { variables, widths: widths.to_vec(), bits: u32::MAX, terms, assertions: 1 + random.below(5) }
}

/// A model without calls: as it comes, with a solution, or with one and an assertion more.
fn basis(random: &mut Random, shape: &Shape, wide: bool) -> Model {
    let mut model = match random.below(5) {
        0 => random_model(random, shape),
        _ => planted_model(random, shape),
    };
    if random.chance(25) {
        let truths: Vec<_> = model.terms().filter(|&term| model.width(term) == Width::W1).collect();
        let more = random.pick(&truths);
        model.assert(more);
    }
    // Some variables are locals: a solution is told, and told once, by the others.
    if !wide && random.chance(15) { with_locals(&model, random) } else { model }
}

/// The same model with some inputs made locals.
fn with_locals(model: &Model, random: &mut Random) -> Model {
    let mut changed = Model::new();
    let mut vars = model.vars().iter();
    let mut terms = IdVec::new();
    for term in model.terms() {
        let node = model.node(term);
        terms.push(match node {
            quipu_model::Node::Var(_) => {
                let mut info = vars.next().expect("variables come in the order of their terms").clone();
                if random.chance(30) {
                    info.role = Role::Local;
                }
                let var = changed.add_var(info);
                changed.var_term(var)
            }
            node => changed.add(node.map_operands(|operand| terms[operand]), model.width(term)),
        });
    }
    model.assertions().iter().for_each(|&assertion| changed.assert(terms[assertion]));
    changed
}
