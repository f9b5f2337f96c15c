//! What turns that stand for all turns take for granted, by the names that people have for it.

use quipu_ir::{Block, Func, SourceType, Ty, TypeId};
use quipu_model::Term;
use quipu_num::Width;
use rustc_hash::FxHashMap;

use crate::content::Stretch;
use crate::context::Context;
use crate::encoder::Engine;
use crate::encoding::{Origin, Premise};
use crate::frame::Frame;
use crate::invariant::{Candidates, End};
use crate::memory::ObjectId;
use crate::state::Arrival;
use crate::symbol::Symbol;
use crate::wording::{Names, Variable};

/// A program with more global variables does not have their names told.
const MOST_GLOBALS: usize = 256;

/// A loop, and how its variables are called.
pub(crate) struct ToldLoop {
    func: Func,
    head: Block,
    context: Context,
    names: Names,
    /// The turns that were followed one by one.
    earlier: Option<Vec<End>>,
}

/// A variable, and what it holds.
struct Held {
    name: String,
    ty: TypeId,
    symbol: Symbol,
}

impl<'a> Engine<'a> {
    /// The loop with this head, which starts in this state.
    pub fn told_loop(
        &mut self,
        frame: &Frame<'a>,
        head: Block,
        start: &Arrival,
        candidates: &Candidates,
    ) -> ToldLoop {
        let selectable = self.unwinding.selectable;
        let earlier = frame.earlier.clone().filter(|_| selectable);
        let earlier = earlier.map(|arrivals| {
            let replaced = |(arrival, n_checks): (Arrival, usize)| {
                let replacements = self.replacements(candidates, &arrival);
                End { replacements, guard: arrival.state.guard.clone(), n_checks }
            };
            arrivals.into_iter().map(replaced).collect()
        });
        // Only who asks what is needed has to know what it is called.
        let names = if selectable { self.names_at(frame, head, start) } else { Names::default() };
        ToldLoop { func: frame.func, head, context: frame.context, names, earlier }
    }

    /// Takes note of something that is taken for granted, and returns the condition that says so.
    pub fn premise(&mut self, told: &ToldLoop, term: Term, choice: Option<Term>) -> Term {
        let selectable = self.unwinding.selectable;
        let chosen = choice.or_else(|| selectable.then(|| self.terms.unknown(Width::W1)));
        let condition = chosen.map_or(term, |chosen| self.terms.implies(chosen, term));
        let violated_before = told
            .earlier
            .as_ref()
            .map(|ends| ends.iter().map(|end| (self.violated(term, end), end.n_checks)).collect());
        let text = told.names.tell(self.terms.model, term);
        let ToldLoop { func, head, context, .. } = *told;
        let is_fact = choice.is_none();
        let premise = Premise { chosen, term, is_fact, func, head, context, text, violated_before };
        self.out.origins.entry(condition).or_insert(Origin::Premise(self.out.premises.len()));
        self.out.premises.push(premise);
        condition
    }

    /// A condition on the way, without the choice whether it is taken for granted.
    pub fn unselected(&self, condition: Term) -> Term {
        match self.out.origins.get(&condition) {
            Some(&Origin::Premise(number)) if self.unwinding.selectable => {
                let premise = &self.out.premises[number];
                if premise.is_fact { premise.term } else { condition }
            }
            _ => condition,
        }
    }

    /// What the numbers are called that variables hold at the head of a loop. What the inputs were comes last.
    fn names_at(&mut self, frame: &Frame<'a>, head: Block, start: &Arrival) -> Names {
        let mut held = held_values(frame, head, start);
        held.extend(self.held_in_memory(frame, start));
        let mut count: FxHashMap<String, usize> = FxHashMap::default();
        held.iter().for_each(|one| *count.entry(one.name.clone()).or_default() += 1);
        let mut names = Names::default();
        // Of two variables with one name, nobody knows which is meant.
        for Held { name, ty, symbol } in held.into_iter().filter(|one| count[&one.name] == 1) {
            let (Symbol::Int(term), Some((bits, signed))) = (symbol, self.integer(ty)) else { continue };
            if self.terms.width(term).bits() == bits && self.terms.known(term).is_none() {
                names.add(term, Variable { name, bits, signed });
            }
        }
        for (info, &var) in self.interface.leaves.iter().zip(&self.out.leaves) {
            if let (Ty::Int(width), None) = (info.ty, &info.targets) {
                let (name, bits) = (format!("\\old({})", info.name), width.bits());
                names.add(self.terms.model.var_term(var), Variable { name, bits, signed: info.signed });
            }
        }
        names
    }

    /// The scalar variables that are objects in memory: those of the function, and the global ones.
    fn held_in_memory(&mut self, frame: &Frame<'a>, start: &Arrival) -> Vec<Held> {
        let module: &'a quipu_ir::Module = self.module;
        let mut objects: Vec<(ObjectId, &str, TypeId)> = Vec::new();
        for (&(slot, _), &object) in &frame.lives {
            let data = &frame.code.slots[slot];
            objects.extend(data.name.as_deref().zip(data.ty).map(|(name, ty)| (object, name, ty)));
        }
        if self.globals.len() <= MOST_GLOBALS {
            for (&global, &object) in &self.globals {
                let data = &module.globals[global];
                let name = data.source_name.as_deref().filter(|_| !data.block_scope);
                objects.extend(name.map(|name| (object, name, data.ty)));
            }
        }
        objects.sort_unstable();
        let mut held = Vec::new();
        for (object, name, ty) in objects {
            let width = self.integer(ty).and_then(|(bits, _)| Width::new(bits));
            let (Some(width), Some(content)) = (width, start.state.memory.get(object).cloned()) else {
                continue;
            };
            let stretch = Stretch { at: 0, bits: width.bits(), ty: Ty::Int(width), address: self.address };
            let symbol = content.read(&mut self.terms, stretch).value;
            held.push(Held { name: name.to_string(), ty, symbol });
        }
        held
    }

    /// The width of an integer type, and whether it has a sign.
    fn integer(&self, ty: TypeId) -> Option<(u32, bool)> {
        match self.module.types[ty] {
            SourceType::Int { bits, signed, .. } | SourceType::Enum { bits, signed, .. } => {
                Some((bits, signed))
            }
            _ => None,
        }
    }
}

/// The variables that are values.
fn held_values(frame: &Frame<'_>, head: Block, start: &Arrival) -> Vec<Held> {
    let params = &frame.code.blocks[head].params;
    let mut held = Vec::new();
    for named in frame.code.names.iter().filter(|named| named.block == head) {
        let param = params.iter().position(|&param| param == named.value);
        let carried =
            || start.carried.iter().find(|(value, _)| *value == named.value).map(|(_, symbol)| symbol);
        let symbol = match param {
            Some(n) => start.args.get(n),
            None => carried().or(frame.values[named.value].as_ref()),
        };
        if let (Some(ty), Some(symbol)) = (named.ty, symbol) {
            held.push(Held { name: named.name.clone(), ty, symbol: symbol.clone() });
        }
    }
    held
}
