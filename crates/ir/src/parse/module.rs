//! The module: data model, files, source types, global objects.

use quipu_base::IdVec;

use super::lexer::Token;
use super::parser::{Failure, Parsed, Parser, read_id};
use crate::module::{DataModel, GlobalData, Init, Module, Reloc, Symbol, View};
use crate::source::FileId;
use crate::source_type::{Field, RecordKind, SourceType, TypeId};

impl Parser<'_> {
    /// The whole text.
    pub(super) fn module(mut self) -> Parsed<Module> {
        self.keyword("module")?;
        let data_model = self.word("`lp64` or `ilp32`", |word| match word {
            "lp64" => Some(DataModel::Lp64),
            "ilp32" => Some(DataModel::Ilp32),
            _ => None,
        })?;
        let mut module = Module {
            data_model,
            files: IdVec::new(),
            types: IdVec::new(),
            globals: IdVec::new(),
            functions: IdVec::new(),
            views: Vec::new(),
        };
        while self.token != Token::End {
            self.item(&mut module)?;
        }
        Ok(module)
    }

    fn item(&mut self, module: &mut Module) -> Parsed<()> {
        const ITEMS: &str = "`global`, `func`, `view`, a file or a type";
        let Token::Word(word) = self.token else {
            return self.expected(ITEMS);
        };
        if word == "global" {
            self.bump();
            let global = self.global(Symbol::Global(module.globals.next_id()))?;
            module.globals.push(global);
        } else if word == "func" {
            self.bump();
            let function = self.function(module.functions.next_id())?;
            module.functions.push(function);
        } else if word == "view" {
            self.bump();
            let hidden = self.id::<TypeId>("t")?;
            self.keyword("as")?;
            let shown = self.id::<TypeId>("t")?;
            module.views.push(View { hidden, shown });
        } else if read_id::<FileId>(word, "file").is_some() {
            self.next_id("file", module.files.next_id())?;
            self.punct(b'=')?;
            module.files.push(self.text()?);
        } else if read_id::<TypeId>(word, "t").is_some() {
            self.next_id("t", module.types.next_id())?;
            self.punct(b'=')?;
            module.types.push(self.source_type()?);
        } else {
            return self.expected(ITEMS);
        }
        Ok(())
    }

    fn source_type(&mut self) -> Parsed<SourceType> {
        let Token::Word(word) = self.token else {
            return self.expected("a source type");
        };
        let read = match word {
            "void" => |_: &mut Self| Ok(SourceType::Void),
            "bool" => |_: &mut Self| Ok(SourceType::Bool),
            "int" => Self::int_type,
            "enum" => Self::enum_type,
            "float" => |parser: &mut Self| Ok(SourceType::Float { bits: parser.unsigned()? }),
            "pointer" => |parser: &mut Self| Ok(SourceType::Pointer { to: parser.id("t")? }),
            "array" => Self::array_type,
            "struct" => |parser: &mut Self| parser.record_type(RecordKind::Struct),
            "union" => |parser: &mut Self| parser.record_type(RecordKind::Union),
            "function" => Self::function_type,
            "typedef" => {
                |parser: &mut Self| Ok(SourceType::Typedef { name: parser.text()?, of: parser.id("t")? })
            }
            "unsupported" => |parser: &mut Self| Ok(SourceType::Unsupported(parser.text()?)),
            _ => return self.expected("a source type"),
        };
        self.bump();
        read(self)
    }

    fn int_type(&mut self) -> Parsed<SourceType> {
        let name = self.text()?;
        let signed = self.signedness()?;
        Ok(SourceType::Int { name, bits: self.unsigned()?, signed })
    }

    fn enum_type(&mut self) -> Parsed<SourceType> {
        let tag = self.optional_text()?;
        let signed = self.signedness()?;
        let bits = self.unsigned()?;
        self.punct(b'{')?;
        let enumerators = self.list(b'}', |parser| {
            let name = parser.name()?;
            parser.punct(b'=')?;
            Ok((name, parser.signed()?))
        })?;
        Ok(SourceType::Enum { tag, bits, signed, enumerators })
    }

    pub(super) fn signedness(&mut self) -> Parsed<bool> {
        self.word("`signed` or `unsigned`", |word| match word {
            "signed" => Some(true),
            "unsigned" => Some(false),
            _ => None,
        })
    }

    fn array_type(&mut self) -> Parsed<SourceType> {
        let element = self.id("t")?;
        self.punct(b'[')?;
        let len = if self.eat_punct(b']') {
            None
        } else {
            let len = self.unsigned()?;
            self.punct(b']')?;
            Some(len)
        };
        Ok(SourceType::Array { element, len })
    }

    fn record_type(&mut self, kind: RecordKind) -> Parsed<SourceType> {
        let tag = self.optional_text()?;
        let size = if self.eat_word("size") { Some(self.unsigned()?) } else { None };
        self.keyword("align")?;
        let align = self.unsigned()?;
        self.punct(b'{')?;
        let fields = self.list(b'}', Self::field)?;
        Ok(SourceType::Record { kind, tag, size, align, fields })
    }

    fn field(&mut self) -> Parsed<Field> {
        let (name, ty) = self.labelled("a type `t…`", |word| read_id(word, "t"))?;
        self.keyword("at")?;
        let offset = self.unsigned()?;
        let mut bits = None;
        if self.eat_word("bit") {
            let first = self.unsigned()?;
            self.keyword("width")?;
            bits = Some((first, self.unsigned()?));
        }
        Ok(Field { name, ty, offset, bits })
    }

    /// A word that `read` must know, with a name and a colon in front of it if there is one. The name may
    /// look like such a word; only the colon tells.
    pub(super) fn labelled<T>(
        &mut self,
        what: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Parsed<(Option<String>, T)> {
        let start = self.token;
        if matches!(start, Token::Str(_)) {
            let name = self.name()?;
            self.punct(b':')?;
            return Ok((Some(name), self.word(what, read)?));
        }
        let Token::Word(word) = start else {
            return self.expected(what);
        };
        let at = self.at;
        self.bump();
        if self.eat_punct(b':') {
            return Ok((Some(word.to_owned()), self.word(what, read)?));
        }
        match read(word) {
            Some(read) => Ok((None, read)),
            None => Err(Failure { at, message: format!("expected {what}") }),
        }
    }

    fn function_type(&mut self) -> Parsed<SourceType> {
        let variadic = self.eat_word("variadic");
        self.punct(b'(')?;
        let params = self.list(b')', |parser| Ok((parser.eat_word("const"), parser.id::<TypeId>("t")?)))?;
        self.arrow()?;
        let (constant, params) = params.into_iter().unzip();
        Ok(SourceType::Function { ret: self.id("t")?, params, constant, variadic })
    }

    fn global(&mut self, symbol: Symbol) -> Parsed<GlobalData> {
        let local = self.eat_word("local");
        let block_scope = self.eat_word("block");
        let weak = self.eat_word("weak");
        let constant = self.eat_word("const");
        let name = self.declared_name(symbol)?;
        let source_name = if self.eat_word("unnamed") { None } else { Some(self.source_name(&name)?) };
        self.punct(b':')?;
        let ty = self.id("t")?;
        self.keyword("size")?;
        let size = self.unsigned()?;
        self.keyword("align")?;
        let align = self.unsigned()?;
        self.punct(b'=')?;
        let init = self.init()?;
        let span = self.span();
        Ok(GlobalData { name, source_name, ty, size, align, constant, local, block_scope, weak, init, span })
    }

    /// `as "name"`, or else the module's name.
    pub(super) fn source_name(&mut self, name: &str) -> Parsed<String> {
        if self.eat_word("as") { self.text() } else { Ok(name.to_owned()) }
    }

    fn init(&mut self) -> Parsed<Init> {
        if self.eat_word("external") {
            return Ok(Init::External);
        }
        if self.eat_word("device") {
            return Ok(Init::Device { address: self.unsigned()? });
        }
        let bytes = if self.eat_word("zero") { Vec::new() } else { self.bytes()? };
        let relocs = if self.eat_punct(b'[') { self.list(b']', Self::reloc)? } else { Vec::new() };
        Ok(Init::Data { bytes, relocs })
    }

    fn reloc(&mut self) -> Parsed<Reloc> {
        let offset = self.unsigned()?;
        self.punct(b':')?;
        Ok(Reloc { offset, symbol: self.symbol()?, addend: self.offset()? })
    }
}
