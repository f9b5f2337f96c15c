//! Each rule of the verifier rejects a text that breaks it, and nothing else.

use quipu_base::Id;
use quipu_ir::{
    BlockData, Body, Callee, Func, FuncBody, Global, Init, InstKind, Module, Reloc, Symbol, Terminator, Ty,
    Value, ValueDef, VerifyError, parse, print, verify,
};

const HEADER: &str = "
file0 = \"t.c\"
t0 = void
t1 = function () -> t0
t2 = int \"int\" signed 32
global @g: t2 size 4 align 4 = zero
func @callee(a: i32, b: f64) -> i8 : t1
func @quiet() : t1
";

/// The errors of a module that consists of the header and these items.
fn errors_of(items: &str) -> Vec<VerifyError> {
    let text = format!("module lp64{HEADER}{items}");
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&module).err().unwrap_or_default()
}

/// Checks that the first error says `expected`.
fn rejects(items: &str, expected: &str) {
    let errors = errors_of(items);
    let first = errors.first().unwrap_or_else(|| panic!("no error for {items}"));
    assert!(first.to_string().contains(expected), "`{first}` should say `{expected}`\n{items}");
}

/// Checks a function whose parameters are `%0: i32, %1: f64, %2: ptr, %3: i1`.
fn rejects_body(body: &str, expected: &str) {
    rejects(&function(body), expected);
}

fn function(body: &str) -> String {
    let (tables, code) = body.split_once("bb0:").expect("a body should have an entry");
    format!(
        "func @f(i32, f64, ptr, i1) -> i32 : t1 {{\n{tables}bb0(%0: i32, %1: f64, %2: ptr, %3: i1):{code}\n}}\n"
    )
}

/// Checks an instruction of that function; its text is part of the message.
fn rejects_inst(inst: &str, expected: &str) {
    rejects_body(&format!("bb0:\n  {inst}\n  ret %0"), &format!("@f bb0: {expected} in `{inst}`"));
}

fn accepts(items: &str) {
    let errors = errors_of(items);
    assert!(errors.is_empty(), "{errors:?}\n{items}");
}

#[test]
fn rule_1_ids_in_tables_exist() {
    rejects("t3 = pointer t9", "t3 refers to t9, which does not exist");
    rejects("t3 = function (t9) -> t0", "t3 refers to t9");
    rejects("t3 = struct size 4 align 4 { t9 at 0 }", "t3 refers to t9");
    rejects("global @x: t9 size 4 align 4 = zero", "@x has type t9");
    rejects("func @x(i32 t9) : t1", "it refers to t9");
    rejects_body("slot0 = t9 size 4 align 4\nbb0:\n ret %0", "it refers to t9");
}

#[test]
fn rule_2_spans_lie_in_files() {
    rejects("global @x: t2 size 4 align 4 = zero !1:1:1", "a span names file1, which does not exist");
    rejects("func @x() : t1 !1:1:1", "@x: a span names file1");
    rejects("func @x() : t1 unsupported { \"asm\" !1:1:1 }", "@x: a span names file1");
    rejects_body("slot0 = size 4 align 4 !1:1:1\nbb0:\n ret %0", "a span names file1");
    rejects_body("s0 !1:1:1\nbb0:\n ret %0", "a span names file1");
    rejects_body("d0 = if \"\" !1:1:1\nbb0:\n ret %0", "a span names file1");
    rejects_body("d0 = if \"\" c0 = d0 \"\" !1:1:1\nbb0:\n ret %0", "a span names file1");
    rejects_body("bb0:\n call @quiet() !1:1:1\n ret %0", "bb0: a span names file1");
    rejects_body("bb0:\n ret %0 !1:1:1", "bb0: a span names file1");
    let case = "bb0:\n switch i32 %0 { case 1: bb1 !1:1:1 default: bb1 }\nbb1:\n ret %0";
    rejects_body(case, "bb0: a span names file1");
    rejects("func @x() : t1 !0:0:1", "does not count from 1");
    rejects("func @x() : t1 !0:5:3-2", "not ordered");
    rejects("func @x() : t1 !0:5:3-4:9", "not ordered");
}

