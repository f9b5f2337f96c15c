//! Declarations of bit-fields, rewritten so that records are laid out as gcc does it.
//!
//! `rucc` and gcc differ on two kinds of bit-fields. What a program says about them is said again in words on which
//! they agree, in the token stream, before anything is computed from a layout:
//!
//! - A bit-field with an `aligned(n)` attribute starts at a multiple of `n` bytes and then keeps to the rules of its
//!   type; `rucc` takes it to a multiple of the type's alignment as well. It becomes a zero-width field of a type of
//!   alignment `n` in front of a bit-field without the attribute, and the record is aligned to `n`.
//! - Under `#pragma pack`, gcc ignores `packed` on bit-fields: they are as close as the pragma makes them anyway, but
//!   raise the alignment of the record. So `packed` stays only on the other members.
//!
//! Where the attributes stand is read from `rucc`'s syntax tree, made from tokens whose places are their numbers.
//!
//! The rest, which nobody seems to write, is refused: an alignment that is not a number; a bit-field with one that
//! follows another in the declaration that defines their type; one of 64 bits where `long long` is aligned to less,
//! which raises the record's alignment or not depending on where it falls; and a bit-field whose type has a name with
//! an alignment below the type's own or above its size.

use std::ops::Range;

use rucc_ast::{
    Ast, AttrArg, AttrList, Attribute, DeclSpecs, DeclSpecsId, Expr, ExprId, Field, Member, RecordKind,
    TypeSpec,
};
use rucc_base::Interner;
use rucc_diag::{Diagnostic, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct};
use rucc_target::TargetInfo;
use rucc_types::{TypeKind, Types};

use crate::token_edits::{Edits, Text};

/// What gcc takes `aligned` without a number for, on x86.
const LARGEST_ALIGNMENT: u64 = 16;

/// The tokens with such bit-fields rewritten; none if there is nothing to rewrite. `parse` makes the syntax tree.
pub(crate) fn rewrite(
    tokens: &[PpToken],
    target: &TargetInfo,
    interner: &mut Interner,
    parse: impl FnOnce(&[PpToken], &Interner) -> Option<Ast>,
) -> Result<Option<Vec<PpToken>>, Diagnostic> {
    if !mentions_alignment(tokens, interner) {
        return Ok(None);
    }
    // What does not parse is reported when it is parsed in earnest.
    let Some(mut ast) = parse(&numbered(tokens), interner) else { return Ok(None) };
    let n_specs = ast.add_specs(DeclSpecs::empty(Span::DUMMY)).index();
    let mut plan =
        Plan { ast: &ast, tokens, target, interner, edits: Edits::default(), alignments: Vec::new() };
    for n in 0..n_specs {
        if let TypeSpec::Record { kind, fields: Some(members), attrs, pragmas, .. } =
            ast[DeclSpecsId::from_usize(n)].ty
        {
            let fields: Vec<Field> = ast[members].iter().filter_map(field).collect();
            plan.record(kind, &fields, attrs, pragmas.pack.map(u64::from))?;
        }
    }
    let edits = plan.finish();
    Ok((!edits.is_empty()).then(|| edits.apply(tokens, interner)))
}

/// Refuses bit-fields of types with names that have an alignment of their own.
pub(crate) fn refuse_aligned_types(
    tokens: &[PpToken],
    types: &Types,
    target: &TargetInfo,
) -> Result<(), Diagnostic> {
    let fields = types.records().flat_map(|(_, record)| record.fields.iter());
    let is_odd = |field: &&rucc_types::Field| {
        let own = rucc_types::layout(types, types.canonical(field.ty), target);
        let asked = types.align_override(field.ty).map(|align| u64::from(align.get()));
        asked.zip(own.ok()).is_some_and(|(asked, own)| asked < own.align || asked > own.size)
    };
    let Some(field) = fields.filter(|field| field.bits > Some(0)).find(is_odd) else { return Ok(()) };
    let place = declaration_of(field, tokens, types).unwrap_or(Span::DUMMY);
    Err(refusal("the type of a bit-field has a name with an alignment of its own", place))
}

/// Where `typedef-name field :` stands.
fn declaration_of(field: &rucc_types::Field, tokens: &[PpToken], types: &Types) -> Option<Span> {
    let TypeKind::Typedef { name: type_name, .. } = types.kind(field.ty) else { return None };
    let is = |token: &PpToken, name| token.kind == PpTokenKind::Ident && token.value == name;
    let declares = |two: &&[PpToken]| {
        let named = is(&two[1], field.name);
        let unnamed = field.name.is_none() && two[1].punct() == Some(Punct::Colon);
        is(&two[0], Some(type_name)) && (named || unnamed)
    };
    tokens.windows(2).find(declares).map(|two| two[0].span)
}

