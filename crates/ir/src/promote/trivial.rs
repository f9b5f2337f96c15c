//! Removes block parameters that can only have one value.
//!
//! A parameter is trivial if every edge supplies the same value or the parameter itself. That value's
//! definition dominates the block, so it can stand for the parameter everywhere. Removing one parameter may
//! make others trivial, so those that it was supplied to are looked at again.

use quipu_base::{Id, IdVec, define_id};

use super::cleanup::replace_values;
use crate::function::{Block, FuncBody, Value};

/// Removes the trivial block parameters. The entry's parameters are the function's and stay.
pub fn remove_trivial_params(body: &mut FuncBody) {
    let mut params = Params::collect(body);
    params.merge_trivial();
    let replacement: IdVec<Value, Value> = body.values.ids().map(|value| params.find(value)).collect();
    let stays: IdVec<Block, Vec<bool>> = body
        .blocks
        .iter()
        .map(|data| data.params.iter().map(|&param| replacement[param] == param).collect())
        .collect();
    for data in body.blocks.iter_mut() {
        data.params.retain(|&param| replacement[param] == param);
        for edge in data.term.edges_mut() {
            let mut stays = stays[edge.target].iter();
            edge.args.retain(|_| *stays.next().expect("an edge should supply every parameter"));
        }
    }
    replace_values(body, &replacement);
}

define_id!(
    /// A block parameter that may be removed.
    Param, "param"
);

struct Params {
    /// The parameter's value, and what the edges supply for it.
    table: IdVec<Param, (Value, Vec<Value>)>,
    /// The parameters to which a value, or one merged into it, is supplied.
    fed_by: IdVec<Value, Vec<Param>>,
    /// A forest: a removed parameter points towards the value that stands for it.
    stands_for: IdVec<Value, Value>,
}

impl Params {
    fn collect(body: &FuncBody) -> Params {
        let mut first = IdVec::<Block, usize>::filled(0, body.blocks.len());
        let mut table = IdVec::<Param, (Value, Vec<Value>)>::new();
        for (block, data) in body.blocks.entries().skip(1) {
            first[block] = table.len();
            data.params.iter().for_each(|&param| _ = table.push((param, Vec::new())));
        }
        let mut fed_by = IdVec::<Value, Vec<Param>>::filled(Vec::new(), body.values.len());
        let edges = body.blocks.iter().flat_map(|data| data.term.edges());
        for edge in edges.filter(|edge| edge.target != body.entry()) {
            for (n, &arg) in edge.args.iter().enumerate() {
                let param = Param::new(first[edge.target] + n);
                table[param].1.push(arg);
                fed_by[arg].push(param);
            }
        }
        Params { table, fed_by, stands_for: body.values.ids().collect() }
    }

    fn merge_trivial(&mut self) {
        let mut work: Vec<Param> = self.table.ids().rev().collect();
        while let Some(param) = work.pop() {
            let value = self.table[param].0;
            if self.find(value) != value {
                continue;
            }
            if let Some(source) = self.single_source(param) {
                self.stands_for[value] = source;
                let fed = std::mem::take(&mut self.fed_by[value]);
                work.extend(&fed);
                self.fed_by[source].extend(fed);
            }
        }
    }

    /// The only value, besides the parameter itself, that the edges supply. Of equal sources one is kept, so
    /// that all looks at a parameter together cost no more than its edges.
    fn single_source(&mut self, param: Param) -> Option<Value> {
        let value = self.table[param].0;
        let mut args = std::mem::take(&mut self.table[param].1);
        let mut source = None;
        while let Some(&arg) = args.last() {
            let arg = self.find(arg);
            if arg != value && *source.get_or_insert(arg) != arg {
                break;
            }
            args.pop();
        }
        let single = source.filter(|_| args.is_empty());
        args.extend(source);
        self.table[param].1 = args;
        single
    }

    /// What stands for a value, halving the paths on the way.
    fn find(&mut self, mut value: Value) -> Value {
        while self.stands_for[value] != value {
            self.stands_for[value] = self.stands_for[self.stands_for[value]];
            value = self.stands_for[value];
        }
        value
    }
}