#[test]
fn rule_3_names_are_unique() {
    let text = format!("module lp64{HEADER}");
    let mut module = parse(&text).unwrap();
    for function in module.functions.iter_mut() {
        function.name = "g".to_owned();
    }
    let errors = verify(&module).unwrap_err();
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[0].to_string(), "the name @g is used twice");
}

#[test]
fn rule_4_source_types_are_possible() {
    rejects("t3 = int \"x\" signed 65", "t3 has 65 bits");
    rejects("t3 = enum signed 0 {}", "t3 has 0 bits");
    rejects("t3 = float 80", "t3 is a float of 80 bits");
    rejects("t3 = struct size 4 align 3 {}", "t3 has alignment 3");
    rejects("t3 = struct size 4 align 4 { t2 at 5 }", "t3 has a member at byte 5, outside");
    rejects("t3 = struct align 4 { t2 at 0 }", "t3 has a member at byte 0, outside");
    rejects("t3 = struct size 4 align 4 { t2 at 0 bit 8 width 1 }", "t3 has a bit-field at bit 8");
    rejects("t3 = struct size 4 align 4 { t2 at 0 bit 0 width 65 }", "of width 65");
    rejects("t3 = typedef \"x\" t3", "t3 contains itself");
    rejects("t3 = array t4[2] t4 = struct size 8 align 4 { t2 at 0, t3 at 0 }", "t3 contains itself");
    accepts("t3 = pointer t4 t4 = struct size 8 align 8 { t3 at 0, t3 at 0 }");
}

#[test]
fn rule_5_globals_hold_what_they_start_with() {
    rejects("global @x: t2 size 4 align 0 = zero", "@x has alignment 0");
    rejects("global @x: t2 size 4 align 3 = zero", "@x has alignment 3");
    rejects("global @x: t2 size 4 align 4 = \"abcde\"", "@x has more bytes than its size");
    rejects("global @x: t2 size 8 align 8 = zero [1: @g]", "@x has an address at byte 1, outside");
    rejects("global @x: t2 size 8 align 8 = zero [18446744073709551615: @g]", "outside");
    accepts("global @x: t2 size 8 align 8 = \"abcdefgh\" [0: @g+4]");
}

#[test]
fn rule_6_interfaces_fit() {
    rejects("func @x() : t2", "its source type t2 is not a function type");
    rejects("func @x() : t9", "its source type t9 is not a function type");
    rejects("func sret @x() : t1", "a hidden parameter is missing");
    rejects("func variadic sret @x(ptr) : t1", "a hidden parameter is missing");
    rejects("func sret @x(i32, ptr) : t1", "struct result is not a pointer");
    rejects("func variadic @x(ptr, i32) : t1", "variadic arguments is not a pointer");
    rejects("func @x(i32 t2[3]) : t1", "a parameter with a number of elements is not a pointer");
    accepts("func variadic sret @x(ptr, i32, ptr) : t1");
    accepts("func @x(a: ptr t2[3]) : t1");
}

#[test]
fn rule_7_entry() {
    rejects("func @x() : t1 { }", "@x: the body has no entry block");
    rejects("func @x(i8) : t1 { bb0: ret }", "@x bb0: the entry block's parameters are not the function's");
    rejects("func @x(i8) : t1 { bb0(%0: i9): ret }", "parameters are not the function's");
    rejects("func @x() : t1 { bb0: jump bb0 }", "@x bb0: an edge leads to the entry block");
    rejects("func @x() : t1 { bb0: ret bb1: jump bb0 }", "an edge leads to the entry block");
}

#[test]
fn rule_8_ids_in_code_exist() {
    rejects_body("bb0:\n jump bb1", "bb0: bb1 does not exist");
    rejects_body("bb0:\n slotend slot0\n ret %0", "bb0: slot0 does not exist");
    rejects_body("bb0:\n %4: ptr = slotaddr slot7\n ret %0", "bb0: slot7 does not exist");
    rejects_body("bb0:\n stmt s0\n ret %0", "bb0: s0 does not exist");
    rejects_body("bb0:\n br %3, bb1, bb1, c0\nbb1:\n ret %0", "bb0: c0 does not exist");
    rejects_body("bb0:\n switch i32 %0, d0 { default: bb1 }\nbb1:\n ret %0", "bb0: d0 does not exist");
    rejects_body("c0 = d0 \"\"\nbb0:\n ret %0", "c0 belongs to d0, which does not exist");
}

