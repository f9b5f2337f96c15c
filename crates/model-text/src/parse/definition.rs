//! Definitions of relations and loops.

use super::{Parsed, Parser};
use crate::diagnostic::Problem;
use crate::syntax::{LoopDefinition, Parameter, Rel, StatementKind};

impl<'a> Parser<'a> {
    pub(super) fn rel(&mut self) -> Parsed<StatementKind<'a>> {
        self.advance();
        let name = self.name()?;
        self.expect("(")?;
        let parameters = self.list(")", Parser::parameter_without_range)?;
        let body = if self.take(";") { None } else { Some(self.block()?) };
        Ok(StatementKind::Rel(Rel { name, parameters, body }))
    }

    pub(super) fn loop_definition(&mut self) -> Parsed<StatementKind<'a>> {
        self.advance();
        let name = self.name()?;
        let outer =
            if self.take("[") { self.list("]", Parser::parameter_without_range)? } else { Vec::new() };
        self.expect("(")?;
        let state = self.list(")", Parser::parameter)?;
        let mut lets = Vec::new();
        while self.is_word("let") {
            lets.push(self.let_statement()?);
        }
        self.expect_word("while")?;
        let condition = self.condition()?;
        let body = self.block()?;
        let definition = LoopDefinition { name, outer, state, lets, condition, body };
        Ok(StatementKind::Loop(Box::new(definition)))
    }

    fn parameter(&mut self) -> Parsed<Parameter<'a>> {
        let name = self.name()?;
        let size = self.size()?;
        self.expect(":")?;
        let ty = self.type_name()?;
        let range = self.range()?;
        Ok(Parameter { name, size, ty, range })
    }

    /// The values of these come from the call, so the body must say what it demands of them.
    fn parameter_without_range(&mut self) -> Parsed<Parameter<'a>> {
        let parameter = self.parameter()?;
        match &parameter.range {
            Some((first, last)) => {
                let problem = Problem::new(first.span.start..last.span.end, "a parameter has no range");
                Err(problem.hint("demand it in the body, as in `1 <= x && x <= 9;`"))
            }
            None => Ok(parameter),
        }
    }
}
