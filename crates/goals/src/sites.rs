//! Tables from what a run does to the items that it shows by it.
//!
//! A site is something that happens at one place of the source: a condition has an outcome, a `switch` takes an arm, a
//! statement starts, a function is entered, operands are in a relation. Runs happen by the hundred thousand, so that
//! everything is found by index.

use std::collections::BTreeMap;

use quipu_base::{Id, IdVec};
use quipu_ir::{Block, Cond, Decision, Event, Func, FuncBody, InstKind, Module, Span, Stmt, Terminator};
use quipu_num::{FloatWidth, Width};

use crate::evaluation::Evaluations;
use crate::goal::{Item, Off, Way};
use crate::order::Order;
use crate::places::Places;

/// No site, or no other thing that is told by number.
pub(crate) const NONE: u32 = u32::MAX;

/// The sites of the functions that have goals.
#[derive(Clone, Debug)]
pub(crate) struct Sites {
    pub funcs: SiteTables,
    /// The items that each site shows.
    pub items: Vec<Vec<Item>>,
    pub compares: Vec<CompareSites>,
    /// The items of runs that end with an event at a place.
    pub ends: BTreeMap<(Func, Span, Option<Event>), Vec<Item>>,
    /// The items of what happens in calls that statements make.
    pub during: Vec<(Caller, Way, Item)>,
}

/// Tables by function. Those without goals share an empty one: every function of a program has such a table of its own,
/// and there may be thousands.
#[derive(Clone, Debug)]
pub(crate) struct SiteTables {
    numbers: IdVec<Func, u32>,
    tables: Vec<FuncSites>,
}

impl std::ops::Index<Func> for SiteTables {
    type Output = FuncSites;

    #[inline]
    fn index(&self, func: Func) -> &FuncSites {
        &self.tables[self.numbers[func] as usize]
    }
}

impl SiteTables {
    fn new(module: &Module) -> SiteTables {
        let numbers = IdVec::filled(0, module.functions.len());
        SiteTables { numbers, tables: vec![FuncSites::empty()] }
    }

    fn add(&mut self, func: Func, sites: FuncSites) {
        self.numbers[func] =
            u32::try_from(self.tables.len()).expect("there should be fewer than 2^32 functions");
        self.tables.push(sites);
    }

    /// The table of a function that has one of its own.
    fn own(&mut self, func: Func) -> &mut FuncSites {
        let number = self.numbers[func];
        assert_ne!(number, 0, "only functions with goals have sites");
        &mut self.tables[number as usize]
    }
}

/// A statement that calls something, directly or via another function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caller {
    pub func: Func,
    pub stmt: Stmt,
    pub via: Option<Func>,
}

/// The sites of a function; all tables are empty for a function without goals.
#[derive(Clone, Debug)]
pub(crate) struct FuncSites {
    pub entry: u32,
    pub stmts: IdVec<Stmt, u32>,
    pub conds: IdVec<Cond, CondSites>,
    pub switches: IdVec<Decision, u32>,
    /// What the ends of blocks are.
    pub ends: IdVec<Block, End>,
    /// By block and instruction: the place in [`Sites::compares`]. Blocks without comparisons have empty tables.
    pub compares: IdVec<Block, Vec<u32>>,
    /// The number of decisions whose evaluations are followed.
    pub followed: u32,
}

/// How a block ends, as far as sites are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Plain,
    Cond(Cond),
    /// The site of the first arm; the others follow.
    Switch(u32),
}

/// A condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CondSites {
    /// The site of its being true; that of false follows.
    pub site: u32,
    /// Where the evaluations of its decision are followed: what being true and being false adds.
    pub followed: Option<Followed>,
}

/// A condition of a decision whose evaluations are followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Followed {
    /// The decision's number among those of the function that are followed.
    pub slot: u32,
    /// Whether evaluations start here.
    pub starts: bool,
    /// For true and for false: what to add to the number of the path, and whether the path ends.
    pub steps: [(u32, bool); 2],
    /// The item of path 0.
    pub first_item: u32,
}

/// A comparison: the sites of the relations that its operands can be in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompareSites {
    pub width: Width,
    pub order: Order,
    pub equal: u32,
    pub one_less: u32,
    pub one_more: u32,
}

impl FuncSites {
    fn empty() -> FuncSites {
        FuncSites {
            entry: NONE,
            stmts: IdVec::new(),
            conds: IdVec::new(),
            switches: IdVec::new(),
            ends: IdVec::new(),
            compares: IdVec::new(),
            followed: 0,
        }
    }
}

impl Sites {
    /// Sites for these functions of a module, which show nothing yet.
    pub(crate) fn new(module: &Module, functions: &[Func]) -> Sites {
        let mut sites = Sites {
            funcs: SiteTables::new(module),
            items: Vec::new(),
            compares: Vec::new(),
            ends: BTreeMap::new(),
            during: Vec::new(),
        };
        for &func in functions {
            if let Some(body) = module.functions[func].code() {
                let table = sites.function(body);
                sites.funcs.add(func, table);
            }
        }
        sites
    }