fn refusal(what: &str, place: Span) -> Diagnostic {
    Diagnostic::error(what, place).note("gcc's layout of such a record is not known", place)
}

/// Most units need no second look: they have neither attribute on anything.
fn mentions_alignment(tokens: &[PpToken], interner: &mut Interner) -> bool {
    const NAMES: [&str; 4] = ["aligned", "__aligned__", "packed", "__packed__"];
    let names = NAMES.map(|name| interner.intern(name));
    let is_name = |token: &PpToken| token.value.is_some_and(|value| names.contains(&value));
    tokens.iter().any(|token| token.kind == PpTokenKind::Ident && is_name(token))
}

/// The tokens with their numbers for places, for the places of tokens from macros are not their own.
fn numbered(tokens: &[PpToken]) -> Vec<PpToken> {
    let place = |n: usize| Span::new(n as u32, n as u32 + 1);
    tokens.iter().enumerate().map(|(n, token)| PpToken { span: place(n), ..*token }).collect()
}

/// The numbers of the tokens of a part of the tree.
fn range(span: Span) -> Range<usize> {
    span.lo as usize..span.hi as usize
}

fn field(member: &Member) -> Option<Field> {
    match member {
        Member::Field(field) => Some(*field),
        Member::StaticAssert { .. } => None,
    }
}

/// The changes found so far.
struct Plan<'a> {
    ast: &'a Ast,
    tokens: &'a [PpToken],
    target: &'a TargetInfo,
    interner: &'a Interner,
    edits: Edits,
    /// The alignments of the types that zero-width fields need.
    alignments: Vec<u64>,
}

