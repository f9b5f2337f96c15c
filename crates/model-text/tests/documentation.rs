//! The examples of `docs/models.md` are read, printed and read again.

use quipu_model_text::{parse, print_document, render};

const GUIDE: &str = include_str!("../../../docs/models.md");

#[test]
fn the_examples_are_right() {
    let examples: Vec<&str> =
        GUIDE.split("```qm\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 10, "the guide has examples");
    for example in examples {
        let document =
            parse(example).unwrap_or_else(|errors| panic!("{}", render(&errors[0], example, "docs")));
        let text = print_document(&document);
        let again = parse(&text).unwrap_or_else(|errors| panic!("{}", render(&errors[0], &text, "printed")));
        assert_eq!(print_document(&again), text);
    }
}

#[test]
fn the_functions_are_described() {
    for (_, word) in quipu_model_text::QueryKind::ALL {
        assert!(GUIDE.contains(&format!("`{word};`")), "{word}");
    }
    for (_, word) in quipu_model_text::Strategy::PLAIN {
        assert!(GUIDE.contains(&format!("`{word}`")), "{word}");
    }
}

#[test]
fn every_function_of_floats_is_described() {
    let functions = "sqrt fma fmod abs copysign min max floor ceil trunc round roundeven is_nan is_inf is_finite is_normal \
        sign_bit float_fits bits from_bits rank from_rank same";
    for name in functions.split_whitespace() {
        assert!(GUIDE.contains(&format!("`{name}(")), "{name}");
    }
}