/// The first error of a function after a change that no text can express.
fn first_error_after(change: impl Fn(&mut FuncBody)) -> String {
    let text = format!("module lp64{HEADER}{}", function("bb0:\n call @quiet()\n ret i32 7"));
    let mut module = parse(&text).unwrap();
    change(last_body(&mut module));
    // Messages quote the code, so printing it has to work, too.
    assert!(!print(&module).is_empty());
    verify(&module).unwrap_err()[0].to_string()
}

fn last_body(module: &mut Module) -> &mut FuncBody {
    match module.functions.iter_mut().last().map(|function| &mut function.body) {
        Some(Body::Defined(body)) => body,
        _ => panic!("the last function should have a body"),
    }
}

fn entry(body: &mut FuncBody) -> &mut BlockData {
    body.blocks.iter_mut().next().unwrap()
}

#[test]
fn rule_8_values_functions_and_globals_exist() {
    let nowhere = Value::new(99);
    let in_inst = first_error_after(|body| entry(body).insts[0].result = Some(nowhere));
    assert_eq!(in_inst, "@f bb0: %99 does not exist");
    let in_term = first_error_after(|body| entry(body).term = Terminator::Return(Some(nowhere)));
    assert_eq!(in_term, "@f bb0: %99 does not exist");
    let callee = Callee::Direct(Func::new(99));
    let in_call = first_error_after(|body| entry(body).insts[0].kind = InstKind::Call(callee, Vec::new()));
    assert_eq!(in_call, "@f bb0: func99 does not exist");
    let address = ValueDef::Global(Global::new(9), 0);
    let in_value = first_error_after(|body| _ = body.constant(Ty::Ptr, address));
    assert_eq!(in_value, "@f: %5 is no constant of type ptr");
}

#[test]
fn rule_1_symbols_in_globals_exist() {
    let mut module = parse(&format!("module lp64{HEADER}")).unwrap();
    let reloc = Reloc { offset: 0, symbol: Symbol::Func(Func::new(9)), addend: 0 };
    let global = module.globals.iter_mut().next().unwrap();
    global.size = 8;
    global.init = Init::Data { bytes: Vec::new(), relocs: vec![reloc] };
    let message = "@g has an address of Func(func9), which does not exist";
    assert_eq!(verify(&module).unwrap_err()[0].to_string(), message);
}

#[test]
fn rule_9_constants() {
    rejects_body("bb0:\n ret i32 0x100000000", "is no constant of type i32");
    rejects_body("bb0:\n %4: f32 = fneg f32 0x100000000\n ret %0", "is no constant of type f32");
    rejects_body("bb0:\n ret i32 @g", "is no constant of type i32");
    rejects_body("bb0:\n ret f64 @quiet", "is no constant of type f64");
    rejects_body("const %4 = i32 1\nbb0:\n %4: i32 = add %0, %0\n ret %0", "%4 is a constant and cannot be");
    let ilp32 = format!("module ilp32{HEADER}func @x() -> ptr : t1 {{ bb0: ret ptr 0x100000000 }}");
    let errors = verify(&parse(&ilp32).unwrap()).unwrap_err();
    assert_eq!(errors[0].to_string(), "@x: %0 is no constant of type ptr");
    let repeated = first_error_after(|body| _ = body.values.push(body.values[Value::new(4)]));
    assert_eq!(repeated, "@f: %5 repeats a constant");
}

#[test]
fn rule_10_single_definitions() {
    let twice = "bb0:\n %4: i32 = add %0, %0\n %4: i32 = add %0, %0\n ret %4";
    rejects_body(twice, "bb0: %4 is defined twice");
    rejects_body("bb0:\n jump bb1(%0)\nbb1(%0: i32):\n ret %0", "bb1: %0 is defined twice");
}

