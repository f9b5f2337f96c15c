//! The names of a unit: which function or object each declaration is.

use quipu_ir::{Body, Func, Function, Global, GlobalData, Init, Param, Span, Symbol, Ty, Unsupported};
use quipu_num::Width;
use rucc_sema::{
    DeclFlags, DeclId, DeclKind, Definition, Emission, ExprId, Linkage, Priority, StmtId, StorageDuration,
    StrId, Tast,
};
use rustc_hash::FxHashMap;

use super::Lowered;
use super::function::lower_function;
use crate::diagnostic::{Diagnostic, Failure};
use crate::link::{Linker, Strength};
use crate::spans::{self, Locator};
use crate::types::{UnitTypes, Unrepresentable};
use crate::unit::Unit;
use crate::weak;

/// Library functions that never return, also where they are declared without saying so.
const NEVER_RETURN: [&str; 5] = ["abort", "exit", "_Exit", "_exit", "quick_exit"];

/// What is known while a unit is lowered.
pub(crate) struct UnitLower<'a> {
    pub(super) unit: &'a Unit,
    pub(super) tast: &'a Tast,
    pub(super) linker: &'a mut Linker,
    pub(super) types: UnitTypes<'a>,
    locator: Locator<'a>,
    symbols: FxHashMap<DeclId, Symbol>,
    strings: FxHashMap<StrId, Global>,
    unsupported_objects: FxHashMap<DeclId, Unsupported>,
    /// What the type names stand for that declarations were written with.
    spellings: FxHashMap<DeclId, rucc_types::TypeId>,
    /// Functions of system headers that are used and not yet lowered.
    used_late: Vec<DeclId>,
    errors: Vec<Diagnostic>,
}