impl Plan<'_> {
    /// All changes, with the declarations of the types that they use.
    fn finish(mut self) -> Edits {
        self.alignments.sort_unstable();
        self.alignments.dedup();
        for &alignment in &self.alignments {
            let (name, attribute) = (aligned_type(alignment), aligned_attribute(alignment));
            self.edits.insert(0, Text::of(format!("typedef char {name} {attribute};")));
        }
        self.edits
    }

    fn record(
        &mut self,
        kind: RecordKind,
        fields: &[Field],
        attrs: AttrList,
        pack: Option<u64>,
    ) -> Result<(), Diagnostic> {
        let has_bit_fields = fields.iter().any(|field| field.bits.is_some());
        // `ms_struct` asks for the rules of another compiler.
        if !has_bit_fields || self.attributes(attrs, "ms_struct").next().is_some() {
            return Ok(());
        }
        if pack.is_some() {
            self.unpack_bit_fields(fields, attrs);
        }
        let mut of_record = None;
        for (n, field) in fields.iter().enumerate() {
            let Some(alignment) = self.bit_field_alignment(field, pack)? else { continue };
            // All members of a union start where it does.
            if kind == RecordKind::Struct {
                let starts_declaration = n == 0 || fields[n - 1].specs != field.specs;
                self.start_at_multiple(field, starts_declaration, alignment)?;
            }
            let raises = if field.declarator.is_some() { alignment } else { 1 };
            of_record = of_record.max(Some(raises));
        }
        match of_record {
            Some(alignment) => self.realign(fields, alignment),
            None => Ok(()),
        }
    }

    /// Takes `packed` from the record, its members and their declarations, and gives it back to the members that had it
    /// but are not bit-fields.
    fn unpack_bit_fields(&mut self, fields: &[Field], attrs: AttrList) {
        let all = self.remove(attrs, "packed");
        for field in fields {
            let specs = self.ast[field.specs];
            let own = self.remove(field.attrs, "packed");
            let declared = self.remove(specs.attrs, "packed");
            if field.bits.is_none() && (all || own || declared) {
                // Behind a record without a declarator it would speak of the record.
                let named = field.declarator.is_some();
                let at = if named { range(field.span).end } else { range(specs.span).start };
                self.edits.insert(at, Text::of("__attribute__((packed))"));
            }
        }
    }

    /// The alignment that the attributes of a bit-field ask for, as far as the pragma lets them.
    fn bit_field_alignment(&self, field: &Field, pack: Option<u64>) -> Result<Option<u64>, Diagnostic> {
        let Some(bits) = field.bits else { return Ok(None) };
        let Some(asked) = self.alignment(&[field.attrs, self.ast[field.specs].attrs])? else {
            return Ok(None);
        };
        let width = self.literal(bits);
        if self.target.scalars.long_long_align < 8 && width.is_none_or(|width| width == 64) {
            return Err(self.refusal("a bit-field of 64 bits has an alignment", field.span));
        }
        // The pragma says nothing to a field of no width.
        let limit = pack.filter(|_| width != Some(0));
        Ok(Some(limit.map_or(asked, |limit| asked.min(limit))))
    }

    /// Declares a field of no width in front of another, which may stand in the middle of a declaration.
    fn start_at_multiple(
        &mut self,
        field: &Field,
        starts_declaration: bool,
        alignment: u64,
    ) -> Result<(), Diagnostic> {
        self.alignments.push(alignment);
        let filler = format!("{} : 0;", aligned_type(alignment));
        let specs = range(self.ast[field.specs].span);
        if starts_declaration {
            self.edits.insert(specs.start, Text::of(filler));
            return Ok(());
        }
        let is_brace = |token: &PpToken| token.punct() == Some(Punct::LBrace);
        if self.tokens[specs.clone()].iter().any(is_brace) {
            return Err(self.refusal("an aligned bit-field shares the definition of its type", field.span));
        }
        let comma = range(field.span).start - 1;
        self.edits.replace(comma..comma + 1, Text::of(format!("; {filler}")).and_again(specs));
        Ok(())
    }

    /// Takes `aligned` from bit-fields, and gives it to the record and back to members that have it from a declaration
    /// that they share with bit-fields.
    fn realign(&mut self, fields: &[Field], of_record: u64) -> Result<(), Diagnostic> {
        for field in fields {
            let declared = self.ast[field.specs].attrs;
            let shares = |other: &Field| other.bits.is_some() && other.specs == field.specs;
            if field.bits.is_some() {
                self.remove(field.attrs, "aligned");
                self.remove(declared, "aligned");
            } else if let (true, Some(alignment)) = (fields.iter().any(shares), self.alignment(&[declared])?)
            {
                self.edits.insert(range(field.span).end, Text::of(aligned_attribute(alignment)));
            }
        }
        let end = fields.last().map_or(0, |last| range(last.span).end);
        let is_brace = |token: &PpToken| token.punct() == Some(Punct::RBrace);
        let brace = end + self.tokens[end..].iter().position(is_brace).expect("a record should end");
        self.edits.insert(brace + 1, Text::of(aligned_attribute(of_record)));
        Ok(())
    }

    /// Removes the attributes of a name from a list; whether there was one.
    fn remove(&mut self, attrs: AttrList, name: &'static str) -> bool {
        let found: Vec<Attribute> = self.attributes(attrs, name).collect();
        found.iter().for_each(|attr| self.edits.remove(range(attr.span)));
        !found.is_empty()
    }

    /// The attributes of a name in a list, however that is spelled.
    fn attributes(&self, attrs: AttrList, name: &'static str) -> impl Iterator<Item = Attribute> + use<'_> {
        let text = |symbol| self.interner.resolve(symbol);
        self.ast[attrs].iter().copied().filter(move |attr| {
            let spelled = text(attr.name);
            let bare = spelled.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
            bare.unwrap_or(spelled) == name && attr.namespace.is_none_or(|space| text(space) == "gnu")
        })
    }

    /// The largest alignment that the `aligned` attributes in lists ask for.
    fn alignment(&self, lists: &[AttrList]) -> Result<Option<u64>, Diagnostic> {
        let mut largest = None;
        for attr in lists.iter().flat_map(|&attrs| self.attributes(attrs, "aligned")) {
            let asked = match self.ast[attr.args] {
                [] => Some(LARGEST_ALIGNMENT),
                [AttrArg::Expr(expr)] => self.literal(expr).filter(|n| n.is_power_of_two()),
                _ => None,
            };
            let what = "the alignment of a bit-field is not written as a power of two";
            largest = largest.max(Some(asked.ok_or_else(|| self.refusal(what, attr.span))?));
        }
        Ok(largest)
    }

    fn literal(&self, expr: ExprId) -> Option<u64> {
        match self.ast[expr] {
            Expr::Int(id) => u64::try_from(self.ast[id].value).ok(),
            _ => None,
        }
    }

    fn refusal(&self, what: &str, span: Span) -> Diagnostic {
        refusal(what, self.tokens[range(span).start].span)
    }
}

/// The name of a type that is only used for fields without a width.
fn aligned_type(alignment: u64) -> String {
    format!("__quipu_aligned_{alignment}")
}

fn aligned_attribute(alignment: u64) -> String {
    format!("__attribute__((aligned({alignment})))")
}