#[test]
fn rule_11_definitions_dominate_uses() {
    rejects_body("undefined %4: i32\nbb0:\n ret %4", "bb0: %4 is used but never defined");
    let early = "bb0:\n %4: i32 = add %5, %0\n %5: i32 = add %0, %0\n ret %4";
    rejects_body(early, "bb0: %5 is used where it may be undefined");
    rejects_body("bb0:\n %4: i32 = add %4, %0\n ret %4", "%4 is used where it may be undefined");
    let one_arm = "bb0:\n br %3, bb1, bb2\nbb1:\n %4: i32 = add %0, %0\n jump bb2\nbb2:\n ret %4";
    rejects_body(one_arm, "bb2: %4 is used where it may be undefined");
    rejects_body("bb0:\n jump bb1(%4)\nbb1(%4: i32):\n ret %4", "bb0: %4 is used where it may be");
    rejects_body("bb0:\n ret %4\nbb1:\n %4: i32 = add %0, %0\n ret %4", "bb0: %4 is used where it may be");
    accepts(&function(
        "bb0:\n %4: i32 = add %0, %0\n br %3, bb1(%4), bb2\nbb1(%5: i32):\n ret %5\nbb2:\n ret %4",
    ));
}

#[test]
fn rule_11_exempts_unreachable_blocks() {
    accepts(&function(
        "undefined %4: i32\nbb0:\n ret %0\nbb1:\n %5: i32 = add %4, %6\n %6: i32 = add %0, %0\n jump bb1",
    ));
    rejects_body("bb0:\n ret %0\nbb1:\n ret %1", "bb1: the function returns i32, this return f64");
}

#[test]
fn rule_12_arithmetic() {
    rejects_inst("%4: i32 = add %0, %2", "%2 is ptr, should be i32");
    rejects_inst("%4: i64 = add %0, %0", "the result is i64, should be i32");
    rejects_inst("%4: f64 = add %1, %1", "%1 is f64, should be an integer");
    rejects_inst("add %0, %0", "the result is missing");
    rejects_inst("%4: f64 = clz %1", "%1 is f64, should be an integer");
    rejects_inst("%4: i1 = slt %2, %2", "ptr cannot be compared like this");
    rejects_inst("%4: i1 = sle %2, %2", "ptr cannot be compared like this");
    rejects_inst("%4: i1 = eq %1, %1", "f64 cannot be compared like this");
    rejects_inst("%4: i1 = ult %2, %0", "%0 is i32, should be ptr");
    rejects_inst("%4: i32 = eq %0, %0", "the result is i32, should be i1");
    rejects_inst("%4: f64 = fadd %1, f32 1.0", "%5 is f32, should be f64");
    rejects_inst("%4: i32 = fneg %0", "%0 should be a float");
    rejects_inst("%4: f64 = fma %1, %1, %0", "%0 is i32, should be f64");
    rejects_inst("%4: f64 = flt %1, %1", "the result is f64, should be i1");
    rejects_inst("%4: i32 = select %0, %0, %0", "%0 is i32, should be i1");
    rejects_inst("%4: i32 = select %3, %0, %2", "%2 is ptr, should be i32");
    rejects_inst("%4: i1 = select %3, %0, %0", "the result is i1, should be i32");
}

#[test]
fn rule_12_conversions() {
    rejects_inst("%4: i32 = trunc i32 -> i32 %0", "i32 to i32 is the wrong way");
    rejects_inst("%4: i16 = zext i32 -> i16 %0", "i32 to i16 is the wrong way");
    rejects_inst("%4: i64 = sext i16 -> i64 %0", "%0 is i32, should be i16");
    rejects_inst("%4: i64 = sext i32 -> i63 %0", "the result is i64, should be i63");
    rejects_inst("%4: i8 = fptosi f32 -> i8 %1", "%1 is f64, should be f32");
    rejects_inst("%4: f32 = uitofp i32 -> f64 %0", "the result is f32, should be f64");
    rejects_inst("%4: f64 = fpext %1", "%1 is f64, should be f32");
    rejects_inst("%4: f64 = fptrunc %1", "the result is f64, should be f32");
    rejects_inst("%4: i32 = fpbits f64 %1", "the result is i32, should be i64");
    rejects_inst("%4: f64 = bitsfp f64 %0", "%0 is i32, should be i64");
    rejects_inst("%4: i32 = ptrtoint %2", "the result is i32, should be i64");
    rejects_inst("%4: ptr = inttoptr %0", "%0 is i32, should be i64");
}

