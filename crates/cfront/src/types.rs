//! From C types to the IR's value types, layouts and source types.

use quipu_ir::{Field, RecordKind, SourceType, SourceTypes, Ty, TypeId, View};
use rucc_base::Interner;
use rucc_target::TargetInfo;
use rucc_types::{ArrayLen, FloatKind, Layout, LayoutError, Qualifiers, RecordId, TypeKind, Types};
use rustc_hash::FxHashMap;

/// A type without a representation, by its name.
pub(crate) type Unrepresentable = String;

/// The types of one unit.
pub(crate) struct UnitTypes<'a> {
    types: &'a Types,
    target: &'a TargetInfo,
    names: &'a Interner,
    known: FxHashMap<rucc_types::TypeId, TypeId>,
    records: FxHashMap<RecordId, TypeId>,
}

/// The source types of the module, each kept once.
#[derive(Default)]
pub(crate) struct TypePool {
    pub(crate) table: SourceTypes,
    pub(crate) views: Vec<View>,
    known: FxHashMap<SourceType, TypeId>,
}

impl TypePool {
    fn intern(&mut self, ty: SourceType) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let id = self.table.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// `void (void)`.
    pub(crate) fn void_function(&mut self) -> TypeId {
        let ret = self.intern(SourceType::Void);
        self.intern(SourceType::Function { ret, params: Vec::new(), constant: Vec::new(), variadic: false })
    }

    /// The type of a string literal.
    pub(crate) fn character_array(&mut self, element_bits: u32, len: u64) -> TypeId {
        let name = match element_bits {
            8 => "char",
            16 => "unsigned short",
            _ => "int",
        };
        let element =
            SourceType::Int { name: name.to_string(), bits: element_bits, signed: element_bits != 16 };
        let element = self.intern(element);
        self.intern(SourceType::Array { element, len: Some(len) })
    }
}

impl<'a> UnitTypes<'a> {
    pub(crate) fn new(types: &'a Types, target: &'a TargetInfo, names: &'a Interner) -> UnitTypes<'a> {
        UnitTypes { types, target, names, known: FxHashMap::default(), records: FxHashMap::default() }
    }

    /// What a type is once names, qualifiers and `_Atomic` are taken off.
    pub(crate) fn kind(&self, id: rucc_types::TypeId) -> TypeKind {
        match self.types.kind(self.types.canonical(id)) {
            TypeKind::Atomic(inner) => self.kind(inner),
            kind => kind,
        }
    }

    /// The type of a scalar value.
    pub(crate) fn scalar(&self, id: rucc_types::TypeId) -> Result<Ty, Unrepresentable> {
        match self.kind(id) {
            TypeKind::Bool => Ok(Ty::BOOL),
            // A bit-field wider than `int` has a type of exactly its width, which rucc spells `_BitInt`.
            TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::BitInt { .. } => match self.integer(id) {
                Some((bits, _)) if bits <= 64 => Ok(Ty::int(bits)),
                _ => Err(self.describe(id)),
            },
            TypeKind::Float(FloatKind::Float | FloatKind::Float32) => Ok(Ty::F32),
            TypeKind::Float(FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x) => Ok(Ty::F64),
            TypeKind::Pointer(_) => Ok(Ty::Ptr),
            _ => Err(self.describe(id)),
        }
    }

    /// The width of an integer type in bits, and whether it is signed. `_Bool` has 1 bit.
    pub(crate) fn integer(&self, id: rucc_types::TypeId) -> Option<(u32, bool)> {
        if matches!(self.kind(id), TypeKind::Bool) {
            return Some((1, false));
        }
        let info = rucc_types::integer_info(self.types, self.unatomic(id), self.target)?;
        Some((info.width, info.signed))
    }

    /// Whether a type is a signed integer type.
    pub(crate) fn is_signed(&self, id: rucc_types::TypeId) -> bool {
        self.integer(id).is_some_and(|(_, signed)| signed)
    }

    /// Size and alignment of a complete object type.
    pub(crate) fn layout(&self, id: rucc_types::TypeId) -> Result<Layout, Unrepresentable> {
        match rucc_types::layout(self.types, self.unatomic_sugared(id), self.target) {
            Ok(layout) => Ok(layout),
            Err(LayoutError::Incomplete | LayoutError::Function) => {
                Err(format!("incomplete type `{}`", self.spelling(id)))
            }
            Err(_) => Err(self.describe(id)),
        }
    }

    /// The size of what a pointer type points to; 1 for `void` and functions, as GNU C has it.
    pub(crate) fn pointee_size(&self, pointer: rucc_types::TypeId) -> Result<u64, Unrepresentable> {
        let TypeKind::Pointer(to) = self.kind(pointer) else { return Err(self.describe(pointer)) };
        match self.kind(to) {
            TypeKind::Void | TypeKind::Function(_) => Ok(1),
            _ => Ok(self.layout(to)?.size),
        }
    }

    /// The type that a pointer type points to.
    pub(crate) fn pointee(&self, pointer: rucc_types::TypeId) -> Option<rucc_types::TypeId> {
        match self.kind(pointer) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The number of elements of an array type of fixed length.
    pub(crate) fn array_len(&self, id: rucc_types::TypeId) -> Option<u64> {
        match self.kind(id) {
            TypeKind::Array { len: ArrayLen::Fixed(n), .. } => Some(n),
            _ => None,
        }
    }

    /// The element type of an array type.
    pub(crate) fn element(&self, id: rucc_types::TypeId) -> Option<rucc_types::TypeId> {
        match self.kind(id) {
            TypeKind::Array { elem, .. } => Some(elem),
            _ => None,
        }
    }

    /// The length expression of a variable length array.
    pub(crate) fn variable_length(&self, id: rucc_types::TypeId) -> Option<rucc_types::VlaId> {
        match self.kind(id) {
            TypeKind::Array { len: ArrayLen::Variable(vla), .. } => Some(vla),
            _ => None,
        }
    }

    /// Whether values of the type live in memory only.
    pub(crate) fn is_aggregate(&self, id: rucc_types::TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Record(_) | TypeKind::Array { .. })
    }

    /// Whether a bit-field of this type would be promoted otherwise than gcc does.
    pub(crate) fn is_unsigned_enum(&self, id: rucc_types::TypeId) -> bool {
        crate::enum_fields::is_unsigned_enum(self.types, self.target, id)
    }

    pub(crate) fn is_void(&self, id: rucc_types::TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Void)
    }

