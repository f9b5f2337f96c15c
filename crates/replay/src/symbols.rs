//! Addresses of functions and objects of the program, for the runtime to use by number.

use quipu_ir::{Func, Global, Module, Symbol};

use crate::allocators::Renamed;
use crate::correspond::definition;
use crate::unit::Unit;

/// The table of addresses in the text of each unit.
pub(crate) struct Symbols {
    /// For each unit its symbols; a number is a unit and a place in its list.
    tables: Vec<Vec<Symbol>>,
}

impl Symbols {
    pub(crate) fn new(units: usize) -> Symbols {
        Symbols { tables: vec![Vec::new(); units] }
    }

    /// The number of a symbol. A symbol that only one file can name is entered in the table of that file.
    pub(crate) fn number(&mut self, module: &Module, units: &[Unit], symbol: Symbol) -> u64 {
        let is_device = device_address(module, symbol).is_some();
        let unit = if is_local(module, symbol) && !is_device { home(module, units, symbol) } else { 0 };
        let table = &mut self.tables[unit];
        let place = table.iter().position(|known| *known == symbol).unwrap_or_else(|| {
            table.push(symbol);
            table.len() - 1
        });
        // The first table is left out, so that no number is zero.
        ((unit as u64 + 1) << 32) | place as u64
    }

    /// The table of a unit as C text.
    pub(crate) fn table(&self, module: &Module, unit: usize, renamed: &Renamed) -> String {
        let mut declarations = String::new();
        let mut list = String::new();
        for (n, &symbol) in self.tables[unit].iter().enumerate() {
            if let Some(address) = device_address(module, symbol) {
                list.push_str(&format!("(void*){address}u,"));
            } else if is_local(module, symbol) {
                list.push_str(&format!("(void*)&{},", source_name(module, symbol)));
            } else {
                let label = assembler_name(&renamed.linker_name(linker_name(module, symbol)));
                declarations.push_str(&format!("extern char __quipu_a{unit}_{n}[] __asm__({label});\n"));
                list.push_str(&format!("(void*)__quipu_a{unit}_{n},"));
            }
        }
        format!("{declarations}void*const __quipu_symbols_{unit}[]={{{list}(void*)0}};\n")
    }

    /// The list of all tables.
    pub(crate) fn list(&self) -> String {
        let units = 0..self.tables.len();
        let declarations: String =
            units.clone().map(|unit| format!("extern void*const __quipu_symbols_{unit}[];")).collect();
        let names: String = units.map(|unit| format!(",__quipu_symbols_{unit}")).collect();
        format!("{declarations}\nvoid*const*const __quipu_symbols[]={{0{names}}};\n")
    }
}

/// How the assembler calls a C name, as a string literal.
pub(crate) fn assembler_name(name: &str) -> String {
    let prefix = if cfg!(target_os = "macos") { "_" } else { "" };
    format!("\"{prefix}{name}\"")
}

/// The blocks of addresses that the runtime provides, as C text.
pub(crate) fn devices(module: &Module) -> String {
    let blocks: String =
        module.devices().map(|(_, address, size)| format!("{address}ull,{size}ull,")).collect();
    format!("const unsigned long long __quipu_devices[]={{{blocks}0,0}};\n")
}

fn device_address(module: &Module, symbol: Symbol) -> Option<u64> {
    let Symbol::Global(global) = symbol else { return None };
    module.devices().find(|(device, ..)| *device == global).map(|(_, address, _)| address)
}

fn is_local(module: &Module, symbol: Symbol) -> bool {
    match symbol {
        Symbol::Func(func) => module.functions[func].local,
        Symbol::Global(global) => module.globals[global].local,
    }
}

fn linker_name(module: &Module, symbol: Symbol) -> &str {
    match symbol {
        Symbol::Func(func) => &module.functions[func].name,
        Symbol::Global(global) => &module.globals[global].name,
    }
}

fn source_name(module: &Module, symbol: Symbol) -> &str {
    match symbol {
        Symbol::Func(func) => &module.functions[func].source_name,
        Symbol::Global(global) => module.globals[global].source_name.as_deref().unwrap_or_default(),
    }
}

/// The unit that a local symbol belongs to.
fn home(module: &Module, units: &[Unit], symbol: Symbol) -> usize {
    match symbol {
        Symbol::Func(func) => function_home(module, units, func),
        Symbol::Global(global) => global_home(module, units, global),
    }
}

/// The unit that defines a function.
pub(crate) fn function_home(module: &Module, units: &[Unit], func: Func) -> usize {
    definition(module, func, units).map_or(0, |(unit, _)| unit)
}

fn global_home(module: &Module, units: &[Unit], global: Global) -> usize {
    let data = &module.globals[global];
    let same = |other: &quipu_ir::GlobalData| {
        other.local && !other.block_scope && other.source_name == data.source_name
    };
    let earlier = module.globals.entries().take_while(|(other, _)| *other != global);
    let before = earlier.filter(|(_, other)| same(other)).count();
    let mut homes = units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.module.as_ref().is_ok_and(|own| own.globals.iter().any(same)));
    homes.nth(before).map_or(0, |(unit, _)| unit)
}