#[test]
fn rule_12_pointers_and_memory() {
    rejects_inst("%4: ptr = ptradd %2, %0", "%0 is i32, should be i64");
    rejects_inst("%4: i32 = ptrdiff %2, %2", "the result is i32, should be i64");
    rejects_inst("%4: ptr = alloca %0 align 8", "%0 is i32, should be i64");
    rejects_inst("%4: i32 = load %0 align 4", "%0 is i32, should be ptr");
    rejects_inst("load %2 align 4", "the result is missing");
    rejects_inst("store %0, %0 align 4", "%0 is i32, should be ptr");
    rejects_inst("%4: i32 = store %2, %0 align 4", "there is no result to define");
    rejects_inst("copy %2, %0 size 4", "%0 is i32, should be ptr");
    rejects_inst("zero %1 size 4", "%1 is f64, should be ptr");
    rejects_inst("loadbits %2 bit 0", "the result is missing");
    rejects_inst("%4: f32 = loadbits %2 bit 0", "a bit-field is not an integer");
    rejects_inst("storebits %2, %1 bit 0", "a bit-field is not an integer");
    rejects_body("slot0 = size 4 align 4\nbb0:\n %4: i64 = slotaddr slot0\n ret %0", "should be ptr");
    rejects_body("slot0 = size 4 align 4\nbb0:\n %4: i8 = slotend slot0\n ret %0", "no result to define");
    rejects_body("s0\nbb0:\n %4: i8 = stmt s0\n ret %0", "no result to define");
    let ilp32 = "bb0:\n %4: ptr = ptradd %2, %0\n %5: i32 = ptrtoint %4\n ret %5";
    assert_eq!(verify(&parse(&format!("module ilp32{HEADER}{}", function(ilp32))).unwrap()), Ok(()));
}

#[test]
fn rule_12_calls() {
    rejects_inst("%4: i8 = call @callee(%0)", "1 arguments for 2 parameters");
    rejects_inst("%4: i8 = call @callee(%0, %0)", "%0 is i32, should be f64");
    rejects_inst("call @callee(%0, %1)", "the result is missing");
    rejects_inst("%4: i9 = call @callee(%0, %1)", "the result is i9, should be i8");
    rejects_inst("%4: i9 = call @quiet()", "there is no result to define");
    rejects_inst("call_indirect %0()", "%0 is i32, should be ptr");
}

#[test]
fn rule_12_checks() {
    for guard in
        ["add_fits", "sub_fits", "mul_fits", "quotient_fits", "shl_fits", "index_below", "index_at_most"]
    {
        rejects_inst(&format!("check {guard} i64 %0, i64 1"), "%0 is i32, should be i64");
        rejects_inst(&format!("check {guard} i32 %0, %2"), "%2 is ptr, should be i32");
    }
    rejects_inst("check nonzero i32 %0, %1", "%1 is f64, should be i32");
    rejects_inst("check any_bit i32 %0, %1", "%1 is f64, should be i32");
    rejects_inst("check shift_in_range i64 by i8 %0, %0", "%0 is i32, should be i8");
    rejects_inst("check float_fits f32 -> signed i32 %1, %1", "%1 is f64, should be f32");
    rejects_inst("check same_object %2, %0", "%0 is i32, should be ptr");
    rejects_inst("%4: i1 = check same_object %2, %2", "there is no result to define");
}

#[test]
fn rule_13_accesses() {
    rejects_inst("%4: i3 = load %2 align 1", "i3 does not fill bytes");
    rejects_inst("%4: i24 = load %2 align 1", "i24 does not fill bytes");
    rejects_inst("store %2, %0 align 3", "the alignment is 3");
    rejects_inst("%4: i32 = load %2 align 0", "the alignment is 0");
    rejects_inst("%4: ptr = alloca i64 4 align 12", "the alignment is 12");
    rejects_inst("%4: i3 = loadbits %2 bit 8", "a bit-field starts at bit 8");
    rejects_inst("storebits %2, %0 bit 9", "a bit-field starts at bit 9");
}

