//! Blocks, instructions, terminators.

use quipu_num::{Cast, FloatCmp, FloatOp, FloatUnary, Guard, IntCmp, IntOp, IntUnary, Width};

use super::lexer::Token;
use super::parser::{Failure, Parsed, Parser};
use crate::function::{BlockData, Cond, Decision, Value};
use crate::inst::{Callee, Case, Check, Edge, Inst, InstKind, Terminator, Unreachable};
use crate::module::Symbol;
use crate::ty::Ty;

impl Parser<'_> {
    /// A block, behind its id.
    pub(super) fn block(&mut self) -> Parsed<BlockData> {
        let params = if self.eat_punct(b'(') { self.list(b')', Self::definition)? } else { Vec::new() };
        self.punct(b':')?;
        let mut insts = Vec::new();
        loop {
            if let Some(term) = self.terminator()? {
                return Ok(BlockData { params, insts, term, span: self.span() });
            }
            insts.push(self.inst()?);
        }
    }

    fn inst(&mut self) -> Parsed<Inst> {
        let mut result = None;
        if matches!(self.token, Token::Value(_)) {
            result = Some(self.definition()?);
            self.punct(b'=')?;
        }
        let kind = self.inst_kind()?;
        Ok(Inst { result, kind, span: self.span() })
    }

    fn inst_kind(&mut self) -> Parsed<InstKind> {
        let Token::Word(word) = self.token else {
            return self.expected("an instruction");
        };
        if let Some(op) = find(&IntOp::ALL, word) {
            self.bump();
            let (a, b) = self.two()?;
            return Ok(InstKind::Int(op, a, b));
        }
        if let Some(op) = find(&IntCmp::ALL, word) {
            self.bump();
            let (a, b) = self.two()?;
            return Ok(InstKind::IntCmp(op, a, b));
        }
        let kind = match word {
            "nothing" | "stmt" | "slotaddr" | "slotend" | "alloca" | "load" | "store" | "loadbits"
            | "storebits" | "copy" | "zero" | "unspecify" => self.memory(word)?,
            "call" => self.direct_call()?,
            "call_indirect" => self.indirect_call()?,
            "check" => self.check()?,
            "select" | "ptrtoint" | "inttoptr" | "ptradd" | "ptrdiff" => self.pointer(word)?,
            _ => return self.rare(word),
        };
        Ok(kind)
    }

    /// Float and unary arithmetic, and the conversions.
    fn rare(&mut self, word: &str) -> Parsed<InstKind> {
        if let Some(op) = find(&FloatOp::ALL, word) {
            self.bump();
            let (a, b) = self.two()?;
            return Ok(InstKind::Float(op, a, b));
        }
        if let Some(op) = find(&FloatCmp::ALL, word) {
            self.bump();
            let (a, b) = self.two()?;
            return Ok(InstKind::FloatCmp(op, a, b));
        }
        if let Some(op) = find(&IntUnary::ALL, word) {
            self.bump();
            return Ok(InstKind::IntUnary(op, self.operand()?));
        }
        if let Some(op) = find(&FloatUnary::ALL, word) {
            self.bump();
            return Ok(InstKind::FloatUnary(op, self.operand()?));
        }
        if self.eat_word("fma") {
            let (a, b, c) = self.three()?;
            return Ok(InstKind::Fma(a, b, c));
        }
        let cast = self.cast(word)?;
        Ok(InstKind::Cast(cast, self.operand()?))
    }

    fn cast(&mut self, word: &str) -> Parsed<Cast> {
        let read = match word {
            "trunc" => |parser: &mut Self| Ok(Cast::Trunc(parser.width()?, parser.target_width()?)),
            "zext" => |parser: &mut Self| Ok(Cast::ZExt(parser.width()?, parser.target_width()?)),
            "sext" => |parser: &mut Self| Ok(Cast::SExt(parser.width()?, parser.target_width()?)),
            "fptosi" => {
                |parser: &mut Self| Ok(Cast::FloatToSigned(parser.float_width()?, parser.target_width()?))
            }
            "fptoui" => {
                |parser: &mut Self| Ok(Cast::FloatToUnsigned(parser.float_width()?, parser.target_width()?))
            }
            "sitofp" => |parser: &mut Self| {
                let from = parser.width()?;
                parser.arrow()?;
                Ok(Cast::SignedToFloat(from, parser.float_width()?))
            },
            "uitofp" => |parser: &mut Self| {
                let from = parser.width()?;
                parser.arrow()?;
                Ok(Cast::UnsignedToFloat(from, parser.float_width()?))
            },
            "fpext" => |_: &mut Self| Ok(Cast::Widen),
            "fptrunc" => |_: &mut Self| Ok(Cast::Narrow),
            "fpbits" => |parser: &mut Self| Ok(Cast::FloatBits(parser.float_width()?)),
            "bitsfp" => |parser: &mut Self| Ok(Cast::BitsFloat(parser.float_width()?)),
            _ => return self.expected("an instruction"),
        };
        self.bump();
        read(self)
    }

    fn target_width(&mut self) -> Parsed<Width> {
        self.arrow()?;
        self.width()
    }

    fn pointer(&mut self, word: &str) -> Parsed<InstKind> {
        self.bump();
        match word {
            "select" => self.three().map(|(a, b, c)| InstKind::Select(a, b, c)),
            "ptrtoint" => self.operand().map(InstKind::PtrToInt),
            "inttoptr" => self.operand().map(InstKind::IntToPtr),
            "ptradd" => self.two().map(|(a, b)| InstKind::PtrAdd(a, b)),
            _ => self.two().map(|(a, b)| InstKind::PtrDiff(a, b)),
        }
    }

    fn memory(&mut self, word: &str) -> Parsed<InstKind> {
        self.bump();
        match word {
            "nothing" => Ok(InstKind::Nothing),
            "stmt" => self.id("s").map(InstKind::Stmt),
            "slotaddr" => self.id("slot").map(InstKind::SlotAddr),
            "slotend" => self.id("slot").map(InstKind::SlotEnd),
            "alloca" => Ok(InstKind::Alloca { size: self.operand()?, align: self.number_after("align")? }),
            "load" => Ok(InstKind::Load {
                ptr: self.operand()?,
                align: self.number_after("align")?,
                volatile: self.eat_word("volatile"),
            }),
            "store" => {
                let (ptr, value) = self.two()?;
                let align = self.number_after("align")?;
                Ok(InstKind::Store { ptr, value, align, volatile: self.eat_word("volatile") })
            }
            "loadbits" => Ok(InstKind::LoadBits {
                ptr: self.operand()?,
                bit: self.number_after("bit")?,
                volatile: self.eat_word("volatile"),
            }),
            "storebits" => {
                let (ptr, value) = self.two()?;
                Ok(InstKind::StoreBits { ptr, bit: self.number_after("bit")?, value })
            }
            "copy" => {
                let (dst, src) = self.two()?;
                Ok(InstKind::Copy { dst, src, size: self.number_after("size")? })
            }
            "unspecify" => Ok(InstKind::Unspecify { dst: self.operand()?, size: self.number_after("size")? }),
            _ => Ok(InstKind::Zero { dst: self.operand()?, size: self.number_after("size")? }),
        }
    }

    fn number_after<T: TryFrom<u64>>(&mut self, keyword: &str) -> Parsed<T> {
        self.keyword(keyword)?;
        self.unsigned()
    }

    fn direct_call(&mut self) -> Parsed<InstKind> {
        self.bump();
        let at = self.at;
        let Symbol::Func(func) = self.symbol()? else {
            return Err(Failure { at, message: "expected a function".to_owned() });
        };
        Ok(InstKind::Call(Callee::Direct(func), self.args()?))
    }

    fn indirect_call(&mut self) -> Parsed<InstKind> {
        self.bump();
        let pointer = self.operand()?;
        Ok(InstKind::Call(Callee::Indirect(pointer), self.args()?))
    }

    fn args(&mut self) -> Parsed<Vec<Value>> {
        self.punct(b'(')?;
        self.list(b')', Self::operand)
    }

    fn check(&mut self) -> Parsed<InstKind> {
        self.bump();
        let check =
            if self.eat_word("same_object") { Check::SameObject } else { Check::Guard(self.guard()?) };
        let (a, b) = self.two()?;
        Ok(InstKind::Check(check, a, b))
    }

    fn guard(&mut self) -> Parsed<Guard> {
        let Token::Word(word) = self.token else {
            return self.expected("a guard");
        };
        let of_width = match word {
            "add_fits" => Guard::AddFits,
            "sub_fits" => Guard::SubFits,
            "mul_fits" => Guard::MulFits,
            "nonzero" => Guard::NonZero,
            "any_bit" => Guard::AnyBit,
            "quotient_fits" => Guard::QuotientFits,
            "shl_fits" => Guard::ShlFits,
            "index_below" => Guard::IndexBelow,
            "index_at_most" => Guard::IndexAtMost,
            "shift_in_range" => return self.shift_guard(),
            "float_fits" => return self.float_guard(),
            _ => return self.expected("a guard"),
        };
        self.bump();
        self.width().map(of_width)
    }

    fn shift_guard(&mut self) -> Parsed<Guard> {
        self.bump();
        let shifted = self.width()?;
        self.keyword("by")?;
        Ok(Guard::ShiftInRange { amount: self.width()?, shifted })
    }

    fn float_guard(&mut self) -> Parsed<Guard> {
        self.bump();
        let from = self.float_width()?;
        self.arrow()?;
        let signed = self.signedness()?;
        Ok(Guard::FloatFits { from, to: self.width()?, signed })
    }

    /// The terminator, if one comes next.
    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let Token::Word(word) = self.token else {
            return Ok(None);
        };
        let read = match word {
            "jump" => |parser: &mut Self| parser.edge().map(Terminator::Jump),
            "br" => Self::branch,
            "switch" => Self::switch,
            "ret" => |parser: &mut Self| {
                let value = if parser.at_operand() { Some(parser.operand()?) } else { None };
                Ok(Terminator::Return(value))
            },
            "ret_missing" => |_: &mut Self| Ok(Terminator::ReturnMissing),
            "unreachable" => Self::unreachable,
            _ => return Ok(None),
        };
        self.bump();
        read(self).map(Some)
    }

    fn branch(&mut self) -> Parsed<Terminator> {
        let value = self.operand()?;
        self.punct(b',')?;
        let then = self.edge()?;
        self.punct(b',')?;
        let otherwise = self.edge()?;
        let cond: Option<Cond> = if self.eat_punct(b',') { Some(self.id("c")?) } else { None };
        Ok(Terminator::Branch { value, then, otherwise, cond })
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        let ty = self.ty()?;
        let value = self.operand()?;
        let decision: Option<Decision> = if self.eat_punct(b',') { Some(self.id("d")?) } else { None };
        self.punct(b'{')?;
        let mut cases = Vec::new();
        while self.eat_word("case") {
            cases.push(self.case(ty)?);
        }
        self.keyword("default")?;
        self.punct(b':')?;
        let default = self.edge()?;
        self.punct(b'}')?;
        Ok(Terminator::Switch { value, cases, default, decision })
    }

    fn case(&mut self, ty: Ty) -> Parsed<Case> {
        let low = self.number_of(ty)?;
        let high = if self.eat(Token::Range) { self.number_of(ty)? } else { low };
        self.punct(b':')?;
        let edge = self.edge()?;
        Ok(Case { low, high, span: self.span(), edge })
    }

    fn unreachable(&mut self) -> Parsed<Terminator> {
        let why = self.word("`noreturn` or `declared`", |word| match word {
            "noreturn" => Some(Unreachable::NoReturn),
            "declared" => Some(Unreachable::Declared),
            _ => None,
        })?;
        Ok(Terminator::Unreachable(why))
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let target = self.id("bb")?;
        let args = if self.token == Token::Punct(b'(') { self.args()? } else { Vec::new() };
        let mut outcome = None;
        if self.eat_punct(b'[') {
            outcome = Some(self.bool()?);
            self.punct(b']')?;
        }
        Ok(Edge { target, args, outcome })
    }

    fn two(&mut self) -> Parsed<(Value, Value)> {
        let a = self.operand()?;
        self.punct(b',')?;
        Ok((a, self.operand()?))
    }

    fn three(&mut self) -> Parsed<(Value, Value, Value)> {
        let (a, b) = self.two()?;
        self.punct(b',')?;
        Ok((a, b, self.operand()?))
    }
}

/// The operation of a name in its table.
fn find<T: Copy>(table: &[(T, &'static str)], name: &str) -> Option<T> {
    table.iter().find(|(_, each)| *each == name).map(|(op, _)| *op)
}
