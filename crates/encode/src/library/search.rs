//! Comparing, and searching in strings and blocks.

use std::rc::Rc;

use quipu_model::Term;
use quipu_num::{IntCmp, IntOp, Width};

use super::view::{Demand, MOST_BYTES, MOST_WRITES, Reach, Text};
use super::{Call, Called};
use crate::encoder::Engine;
use crate::pointer::{self, Pointer};
use crate::symbol::Symbol;

/// What ends a search in a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    /// The first byte that does not belong to a set.
    Inside,
    /// The first byte that does.
    Outside,
}

impl Engine<'_> {
    /// `strcmp` and its relatives.
    pub(super) fn compare_strings(
        &mut self,
        call: &Call<'_>,
        limit: Option<Term>,
        fold_case: bool,
    ) -> Called {
        let (mut a, mut b) = (self.view(call.here, call.pointer(0))?, self.view(call.here, call.pointer(1))?);
        let mut pairs = Vec::new();
        let mut open = self.terms.truth(true);
        for k in 0.. {
            let within = limit.map_or(open, |limit| self.is_below(k, limit));
            let within = if limit.is_some() { within } else { self.terms.truth(true) };
            open = self.link(open, within);
            if self.terms.is_false(open) {
                break;
            }
            if k == MOST_BYTES {
                self.cut_where(call.here, open, format!("strings of more than {k} bytes"))?;
                break;
            }
            let Some(x) = self.byte(call.here, &mut a, k, open, Demand::Readable) else { break };
            let Some(y) = self.byte(call.here, &mut b, k, open, Demand::Readable) else { break };
            let (x, y) = if fold_case { (self.lower(x), self.lower(y)) } else { (x, y) };
            let (same, end) = (self.terms.equal(x, y), self.terms.is(x, 0));
            let not_end = self.terms.not(end);
            let more = self.terms.both(same, not_end);
            pairs.push((x, y, within, more));
            open = self.link(open, more);
        }
        self.difference(call, &pairs)
    }

    /// The difference of the first bytes that end a comparison: for each pair whether it is within the limit, and
    /// whether the comparison goes on behind it.
    fn difference(&mut self, call: &Call<'_>, pairs: &[(Term, Term, Term, Term)]) -> Called {
        let width = call.width();
        let zero = self.terms.constant(width, 0);
        let mut result = zero;
        for &(x, y, within, more) in pairs.iter().rev() {
            let (x, y) = (self.terms.resize(x, width, false), self.terms.resize(y, width, false));
            let difference = self.terms.op(IntOp::Sub, x, y);
            let here = self.terms.select(more, result, difference);
            result = self.terms.select(within, here, zero);
        }
        Some(Some(Symbol::Int(result)))
    }

    /// `memcmp`: all bytes must exist, but only those up to the first difference must have been written.
    pub(super) fn compare_blocks(&mut self, call: &Call<'_>) -> Called {
        let size = self.size_argument(call, 2);
        let always = self.terms.truth(true);
        let mut a = self.view(call.here, call.pointer(0))?;
        self.check_range(call.here, &a, size, always, false);
        let mut b = self.view(call.here, call.pointer(1))?;
        self.check_range(call.here, &b, size, always, false);
        let most = self.most(&a, size).min(self.most(&b, size));
        let mut pairs = Vec::new();
        let mut open = always;
        for k in 0..most {
            let within = self.is_below(k, size);
            open = self.link(open, within);
            if k == MOST_BYTES {
                self.cut_where(call.here, open, format!("blocks of more than {k} bytes"))?;
                break;
            }
            let Some(x) = self.byte(call.here, &mut a, k, open, Demand::Written) else { break };
            let Some(y) = self.byte(call.here, &mut b, k, open, Demand::Written) else { break };
            let more = self.terms.equal(x, y);
            pairs.push((x, y, within, more));
            open = self.link(open, more);
        }
        self.difference(call, &pairs)
    }

    /// `strchr` and `strchrnul`; the limit of `memchr` takes the place of the end of the string.
    pub(super) fn find_byte(&mut self, call: &Call<'_>, limit: Option<Term>, or_end: bool) -> Called {
        let wanted = self.byte_argument(call, 1);
        let mut view = self.view(call.here, call.pointer(0))?;
        let reach = Reach { open: self.terms.truth(true), limit };
        let (mut hits, mut stops) = (Vec::new(), Vec::new());
        self.scan(call.here, &mut view, reach, |engine, k, byte, _| {
            let hit = engine.terms.equal(byte, wanted);
            let end = match limit {
                Some(limit) => {
                    let within = engine.is_below(k, limit);
                    engine.terms.not(within)
                }
                None => engine.terms.is(byte, 0),
            };
            let stop = engine.terms.any(&[hit, end]);
            hits.push((hit, end));
            stops.push(stop);
            engine.terms.not(stop)
        })?;
        let position = self.first(&stops, stops.len() as u64);
        if or_end {
            return Some(Some(self.moved(call.pointer(0), position)));
        }
        // The byte counts only if the end does not come before it; it may be the end of the string itself.
        let mut found = self.terms.truth(false);
        for &(hit, end) in hits.iter().rev() {
            let goes_on = self.terms.not(end);
            let later = self.terms.both(goes_on, found);
            found = match limit {
                Some(_) => {
                    let hit_or_later = self.terms.any(&[hit, found]);
                    self.terms.both(goes_on, hit_or_later)
                }
                None => self.terms.any(&[hit, later]),
            };
        }
        self.place_if(call, found, position)
    }

    /// The argument moved, or null.
    fn place_if(&mut self, call: &Call<'_>, found: Term, position: Term) -> Called {
        let there = self.moved(call.pointer(0), position);
        let null = Pointer::null(&mut self.terms, self.address);
        let place = pointer::select(&mut self.terms, found, there.pointer(), &null);
        Some(Some(Symbol::Pointer(Rc::new(place))))
    }

    /// `strrchr`: the last place of a byte in a string, its terminating zero included.
    pub(super) fn find_last(&mut self, call: &Call<'_>) -> Called {
        let text = self.string_argument(call, 0, None)?;
        let wanted = self.byte_argument(call, 1);
        let mut open = self.terms.truth(true);
        let mut hits = Vec::new();
        for &(byte, inside) in &text.bytes {
            let hit = self.terms.equal(byte, wanted);
            hits.push(self.link(open, hit));
            open = inside;
        }
        self.last_place(call, &hits)
    }

    /// `memrchr`: all bytes are read.
    pub(super) fn find_last_in_block(&mut self, call: &Call<'_>) -> Called {
        let wanted = self.byte_argument(call, 1);
        let size = self.size_argument(call, 2);
        let mut view = self.view(call.here, call.pointer(0))?;
        let always = self.terms.truth(true);
        self.check_range(call.here, &view, size, always, false);
        let mut hits = Vec::new();
        for k in 0..self.most(&view, size) {
            let within = self.is_below(k, size);
            if k == MOST_BYTES {
                self.cut_where(call.here, within, format!("a block of more than {k} bytes"))?;
                break;
            }
            let Some(byte) = self.byte(call.here, &mut view, k, within, Demand::Written) else { break };
            let hit = self.terms.equal(byte, wanted);
            hits.push(self.terms.both(within, hit));
        }
        self.last_place(call, &hits)
    }

    fn last_place(&mut self, call: &Call<'_>, hits: &[Term]) -> Called {
        let mut position = self.terms.constant(self.address, 0);
        for (k, &hit) in hits.iter().enumerate() {
            let here = self.terms.constant(self.address, k as u64);
            position = self.terms.select(hit, here, position);
        }
        let found = self.terms.any(hits);
        self.place_if(call, found, position)
    }

    /// `strstr`.
    pub(super) fn find_string(&mut self, call: &Call<'_>) -> Called {
        let text = self.string_argument(call, 0, None)?;
        let wanted = self.string_argument(call, 1, None)?;
        if text.bytes.len() as u64 * wanted.bytes.len() as u64 > MOST_WRITES {
            self.unsupported(call.here, "a search in a long string for a long string");
            return None;
        }
        let mut open = self.terms.truth(true);
        let mut matches = Vec::new();
        for n in 0..text.bytes.len() {
            let same = self.matches_at(&text, n, &wanted);
            matches.push(self.link(open, same));
            open = text.bytes[n].1;
        }
        let position = self.first(&matches, 0);
        let found = self.terms.any(&matches);
        self.place_if(call, found, position)
    }

    /// Whether a string continues with another one from a byte on. Its terminating zero matches nothing.
    fn matches_at(&mut self, text: &Text, n: usize, wanted: &Text) -> Term {
        let mut matches = self.terms.truth(wanted.bytes.is_empty());
        for (j, &(byte, inside)) in wanted.bytes.iter().enumerate().rev() {
            let same = match text.bytes.get(n + j) {
                Some(&(other, _)) => self.terms.equal(byte, other),
                None => self.terms.truth(false),
            };
            let goes_on = self.terms.both(same, matches);
            let over = self.terms.not(inside);
            matches = self.terms.any(&[over, goes_on]);
        }
        matches
    }

    /// `strspn`, `strcspn`.
    pub(super) fn span_length(&mut self, call: &Call<'_>, span: Span) -> Called {
        let (length, _) = self.span_of(call, span)?;
        self.number(call, length)
    }

    /// `strpbrk`.
    pub(super) fn find_any(&mut self, call: &Call<'_>) -> Called {
        let (length, at_end) = self.span_of(call, Span::Outside)?;
        let found = self.terms.not(at_end);
        self.place_if(call, found, length)
    }

    /// The length of a span, and whether it reaches the end of the string.
    fn span_of(&mut self, call: &Call<'_>, span: Span) -> Option<(Term, Term)> {
        let set = self.string_argument(call, 1, None)?;
        let mut view = self.view(call.here, call.pointer(0))?;
        let reach = Reach { open: self.terms.truth(true), limit: None };
        let (mut stops, mut ends) = (Vec::new(), Vec::new());
        self.scan(call.here, &mut view, reach, |engine, _, byte, _| {
            let end = engine.terms.is(byte, 0);
            let belongs = engine.belongs(byte, &set);
            let leaves = if span == Span::Inside { engine.terms.not(belongs) } else { belongs };
            let stop = engine.terms.any(&[end, leaves]);
            stops.push(stop);
            ends.push(end);
            engine.terms.not(stop)
        })?;
        let mut at_end = self.terms.truth(true);
        for (&stop, &end) in stops.iter().zip(&ends).rev() {
            at_end = self.terms.select(stop, end, at_end);
        }
        Some((self.first(&stops, stops.len() as u64), at_end))
    }

    /// Whether a byte occurs in a string.
    pub(super) fn belongs(&mut self, byte: Term, set: &Text) -> Term {
        let mut ways = Vec::new();
        for &(member, inside) in &set.bytes {
            let same = self.terms.equal(byte, member);
            ways.push(self.terms.both(inside, same));
        }
        self.terms.any(&ways)
    }

    fn lower(&mut self, byte: Term) -> Term {
        let first = self.terms.constant(Width::W8, u64::from(b'A'));
        let distance = self.terms.op(IntOp::Sub, byte, first);
        let most = self.terms.constant(Width::W8, 25);
        let upper = self.terms.compare(IntCmp::Ule, distance, most);
        let by = self.terms.constant(Width::W8, 32);
        let moved = self.terms.add(byte, by);
        self.terms.select(upper, moved, byte)
    }
}