#[test]
fn rule_14_edges() {
    rejects_body(
        "bb0:\n jump bb1(%0)\nbb1:\n ret %0",
        "bb0: the arguments for bb1 do not fit its parameters",
    );
    rejects_body(
        "bb0:\n br %3, bb2, bb1\nbb1(%4: i8):\n ret %0\nbb2:\n ret %0",
        "arguments for bb1 do not fit",
    );
    rejects_body(
        "bb0:\n switch i32 %0 { case 1: bb1(%0) default: bb2 }\nbb1(%4: i8):\n ret %0\nbb2:\n ret %0",
        "arguments for bb1 do not fit",
    );
}

#[test]
fn rule_15_decisive_values() {
    rejects_body("bb0:\n br %0, bb1, bb1\nbb1:\n ret %0", "bb0: %0 is i32, should be i1");
    rejects_body("bb0:\n switch f64 %1 { default: bb1 }\nbb1:\n ret %0", "%1 is f64, should be an integer");
    let outside = "a case is outside the type of the switch";
    rejects_body("bb0:\n switch i64 %0 { case 4294967296: bb1 default: bb1 }\nbb1:\n ret %0", outside);
    rejects_body("bb0:\n switch i32 %0 { case 0..0x100000000: bb1 default: bb1 }\nbb1:\n ret %0", outside);
}

#[test]
fn rule_16_returns() {
    rejects_body("bb0:\n ret", "bb0: the function returns i32, this return nothing");
    rejects_body("bb0:\n ret %2", "bb0: the function returns i32, this return ptr");
    rejects("func @x() : t1 { bb0: ret i32 1 }", "the function returns nothing, this return i32");
    rejects("func @x() : t1 { bb0: ret_missing }", "the function has no result that is missing");
    accepts("func sret @x(ptr) : t1 { bb0(%0: ptr): ret_missing }");
    accepts(&function("bb0:\n ret_missing"));
}

#[test]
fn rule_17_conditions_of_a_decision_follow_each_other() {
    let apart = "d0 = if \"\" d1 = if \"\" c0 = d0 \"\" c1 = d1 \"\" c2 = d0 \"\"\nbb0:\n ret %0";
    rejects_body(apart, "c2 stands apart from the other conditions of d0");
    accepts(&function("d0 = if \"\" d1 = if \"\" c0 = d1 \"\" c1 = d1 \"\" c2 = d0 \"\"\nbb0:\n ret %0"));
}

#[test]
fn rule_18_outcomes_belong_to_decisions() {
    let message = "bb0: an outcome without a decision";
    rejects_body("bb0:\n br %3, bb1[true], bb1\nbb1:\n ret %0", message);
    rejects_body("bb0:\n br %3, bb1, bb1[true]\nbb1:\n ret %0", message);
    rejects_body("bb0:\n jump bb1[false]\nbb1:\n ret %0", message);
    rejects_body("bb0:\n switch i32 %0 { case 1: bb1[true] default: bb1 }\nbb1:\n ret %0", message);
}

#[test]
fn rule_19_slots() {
    rejects_body("slot0 = size 4 align 0\nbb0:\n ret %0", "@f: slot0 has alignment 0");
    rejects_body("slot0 = size 4 align 6\nbb0:\n ret %0", "@f: slot0 has alignment 6");
}

#[test]
fn all_errors_are_reported_with_their_places() {
    let errors = errors_of(&function("bb0:\n %4: i8 = add %0, %0\n jump bb1\nbb1:\n ret %2"));
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let expected = [
        "@f bb0: the result is i8, should be i32 in `%4: i8 = add %0, %0`",
        "@f bb1: the function returns i32, this return ptr",
    ];
    assert_eq!(texts, expected);
    assert_eq!(errors[1].function.as_deref(), Some("f"));
    assert_eq!(errors[1].block.map(|block| block.to_string()).as_deref(), Some("bb1"));
}
