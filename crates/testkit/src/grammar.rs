//! Random texts made from templates.
//!
//! In a template, a `$` and the letter behind it stand for any of the texts that the rules have for that letter,
//! themselves templates; `$0` stands for a small number.

use crate::rng::Rng;

/// What letters stand for.
pub type Rules = &'static [(char, &'static [&'static str])];

/// A writer of texts.
pub struct Grammar<'r> {
    pub rng: &'r mut Rng,
    /// All of these count; a letter may have texts in several.
    pub rules: &'r [Rules],
}

impl Grammar<'_> {
    /// A text for a template. Where it would be nested deeper, texts are preferred that have no parts.
    pub fn expand(&mut self, template: &str, depth: u32) -> String {
        let mut text = String::new();
        let mut letters = template.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '$' => {
                    let name = letters.next().expect("a letter should stand behind `$`");
                    text.push_str(&self.choose(name, depth));
                }
                other => text.push(other),
            }
        }
        text
    }

    fn choose(&mut self, name: char, depth: u32) -> String {
        if name == '0' {
            return self.rng.between(-1, 3).to_string();
        }
        let rules = self.rules.iter().copied().flatten().filter(|rule| rule.0 == name);
        let all: Vec<&str> = rules.flat_map(|rule| rule.1).copied().collect();
        let plain: Vec<&str> = all.iter().copied().filter(|text| depth > 0 || !text.contains('$')).collect();
        let template = *self.rng.pick(if plain.is_empty() { &all } else { &plain });
        self.expand(template, depth.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_replaced_and_nesting_ends() {
        let rules: &[Rules] = &[&[('A', &["x", "($A + $A)"])], &[('A', &["y"])]];
        let mut rng = Rng::new(1);
        let mut grammar = Grammar { rng: &mut rng, rules };
        let texts: Vec<String> = (0..50).map(|_| grammar.expand("$A = $A", 3)).collect();
        assert!(texts.iter().all(|text| !text.contains('$')));
        assert!(texts.iter().any(|text| text.contains('+')) && texts.iter().any(|text| text.contains('y')));
    }
}