    pub(crate) fn is_bool(&self, id: rucc_types::TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Bool)
    }

    pub(crate) fn is_volatile(&self, id: rucc_types::TypeId) -> bool {
        self.types.object_quals(id).has(Qualifiers::VOLATILE)
    }

    pub(crate) fn is_const(&self, id: rucc_types::TypeId) -> bool {
        self.types.object_quals(id).has(Qualifiers::CONST)
    }

    pub(crate) fn record(&self, id: rucc_types::TypeId) -> Option<&'a rucc_types::RecordInfo> {
        match self.kind(id) {
            TypeKind::Record(record) => Some(self.types.record_info(record)),
            _ => None,
        }
    }

    /// The signature behind a function type or a pointer to one.
    pub(crate) fn signature(&self, id: rucc_types::TypeId) -> Option<&'a rucc_types::FunctionType> {
        match self.kind(id) {
            TypeKind::Function(function) => Some(self.types.signature(function)),
            TypeKind::Pointer(to) => self.signature(to),
            _ => None,
        }
    }

    /// How C spells the type.
    pub(crate) fn spelling(&self, id: rucc_types::TypeId) -> String {
        rucc_types::spell(self.types, self.names, id)
    }

    /// What to call a type in the message that it is not supported.
    fn describe(&self, id: rucc_types::TypeId) -> Unrepresentable {
        match self.kind(id) {
            TypeKind::Array { len: ArrayLen::Variable(_) | ArrayLen::Star, .. } => {
                "variable length array".to_string()
            }
            TypeKind::Vector { .. } => format!("vector type `{}`", self.spelling(id)),
            TypeKind::Complex(_) => format!("complex type `{}`", self.spelling(id)),
            _ => format!("type `{}`", self.spelling(id)),
        }
    }

    fn unatomic(&self, id: rucc_types::TypeId) -> rucc_types::TypeId {
        match self.types.kind(self.types.canonical(id)) {
            TypeKind::Atomic(inner) => self.types.canonical(inner),
            _ => self.types.canonical(id),
        }
    }

    /// Like `unatomic`, but a type name stays: it may carry an alignment.
    fn unatomic_sugared(&self, id: rucc_types::TypeId) -> rucc_types::TypeId {
        match self.types.kind(self.types.canonical(id)) {
            TypeKind::Atomic(inner) => inner,
            _ => id,
        }
    }

    /// Remembers what a conversion between pointers tells about an incomplete struct or union, or about `void`. What
    /// becomes a pointer to `void` tells nothing: `memcpy` takes everything.
    pub(crate) fn view(&mut self, from: rucc_types::TypeId, to: rucc_types::TypeId, pool: &mut TypePool) {
        let (Some(from), Some(to)) = (self.pointee(from), self.pointee(to)) else { return };
        let is_hidden = |ty| self.record(ty).is_some_and(|info| info.layout.is_none());
        let is_shown = |ty| self.record(ty).is_some_and(|info| info.layout.is_some());
        let is_void = |ty| matches!(self.types.kind(self.types.canonical(ty)), TypeKind::Void);
        let (hidden, shown) = match (is_hidden(from) || is_void(from), is_hidden(to)) {
            (true, false) if is_shown(to) => (from, to),
            (false, true) if is_shown(from) => (to, from),
            _ => return,
        };
        let view = View { hidden: self.source(hidden, pool), shown: self.source(shown, pool) };
        if !pool.views.contains(&view) {
            pool.views.push(view);
        }
    }

    /// The source type of a C type.
    pub(crate) fn source(&mut self, id: rucc_types::TypeId, pool: &mut TypePool) -> TypeId {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let made = self.make_source(id, pool);
        self.known.insert(id, made);
        made
    }

    fn make_source(&mut self, id: rucc_types::TypeId, pool: &mut TypePool) -> TypeId {
        let ty = match self.types.kind(id) {
            TypeKind::Typedef { name, underlying, .. } => {
                let of = self.source(underlying, pool);
                SourceType::Typedef { name: self.names.resolve(name).to_string(), of }
            }
            TypeKind::Void => SourceType::Void,
            TypeKind::Bool => SourceType::Bool,
            TypeKind::Int(kind) => match self.integer(id) {
                Some((bits, signed)) if bits <= 64 => {
                    SourceType::Int { name: kind.as_str().to_string(), bits, signed }
                }
                _ => SourceType::Unsupported(self.spelling(id)),
            },
            TypeKind::Float(_) => match self.scalar(id) {
                Ok(ty) => SourceType::Float { bits: ty.float_width().map_or(0, |w| w.bits()) },
                Err(_) => SourceType::Unsupported(self.spelling(id)),
            },
            TypeKind::Enum(which) => {
                let made = pool.intern(self.enumeration(id, which));
                return self.with_name(id, made, pool);
            }
            TypeKind::Pointer(to) => SourceType::Pointer { to: self.source(to, pool) },
            TypeKind::Atomic(inner) => return self.source(inner, pool),
            TypeKind::Array { elem, len } => {
                let len = if let ArrayLen::Fixed(n) = len { Some(n) } else { None };
                SourceType::Array { element: self.source(elem, pool), len }
            }
            TypeKind::Function(function) => {
                let signature = self.types.signature(function);
                let ret = self.source(signature.ret, pool);
                let params = signature.params.iter().map(|&param| self.source(param, pool)).collect();
                let constant = signature.params.iter().map(|&param| self.points_to_constant(param)).collect();
                SourceType::Function { ret, params, constant, variadic: signature.variadic }
            }
            TypeKind::Record(record) => {
                let made = self.record_source(record, pool);
                return self.with_name(id, made, pool);
            }
            TypeKind::Complex(_) | TypeKind::BitInt { .. } | TypeKind::Vector { .. } => {
                SourceType::Unsupported(self.spelling(id))
            }
        };
        pool.intern(ty)
    }

    /// Whether a type is that of pointers to what is `const`.
    fn points_to_constant(&self, id: rucc_types::TypeId) -> bool {
        match self.kind(id) {
            TypeKind::Pointer(to) => self.types.quals(to).has(Qualifiers::CONST),
            _ => false,
        }
    }

    /// A record or enumeration without a tag, under the first type name that the source gives it. All other type
    /// names are dropped by `rucc`, and nothing is lost: what they stand for can be written without them.
    fn with_name(&self, id: rucc_types::TypeId, made: TypeId, pool: &mut TypePool) -> TypeId {
        let (SourceType::Record { tag, .. } | SourceType::Enum { tag, .. }) = &pool.table[made] else {
            return made;
        };
        if tag.is_some() {
            return made;
        }
        let kind = self.types.kind(id);
        let mut aliases = self.types.aliases().iter();
        let alias = aliases.find(|alias| {
            self.types.kind(alias.of) == kind && self.types.quals(alias.of) == Qualifiers::NONE
        });
        match alias {
            Some(alias) => {
                let name = self.names.resolve(alias.name).to_string();
                pool.intern(SourceType::Typedef { name, of: made })
            }
            None => made,
        }
    }

    fn enumeration(&self, id: rucc_types::TypeId, which: rucc_types::EnumId) -> SourceType {
        let info = self.types.enum_info(which);
        let (bits, signed) = self.integer(id).unwrap_or((32, false));
        let values = info.enumerators.iter();
        let enumerators = values.map(|e| (self.names.resolve(e.name).to_string(), e.value as i64)).collect();
        SourceType::Enum {
            tag: info.tag.map(|tag| self.names.resolve(tag).to_string()),
            bits,
            signed,
            enumerators,
        }
    }

    /// A record is entered before its members, which may point back to it.
    fn record_source(&mut self, record: RecordId, pool: &mut TypePool) -> TypeId {
        if let Some(&known) = self.records.get(&record) {
            return known;
        }
        let info = self.types.record_info(record);
        let kind = match info.kind {
            rucc_types::RecordKind::Struct => RecordKind::Struct,
            rucc_types::RecordKind::Union => RecordKind::Union,
        };
        let tag = info.tag.map(|tag| self.names.resolve(tag).to_string());
        let (size, align) = info.layout.map_or((None, 1), |layout| (Some(layout.size), layout.align));
        let id =
            pool.table.push(SourceType::Record { kind, tag: tag.clone(), size, align, fields: Vec::new() });
        self.records.insert(record, id);
        let fields = info.fields.iter().map(|field| Field {
            name: field.name.map(|name| self.names.resolve(name).to_string()),
            ty: self.source(field.ty, pool),
            offset: field.offset,
            bits: field.bits.map(|bits| (field.bit, bits)),
        });
        let fields = fields.collect();
        pool.table[id] = SourceType::Record { kind, tag, size, align, fields };
        id
    }
}