    fn function(&mut self, body: &FuncBody) -> FuncSites {
        let places = Places::of(body);
        let entry = self.fresh(1);
        let stmts = body.stmts.iter().map(|_| self.fresh(1)).collect();
        let conds = body.conds.iter().map(|_| CondSites { site: self.fresh(2), followed: None }).collect();
        let arms = |block: Option<Block>| block.map_or(0, |block| body.blocks[block].term.edges().count());
        let switches: IdVec<Decision, u32> =
            places.switches.iter().map(|&place| self.fresh(arms(place))).collect();
        let ends = body.blocks.iter().map(|block| match block.term {
            Terminator::Branch { cond: Some(cond), .. } => End::Cond(cond),
            Terminator::Switch { decision: Some(decision), .. } => End::Switch(switches[decision]),
            _ => End::Plain,
        });
        let ends = ends.collect();
        let compares = IdVec::filled(Vec::new(), body.blocks.len());
        FuncSites { entry, stmts, conds, switches, ends, compares, followed: 0 }
    }

    fn fresh(&mut self, n: usize) -> u32 {
        let first = self.items.len();
        self.items.resize(first + n, Vec::new());
        u32::try_from(first).expect("there should be fewer than 2^32 sites")
    }

    /// From now on a run that goes this way shows the item.
    pub(crate) fn shows(&mut self, module: &Module, way: &Way, item: Item) {
        let site = match *way {
            Way::Entry(func) => self.funcs[func].entry,
            Way::Block(func, block, inst) => {
                let body = module.functions[func].code().expect("a way leads through code");
                let InstKind::Stmt(stmt) = body.blocks[block].insts[inst].kind else {
                    panic!("a way to an instruction should lead to a statement");
                };
                self.funcs[func].stmts[stmt]
            }
            Way::Edge(func, block, edge) => match self.funcs[func].ends[block] {
                End::Cond(cond) => self.funcs[func].conds[cond].site + edge as u32,
                End::Switch(site) => site + edge as u32,
                End::Plain => panic!("a way by an edge should lead out of a decision"),
            },
            Way::Compare { func, block, inst, relation, order } => {
                let body = module.functions[func].code().expect("a way leads through code");
                self.compare_site(body, (func, block, inst), relation, order)
            }
            Way::End { func, event, ref spans, .. } => {
                for &span in spans {
                    self.ends.entry((func, span, event)).or_default().push(item);
                }
                return;
            }
            Way::During { func, stmt, via, ref happens, .. } => {
                let caller = Caller { func, stmt, via };
                self.during.push((caller, (**happens).clone(), item));
                return;
            }
            Way::Evaluation(..) => panic!("evaluations are followed, they have no site"),
        };
        self.items[site as usize].push(item);
    }

    /// From now on a run shows the items of the evaluations of a decision.
    pub(crate) fn follow(&mut self, evaluations: &Evaluations) {
        let function = self.funcs.own(evaluations.func);
        let slot = function.followed;
        function.followed += 1;
        for (n, &cond) in evaluations.conds().iter().enumerate() {
            let step = |value| (evaluations.offset(n, value) as u32, evaluations.settles(n, value));
            function.conds[cond].followed = Some(Followed {
                slot,
                starts: n == 0,
                steps: [step(true), step(false)],
                first_item: evaluations.item(0).index() as u32,
            });
        }
    }

    fn compare_site(
        &mut self,
        body: &FuncBody,
        (func, block, inst): (Func, Block, usize),
        relation: Off,
        order: Order,
    ) -> u32 {
        let insts = &body.blocks[block].insts;
        let table = &mut self.funcs.own(func).compares[block];
        table.resize(insts.len(), NONE);
        if table[inst] == NONE {
            let (InstKind::IntCmp(_, a, _) | InstKind::FloatCmp(_, a, _)) = insts[inst].kind else {
                panic!("a way by a comparison should lead to one");
            };
            let ty = body.ty(a);
            let width = ty.width().or(ty.float_width().map(FloatWidth::width));
            let width = width.expect("a boundary should be one of numbers");
            table[inst] = self.compares.len() as u32;
            self.compares.push(CompareSites { width, order, equal: NONE, one_less: NONE, one_more: NONE });
        }
        let number = table[inst] as usize;
        let fresh = self.fresh(1);
        let sites = &mut self.compares[number];
        let site = match relation {
            Off::Equal => &mut sites.equal,
            Off::OneLess => &mut sites.one_less,
            Off::OneMore => &mut sites.one_more,
        };
        *site = fresh;
        fresh
    }
}

impl CompareSites {
    /// The site of operands, or [`NONE`].
    #[inline]
    pub(crate) fn site(&self, a: u64, b: u64) -> u32 {
        let place = |bits| self.order.place(self.width, bits);
        let Some((a, b)) = place(a).zip(place(b)) else { return NONE };
        match a - b {
            0 => self.equal,
            -1 => self.one_less,
            1 => self.one_more,
            _ => NONE,
        }
    }
}