impl<'a> UnitLower<'a> {
    pub(super) fn new(unit: &'a Unit, linker: &'a mut Linker) -> UnitLower<'a> {
        UnitLower {
            unit,
            tast: &unit.tast,
            linker,
            types: UnitTypes::new(&unit.types, &unit.session.target, &unit.session.interner),
            locator: Locator::new(
                &unit.session.sources,
                (unit.main_file, unit.original.as_ref()),
                &unit.separators,
            ),
            symbols: FxHashMap::default(),
            strings: FxHashMap::default(),
            unsupported_objects: FxHashMap::default(),
            spellings: unit.tast.spellings().iter().map(|&(decl, _, named)| (decl, named)).collect(),
            used_late: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Lowers everything that the unit defines. What it only declares is entered where it is used, and so are
    /// the functions that a system header defines.
    pub(super) fn lower(mut self) -> Result<(), Failure> {
        for &decl in self.tast.top_level() {
            let data = &self.tast[decl];
            match data.kind {
                DeclKind::Function if data.body.is_some() && !self.waits_for_use(decl) => {
                    self.define_function(decl)
                }
                // An object without a representation is reported by the functions that use it.
                DeclKind::Object if data.state != Definition::Declared || data.alias.is_some() => {
                    drop(self.object(decl))
                }
                DeclKind::Function if data.alias.is_some() => drop(self.function(decl)),
                _ => {}
            }
        }
        while let Some(decl) = self.used_late.pop() {
            self.define_function(decl);
        }
        match self.errors.is_empty() {
            true => Ok(()),
            false => Err(Failure { errors: self.errors }),
        }
    }

    /// Whether a function with a body belongs to a system header, and so to the program only if it is used.
    fn waits_for_use(&self, decl: DeclId) -> bool {
        let data = &self.tast[decl];
        let is_shared = data.linkage == Linkage::External && data.inline != Emission::Inline;
        data.body.is_some() && !is_shared && self.unit.session.sources.is_system(self.tast.decl_span(decl).lo)
    }

    fn define_function(&mut self, decl: DeclId) {
        let func = self.function(decl);
        let data = &self.tast[decl];
        let strength = match data.flags.contains(DeclFlags::WEAK) {
            _ if data.inline == Emission::Inline => Strength::Inline,
            true => Strength::Weak,
            false => Strength::Strong,
        };
        let startup = data.startup;
        let mut definition = match self.interface(decl) {
            Ok(interface) => interface,
            Err(what) => self.unrepresentable_interface(decl, what),
        };
        if let Some(unsupported) = self.emptied_body(decl) {
            definition.body = Body::Unsupported(vec![unsupported]);
        }
        if let Body::Declared = definition.body {
            definition.body = match lower_function(self, decl, &definition) {
                Ok(body) => Body::Defined(Box::new(body)),
                Err(unsupported) => Body::Unsupported(vec![unsupported]),
            };
        }
        let linked = self.linker.define_function(func, definition, strength);
        self.report(linked, decl);
        if let Some(priority) = startup.before {
            self.linker.startup.add_constructor(func, order(priority));
        }
        if let Some(priority) = startup.after {
            self.linker.startup.add_destructor(func, order(priority));
        }
    }

    /// Why the body of a function was left out before it was checked.
    fn emptied_body(&mut self, decl: DeclId) -> Option<Unsupported> {
        let brace = self.tast.stmt_span(self.tast[decl].body?).lo;
        let emptied = self.unit.emptied.iter().find(|emptied| emptied.brace == brace)?;
        Some(Unsupported { what: emptied.what.clone(), span: self.span(emptied.at) })
    }

    /// The function behind a declaration.
    pub(super) fn function(&mut self, decl: DeclId) -> Func {
        if let Some(&Symbol::Func(func)) = self.symbols.get(&decl) {
            return func;
        }
        if let Some(target) = self.alias_target(decl) {
            return self.function_alias(decl, target);
        }
        let interface = match self.interface(decl) {
            Ok(interface) => interface,
            Err(what) => self.unrepresentable_interface(decl, what),
        };
        // A body that is lowered later replaces the declaration.
        let func = self.linker.declare_function(Function { body: Body::Declared, ..interface });
        self.symbols.insert(decl, Symbol::Func(func));
        if self.waits_for_use(decl) {
            self.used_late.push(decl);
        }
        func
    }

    /// What `__attribute__((alias("target")))` makes a declaration another name of.
    fn alias_target(&self, decl: DeclId) -> Option<DeclId> {
        let wanted = self.string_text(self.tast[decl].alias?);
        let kind = self.tast[decl].kind;
        let same =
            |&other: &DeclId| self.tast[other].kind == kind && self.decl_name(other) == Some(wanted.as_str());
        self.tast.top_level().iter().copied().find(same).filter(|&target| target != decl)
    }

    /// A second name of a function. Another definition may take the place of a weak one, which is therefore a function
    /// of its own that calls the other.
    fn function_alias(&mut self, decl: DeclId, target: DeclId) -> Func {
        let func = self.function(target);
        if !self.tast[decl].flags.contains(DeclFlags::WEAK) {
            self.enter_alias(decl, Symbol::Func(func));
            return func;
        }
        let interface = match self.interface(decl) {
            Ok(interface) => interface,
            Err(what) => self.unrepresentable_interface(decl, what),
        };
        let alias = self.linker.declare_function(Function { body: Body::Declared, ..interface.clone() });
        self.symbols.insert(decl, Symbol::Func(alias));
        let linked = self.linker.define_function(alias, weak::forwarding(interface, func), Strength::Weak);
        self.report(linked, decl);
        alias
    }

    fn enter_alias(&mut self, decl: DeclId, symbol: Symbol) {
        self.symbols.insert(decl, symbol);
        if self.tast[decl].linkage == Linkage::External
            && let Some(name) = self.decl_name(decl)
        {
            self.linker.alias(name, symbol);
        }
    }

    /// The interface of a function: parameters and result of the IR function.
    fn interface(&mut self, decl: DeclId) -> Result<Function, Unrepresentable> {
        let data = &self.tast[decl];
        let spelled = data.name.filter(|_| data.body.is_none());
        let signature = self.types.signature(data.ty).ok_or("function type")?;
        let returns_struct = self.types.is_aggregate(signature.ret);
        let ret = if returns_struct || self.types.is_void(signature.ret) {
            None
        } else {
            Some(self.types.scalar(signature.ret)?)
        };
        let hidden = |ty| Param { name: None, ty, source: None, elements: None };
        let mut params: Vec<Param> = returns_struct.then(|| hidden(Ty::Ptr)).into_iter().collect();
        let written: Vec<DeclId> = self.tast[data.params].to_vec();
        let written_types: Vec<_> = written.iter().map(|&param| self.tast[param].ty).collect();
        let types = if signature.prototyped { &signature.params } else { &written_types };
        for (n, &ty) in types.iter().enumerate() {
            let name = written.get(n).and_then(|&param| self.tast[param].name);
            let name = name.or_else(|| self.unit.prototype_names.get(&spelled?)?.get(n).copied().flatten());
            params.push(Param {
                name: name.map(|name| self.name(name)),
                ty: self.passed_as(ty, signature.prototyped)?,
                source: Some(self.source_type(ty)),
                elements: self.array_length(decl, n),
            });
        }
        if signature.variadic {
            params.push(hidden(Ty::Ptr));
        }
        let mut function = self.bare_function(decl);
        (function.params, function.ret) = (params, ret);
        (function.returns_struct, function.variadic) = (returns_struct, signature.variadic);
        Ok(function)
    }

    /// The length of a parameter that a definition writes as an array, with brackets or by a type name.
    fn array_length(&self, function: DeclId, n: usize) -> Option<u64> {
        let data = &self.tast[function];
        data.body?;
        if let Some(&length) = self.unit.array_params.get(&(data.name?, n)) {
            return Some(length);
        }
        let &param = self.tast[data.params].get(n)?;
        let &named = self.spellings.get(&param)?;
        let pointee = self.types.pointee(self.tast[param].ty)?;
        // `row *a` and `row a[2]` are named by `row` as well, but point to a whole one.
        let is_element = self.types.kind(self.types.element(named)?) == self.types.kind(pointee);
        self.types.array_len(named).filter(|_| is_element)
    }

    /// How an argument of a type travels. Without a prototype the default promotions apply (6.5.2.2p6).
    fn passed_as(&self, ty: rucc_types::TypeId, prototyped: bool) -> Result<Ty, Unrepresentable> {
        if self.types.is_aggregate(ty) {
            return Ok(Ty::Ptr);
        }
        Ok(match self.types.scalar(ty)? {
            Ty::Int(w) if !prototyped && w < Width::W32 => Ty::I32,
            Ty::Float(_) if !prototyped => Ty::F64,
            ty => ty,
        })
    }

    fn unrepresentable_interface(&mut self, decl: DeclId, what: Unrepresentable) -> Function {
        let mut function = self.bare_function(decl);
        function.body = Body::Unsupported(vec![Unsupported { what, span: function.span }]);
        function
    }

    fn bare_function(&mut self, decl: DeclId) -> Function {
        let data = &self.tast[decl];
        let spelled = data.name.map_or_else(String::new, |name| self.name(name));
        let source_name = rucc_sema::library_name(&spelled).map_or(spelled, str::to_string);
        let label = data.asm_label.map(|label| self.string_text(label));
        // What a function without a body is, its name for the linker tells: `extern int f(void) __asm__("g");` declares
        // the function `g` of some other file, or of the library. Headers of the system mean what they say by this.
        let is_redirected =
            data.body.is_none() && !self.unit.session.sources.is_system(self.tast.decl_span(decl).lo);
        let source_name = match &label {
            Some(label) if is_redirected => label.clone(),
            _ => source_name,
        };
        let never_returns = data.body.is_none() && NEVER_RETURN.contains(&source_name.as_str());
        Function {
            name: label.unwrap_or_else(|| source_name.clone()),
            source_name,
            ty: self.source_type(data.ty),
            params: Vec::new(),
            ret: None,
            returns_struct: false,
            variadic: false,
            noreturn: never_returns || data.flags.contains(DeclFlags::NORETURN),
            local: data.linkage == Linkage::Internal,
            weak: data.flags.contains(DeclFlags::WEAK) || data.flags.contains(DeclFlags::WEAKREF),
            span: self.function_span(decl),
            body: Body::Declared,
        }
    }

    /// The global object behind a declaration with static storage duration.
    pub(super) fn object(&mut self, decl: DeclId) -> Lowered<Global> {
        if let Some(&Symbol::Global(global)) = self.symbols.get(&decl) {
            return Ok(global);
        }
        if let Some(unsupported) = self.unsupported_objects.get(&decl) {
            return Err(unsupported.clone());
        }
        if let Some(target) = self.alias_target(decl) {
            if self.tast[decl].flags.contains(DeclFlags::WEAK) {
                return self.unsupported("weak alias of an object", self.tast.decl_span(decl));
            }
            let global = self.object(target)?;
            self.enter_alias(decl, Symbol::Global(global));
            return Ok(global);
        }
        let made = self.make_object(decl);
        if let Err(unsupported) = &made {
            self.symbols.remove(&decl);
            self.unsupported_objects.insert(decl, unsupported.clone());
        }
        made
    }

    fn make_object(&mut self, decl: DeclId) -> Lowered<Global> {
        let data = &self.tast[decl];
        let declared = match self.bare_object(decl) {
            Ok(declared) => declared,
            Err(what) => return self.unsupported(what, self.tast.decl_span(decl)),
        };
        let global = self.linker.declare_global(declared.clone());
        // Known before its value is lowered: the value may contain its own address.
        self.symbols.insert(decl, Symbol::Global(global));
        if let Some(init) = data.init {
            let init = self.static_init(init, declared.size)?;
            let definition = GlobalData { init, ..declared };
            let linked = self.linker.define_global(global, definition);
            self.report(linked, decl);
        }
        Ok(global)
    }

    fn bare_object(&mut self, decl: DeclId) -> Result<GlobalData, Unrepresentable> {
        let data = &self.tast[decl];
        let layout = self.types.layout(data.ty);
        let is_defined = data.state != Definition::Declared || data.init.is_some();
        // An object declared elsewhere may have an incomplete type; only its address can be used.
        let (size, align) = match layout {
            Ok(layout) => (layout.size.max(self.tast.extent(decl)), layout.align),
            Err(what) if is_defined => return Err(what),
            Err(_) => (0, 1),
        };
        let source_name = data.name.map(|name| self.name(name));
        let has_no_linkage = data.linkage == Linkage::None;
        Ok(GlobalData {
            name: data
                .asm_label
                .map(|label| self.string_text(label))
                .or_else(|| source_name.clone())
                .unwrap_or_else(|| ".literal".into()),
            block_scope: has_no_linkage && source_name.is_some(),
            weak: data.flags.contains(DeclFlags::WEAK),
            source_name,
            ty: self.source_type(data.ty),
            size,
            align: data.alignment.map_or(align, |wanted| align.max(u64::from(wanted))),
            constant: self.types.is_const(data.ty),
            local: data.linkage == Linkage::Internal || has_no_linkage,
            init: if is_defined {
                Init::Data { bytes: Vec::new(), relocs: Vec::new() }
            } else {
                Init::External
            },
            span: self.decl_span(decl),
        })
    }

    /// The object of a string literal.
    pub(super) fn literal(&mut self, id: StrId, span: Span) -> Global {
        if let Some(&global) = self.strings.get(&id) {
            return global;
        }
        let literal = &self.tast[id];
        let bytes = literal.bytes(&self.unit.session.target);
        let element_bits = literal.encoding.element_width(&self.unit.session.target);
        let ty = self.linker.types.character_array(element_bits, literal.elements.len() as u64 + 1);
        let global = self.linker.declare_global(GlobalData {
            name: ".str".to_string(),
            source_name: None,
            ty,
            size: bytes.len() as u64,
            align: u64::from(element_bits / 8),
            constant: true,
            local: true,
            block_scope: false,
            weak: false,
            init: Init::Data { bytes, relocs: Vec::new() },
            span,
        });
        self.strings.insert(id, global);
        global
    }

    /// Whether a declaration has static storage duration.
    pub(super) fn is_static(&self, decl: DeclId) -> bool {
        self.tast[decl].duration != StorageDuration::Automatic
    }

    pub(super) fn name(&self, symbol: rucc_base::Symbol) -> String {
        self.unit.session.interner.resolve(symbol).to_string()
    }

    pub(super) fn decl_name(&self, decl: DeclId) -> Option<&'a str> {
        self.tast[decl].name.map(|name| self.unit.session.interner.resolve(name))
    }

