//! The way to a violation, decision by decision.

use quipu_analysis::labels;
use quipu_cfront::Program;
use quipu_cover::Decided;
use quipu_goals::{are_signed, balanced};
use quipu_ir::{Func, FuncBody, InstKind, Span, Terminator, Ty};
use quipu_num::{IntCmp, Width};

/// A decision in the words of the source.
pub(super) struct Told {
    pub span: Span,
    pub text: String,
    /// `true`, `false`, or the arm of a switch.
    pub outcome: String,
    /// The values compared.
    pub values: Option<[String; 2]>,
}

pub(super) fn told(program: &Program, decided: &Decided) -> Told {
    let code = program.module.functions[decided.func].code().expect("decisions are in code");
    let span = decided.span(&program.module);
    let outcome = match &code.blocks[decided.block].term {
        Terminator::Switch { .. } => labels::ways(code, decided.block).swap_remove(decided.edge),
        _ => (decided.edge == 0).to_string(),
    };
    let text = balanced(decided.text(&program.module));
    let mut values = values(program, code, decided);
    if is_greater(&text) {
        values.iter_mut().for_each(|pair| pair.swap(0, 1));
    }
    Told { span, text, outcome, values }
}

/// Whether a condition asks which number is greater: the IR has `<` only, with the operands the other way round.
fn is_greater(text: &str) -> bool {
    let mut depth = 0;
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if depth == 0 && before != '-' && before != '>' && letters.peek() != Some(&'>') => {
                return true;
            }
            _ => {}
        }
        before = letter;
    }
    false
}

/// The operands of the comparison that decides.
fn values(program: &Program, code: &FuncBody, decided: &Decided) -> Option<[String; 2]> {
    let (inst, a, b) = decided.compared?;
    let kind = &code.blocks[decided.block].insts[inst].kind;
    let (InstKind::IntCmp(_, left, right) | InstKind::FloatCmp(_, left, right)) = *kind else { return None };
    let signed = match kind {
        InstKind::IntCmp(IntCmp::Slt | IntCmp::Sle, ..) => true,
        InstKind::IntCmp(IntCmp::Ult | IntCmp::Ule, ..) => false,
        _ => is_signed(program, decided.func, left, right),
    };
    let texts = [(left, a), (right, b)].map(|(value, bits)| number(code.ty(value), bits, signed));
    match texts {
        [Some(a), Some(b)] => Some([a, b]),
        _ => None,
    }
}

fn is_signed(program: &Program, func: Func, a: quipu_ir::Value, b: quipu_ir::Value) -> bool {
    are_signed(&program.module, func, a, b)
}

/// A value as text; pointers have none that would help.
fn number(ty: Ty, bits: u64, signed: bool) -> Option<String> {
    match ty {
        Ty::Int(width) if width == Width::W1 => None,
        Ty::Int(width) if signed => Some(width.signed(bits).to_string()),
        Ty::Int(_) => Some(bits.to_string()),
        Ty::F32 => Some(format!("{:?}", f32::from_bits(bits as u32))),
        Ty::Float(_) => Some(format!("{:?}", f64::from_bits(bits))),
        _ => None,
    }
}
