//! Statements.

use std::rc::Rc;

use quipu_model::{Role, Term};

use super::scope::Binding;
use super::{Builder, Built, Position, Stop};
use crate::diagnostic::Problem;
use crate::document::Named;
use crate::syntax::{Block, Expr, ExprKind, Let, Name, Statement, StatementKind, Variables};
use crate::types::Type;

impl<'a> Builder<'a> {
    /// The constraint that a statement is, if it is one.
    pub(super) fn statement(&mut self, statement: &Statement<'a>) -> Built<Option<Term>> {
        match &statement.kind {
            StatementKind::Variables(variables) => self.variables(variables).map(|()| None),
            StatementKind::Let(item) => self.let_name(item).map(|()| None),
            StatementKind::Constraint(expression) => self.constraint(expression).map(Some),
            StatementKind::Block(block) => self.block(block).map(Some),
            StatementKind::Ite(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                Ok(Some(self.model.select(condition?, then?, otherwise?)))
            }
            StatementKind::When(condition, block) => {
                let condition = self.condition(condition);
                let block = self.block(block)?;
                let not = self.model.not(condition?);
                Ok(Some(self.model.any([not, block])))
            }
            StatementKind::Either(blocks) => {
                let built: Vec<Built<Term>> = blocks.iter().map(|block| self.block(block)).collect();
                let terms: Vec<Term> = built.into_iter().collect::<Built<_>>()?;
                Ok(Some(self.model.any(terms)))
            }
            StatementKind::While(repetition) => self.repetition(repetition).map(Some),
            StatementKind::Rel(rel) => self.define_rel(rel).map(|()| None),
            StatementKind::Loop(definition) => self.define_loop(definition).map(|()| None),
            StatementKind::Query(query) => self.query(query, &statement.span).map(|()| None),
        }
    }

    fn constraint(&mut self, expression: &Expr<'a>) -> Built<Term> {
        let found = self.scalar(expression, None, Position::Positive)?;
        if found.ty == Type::BOOL {
            return Ok(found.term);
        }
        let message = format!("a constraint is true or false, and this has type `{}`", found.ty);
        let hint = self.conversion(&expression.span, found.ty, Type::BOOL);
        self.fail(Problem::new(expression.span.clone(), message).hint(hint))
    }

    /// The conjunction of the constraints of a block.
    fn block(&mut self, block: &Block<'a>) -> Built<Term> {
        let items = self.block_items(block)?;
        Ok(self.conjunction(items))
    }

    /// The constraints of a block; its names end with it.
    pub(super) fn block_items(&mut self, block: &Block<'a>) -> Built<Vec<Term>> {
        self.frame().enter();
        let mut items = Ok(Vec::new());
        for statement in &block.statements {
            match (self.statement(statement), &mut items) {
                (Ok(term), Ok(items)) => items.extend(term),
                (Ok(_), Err(Stop)) => {}
                (Err(Stop), _) => items = Err(Stop),
            }
            if self.exhausted {
                break;
            }
        }
        self.frame().leave();
        items
    }

    fn variables(&mut self, variables: &Variables<'a>) -> Built<()> {
        let ty = variables.ty.ty;
        let range = self.range(variables.range.as_ref(), ty);
        let mut result = Ok(());
        for (name, size) in &variables.names {
            let declared = match &range {
                Ok(range) => self.variable(name, size.as_ref(), ty, *range, variables.local),
                Err(Stop) => Err(Stop),
            };
            if declared.is_err() {
                self.bind_broken(name.text);
                result = Err(Stop);
            }
        }
        result
    }

    fn variable(
        &mut self,
        name: &Name<'a>,
        size: Option<&Expr<'a>>,
        ty: Type,
        range: Option<(u64, u64)>,
        local: bool,
    ) -> Built<()> {
        self.check_new(name)?;
        let size = self.size(size)?;
        self.list_elements(&name.span, size.unwrap_or(1))?;
        let (top, outermost) = (self.frame().is_top(), self.frame().is_outermost());
        let role = match (top, local || !outermost) {
            (false, _) => Role::Formal,
            (true, true) => Role::Local,
            (true, false) => Role::Input,
        };
        let vars = self.add_vars(name.text, ty, size, range, role);
        if !top {
            self.frame().locals.extend(&vars);
        } else if outermost {
            let (name, array, vars) = (name.text.to_owned(), size.is_some(), vars.clone());
            self.names.push(Named { name, ty, array, vars });
        }
        self.bind_vars(name.text, ty, size.is_some(), vars);
        Ok(())
    }

    /// Names an expression.
    pub(super) fn let_name(&mut self, item: &Let<'a>) -> Built<()> {
        let built = self.let_binding(item);
        match built {
            Ok(binding) => {
                self.frame().bind(item.name.text, binding);
                Ok(())
            }
            Err(Stop) => {
                self.bind_broken(item.name.text);
                Err(Stop)
            }
        }
    }

    fn let_binding(&mut self, item: &Let<'a>) -> Built<Binding> {
        self.check_new(&item.name)?;
        let before = self.calls;
        let (terms, ty, array) = match &item.value.kind {
            ExprKind::List(_) => {
                let (terms, ty) = self.array(&item.value, None)?;
                (terms, ty, true)
            }
            ExprKind::Name(name) => {
                let binding = self.lookup(name, &item.value.span)?;
                self.calls += usize::from(binding.calls);
                (binding.terms, binding.ty, binding.array)
            }
            _ => {
                let value = self.scalar(&item.value, None, Position::Positive)?;
                (Rc::from([value.term]), value.ty, false)
            }
        };
        Ok(Binding { ty, terms, array, vars: Rc::from([]), calls: self.calls > before, broken: false })
    }
}