    fn string_text(&self, id: StrId) -> String {
        self.tast[id].elements.iter().filter_map(|&c| char::from_u32(c)).collect()
    }

    /// Remembers what a conversion between pointers tells about an incomplete type.
    pub(super) fn view(&mut self, from: rucc_types::TypeId, to: rucc_types::TypeId) {
        self.types.view(from, to, &mut self.linker.types);
    }

    pub(super) fn source_type(&mut self, ty: rucc_types::TypeId) -> quipu_ir::TypeId {
        self.types.source(ty, &mut self.linker.types)
    }

    pub(super) fn span(&mut self, span: rucc_diag::Span) -> Span {
        self.locator.span(span, &mut self.linker.files)
    }

    /// The place and the text of a construct that reports speak of.
    pub(super) fn construct(&mut self, span: rucc_diag::Span) -> (Span, String) {
        let whole = self.locator.whole_calls(span);
        (self.span(whole), self.locator.text(whole))
    }

    pub(super) fn expr_span(&mut self, expr: ExprId) -> Span {
        self.span(self.tast.expr_span(expr))
    }

    pub(super) fn stmt_span(&mut self, stmt: StmtId) -> Span {
        self.span(self.tast.stmt_span(stmt))
    }

    pub(super) fn decl_span(&mut self, decl: DeclId) -> Span {
        self.span(self.tast.decl_span(decl))
    }

    /// Where a function is defined, or else declared first.
    fn function_span(&mut self, decl: DeclId) -> Span {
        match self.tast[decl].body {
            Some(_) => self.span(self.tast.definition_span(decl)),
            None => self.decl_span(decl),
        }
    }

    /// An unsupported construct as a reason why its function is not supported.
    pub(super) fn unsupported<T>(&mut self, what: impl Into<String>, span: rucc_diag::Span) -> Lowered<T> {
        Err(Unsupported { what: what.into(), span: self.span(span) })
    }

    /// Remembers an error of linking, at the declaration that causes it.
    fn report(&mut self, linked: Result<(), Failure>, decl: DeclId) {
        let Err(failure) = linked else { return };
        let place = spans::snippet(self.tast.decl_span(decl), &self.unit.session.sources);
        self.errors
            .extend(failure.errors.into_iter().map(|error| Diagnostic { place: place.clone(), ..error }));
    }
}

/// Where a constructor or destructor comes among the others: behind all with a number if it has none.
fn order(priority: Priority) -> u32 {
    match priority {
        Priority::Numbered(number) => u32::from(number),
        Priority::Unnumbered => u32::MAX,
    }
}
