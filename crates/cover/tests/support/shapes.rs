//! Parameters and globals of random functions, with so few values that all of them can be tried.

use quipu_cover::Range;
use quipu_inputs::{Allowed, Number};
use quipu_testkit::rng::Rng;

/// The inputs of a function, as C text and as what the generator may read and write.
pub struct Shape {
    /// Types and globals in front of the functions.
    pub declarations: String,
    pub parameters: String,
    /// Numbers that can be read.
    pub reads: Vec<String>,
    /// Those of them that can be changed.
    pub writes: Vec<String>,
    pub ranges: Vec<Range>,
    /// A statement that makes a global an input.
    pub touch: &'static str,
    /// Numbers near the borders of the ranges.
    pub constants: Vec<i64>,
}

impl Shape {
    fn new(declarations: &str, parameters: &str) -> Shape {
        Shape {
            declarations: declarations.to_string(),
            parameters: parameters.to_string(),
            reads: Vec::new(),
            writes: Vec::new(),
            ranges: Vec::new(),
            touch: "",
            constants: Vec::new(),
        }
    }

    /// An input with all values of its type.
    fn whole(mut self, name: &str) -> Shape {
        self.reads.push(name.to_string());
        self.writes.push(name.to_string());
        self
    }

    /// An input with these values.
    fn within(mut self, name: &str, low: i64, size: i64) -> Shape {
        let high = low + size - 1;
        self.ranges.push(integers(name, low, high));
        self.constants.extend([low, high, low + size / 2]);
        self.whole(name)
    }
}

/// An input with all integers from one to another.
pub fn integers(name: &str, low: i64, high: i64) -> Range {
    let number = |value: i64| Number::Int(i128::from(value));
    Range { name: name.to_string(), values: Allowed::Between(number(low), number(high)) }
}

/// Inputs with at most 65,536 values together, mostly far fewer.
pub fn shape(rng: &mut Rng) -> Shape {
    let near = rng.between(-20, 5);
    let limits = [i64::from(i32::MIN), i64::from(i32::MAX) - 59, -30, -30, 1000, near];
    let low = *rng.pick(&limits);
    let record = "struct rec { signed char x; unsigned short y; };\n";
    let fields = "struct bits { int x : 3; unsigned y : 4; signed char z; };\n";
    match rng.below(14) {
        0 => Shape::new("", "signed char a, unsigned char b").whole("a").whole("b"),
        1 | 2 => {
            let (a, b) = (rng.between(-128, 97), rng.between(0, 225));
            Shape::new("", "signed char a, unsigned char b").within("a", a, 31).within("b", b, 31)
        }
        3 => Shape::new("", "int a, unsigned char t[2]")
            .within("a", low, 60)
            .within("t[0]", 0, 6)
            .within("t[1]", 250, 6),
        4 | 5 => {
            Shape::new("static signed char g = 3;\n", "int a").within("a", low, 60).within("g", near, 16)
        }
        6 => Shape::new("", "short a, unsigned b").within("a", 32740, 28).within("b", (1 << 32) - 24, 24),
        7 => Shape::new(record, "struct rec r").within("r.x", near, 32).within("r.y", 65_510, 26),
        8 => {
            let mut shape =
                Shape::new(record, "struct rec *p, int a").within("a", low, 40).within("p->x", near, 16);
            shape.ranges.push(integers("p->y", 7, 8));
            shape
        }
        9 => Shape::new(fields, "struct bits r").whole("r.x").whole("r.y").within("r.z", near, 8),
        10 => Shape::new("", "long long a, _Bool b").within("a", rng.between(-150, 0), 300).whole("b"),
        11 => Shape::new("static int g[3];\n", "signed char a").within("a", near, 40).within("g", 0, 3),
        12 => Shape::new("", "signed char a").whole("a"),
        _ => Shape::new("", "int a, int b").within("a", low, 40).within("b", rng.between(-12, 2), 24),
    }
    .fixed()
}

impl Shape {
    /// What is read of an array are its elements.
    fn fixed(mut self) -> Shape {
        if self.declarations.contains("g = 3") {
            self.touch = "g ^= 0;";
        } else if self.declarations.contains("g[3]") {
            self.touch = "g[0] ^= 0;";
        }
        for list in [&mut self.reads, &mut self.writes] {
            if let Some(place) = list.iter().position(|name| name == "g")
                && self.declarations.contains("g[3]")
            {
                list.splice(place..=place, ["g[0]", "g[1]", "g[2]"].map(String::from));
            }
        }
        self
    }
}
