//! What an expression comes to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::diagnostic::Mistake;
use super::functions::{self, Patterns};
use super::parse::Range;
use super::tree::{Binary, Call, Expr, ExprKind, For, Names, Part, StepExpr, Unary};
use crate::convert::{Mode, convert};
use crate::{Error, Number, Step, Type, Typed, Value, normalized, unify};

type Outcome<T> = Result<T, Mistake>;

/// How much work a text may make beyond its own length: a `for` within a `for` multiplies.
const MAX_WORK: usize = 1_000_000;

/// What an expression may refer to, and how much it may still cost.
pub(crate) struct Scope<'a> {
    /// Whether functions may be called.
    functions: bool,
    names: Vec<(&'a str, Typed)>,
    /// What `var.…` stands for, where there is such a thing.
    variables: Option<&'a BTreeMap<Arc<str>, Typed>>,
    left: usize,
    /// Whether something came up that is not computed here, whatever `can` and `try` made of it.
    declined: bool,
    patterns: Patterns,
}

/// What goes wrong while a value is made of others.
fn failed(at: &Range, why: &Error) -> Mistake {
    Mistake::new("Operation failed", at.clone(), format!("This cannot be computed: {why}."))
}

impl<'a> Scope<'a> {
    pub(crate) fn new(text: &str, functions: bool) -> Scope<'a> {
        Scope {
            functions,
            names: Vec::new(),
            variables: None,
            left: MAX_WORK + text.len(),
            declined: false,
            patterns: Patterns::default(),
        }
    }

    pub(crate) fn with_variables(mut self, variables: &'a BTreeMap<Arc<str>, Typed>) -> Scope<'a> {
        self.variables = Some(variables);
        self
    }

    /// Says that the outcome, whatever it will be, is not to be relied on.
    pub(super) fn decline(&mut self) {
        self.declined = true;
    }

    /// How much may still be done, and the patterns that are compiled already.
    pub(super) fn resources(&mut self) -> (&mut usize, &mut Patterns) {
        (&mut self.left, &mut self.patterns)
    }

    pub(crate) fn declined(&self) -> bool {
        self.declined
    }

    /// Takes so much of what may still be done.
    pub(super) fn spend(&mut self, work: usize, at: &Range) -> Outcome<()> {
        self.left = self.left.checked_sub(work).ok_or_else(|| {
            self.declined = true;
            Mistake::new("Expression too large", at.clone(), "The value of this expression is too large.")
        })?;
        Ok(())
    }

    /// Nested expressions come back to this function, so it keeps little on the stack.
    pub(crate) fn eval(&mut self, it: &Expr<'a>) -> Outcome<Typed> {
        self.spend(1, &it.at)?;
        match &it.kind {
            ExprKind::Null => Ok(Typed::new(Type::Dynamic, Value::Null)),
            ExprKind::Bool(it) => Ok(Typed::new(Type::Bool, Value::Bool(*it))),
            ExprKind::Number(it) => Ok(Typed::new(Type::Number, Value::Number(it.clone()))),
            ExprKind::Template(parts) => self.template(parts, &it.at),
            ExprKind::Variable(name) => self.variable(name, &it.at),
            ExprKind::Steps(of, steps) => self.steps(of, steps),
            ExprKind::Call(call) => self.call(call, &it.at),
            ExprKind::Tuple(elements) => self.tuple(elements),
            ExprKind::Object(items) => self.object(items.pairs()),
            ExprKind::For(each) => self.for_each(each),
            ExprKind::Parens(it) => self.eval(it),
            ExprKind::Unary(operator, of) => self.unary(*operator, of, &it.at),
            ExprKind::Binary(first, rest) => self.binary(first, rest, &it.at),
            ExprKind::Conditional(branches) => self.conditional(branches, &it.at),
        }
    }

    #[inline(never)]
    fn variable(&mut self, name: &str, at: &Range) -> Outcome<Typed> {
        let found = self.names.iter().rev().find(|(it, _)| *it == name);
        let found = found.map(|(_, it)| it.clone()).ok_or_else(|| {
            let why = format!("Only constant values may be used here, and {name:?} would be a variable.");
            Mistake::new("Variables not allowed", at.clone(), why)
        })?;
        self.spend(weight(&found.value), at)?;
        Ok(found)
    }

    #[inline(never)]
    fn call(&mut self, call: &Call<'a>, at: &Range) -> Outcome<Typed> {
        if self.functions {
            return functions::call(self, call, at);
        }
        let why = format!("Only constant values may be used here, and {:?} would be called.", call.name);
        Err(Mistake::new("Function calls not allowed", at.clone(), why))
    }

    #[inline(never)]
    fn tuple(&mut self, elements: &[Expr<'a>]) -> Outcome<Typed> {
        let mut types = Vec::with_capacity(elements.len());
        let mut values = Vec::with_capacity(elements.len());
        for it in elements {
            let it = self.eval(it)?;
            types.push(it.ty);
            values.push(it.value);
        }
        Ok(Typed::new(Type::tuple(types), Value::Tuple(values)))
    }

    #[inline(never)]
    fn object(&mut self, items: &[[Expr<'a>; 2]]) -> Outcome<Typed> {
        let mut attributes = BTreeMap::new();
        for [key, value] in items {
            let name = match &key.kind {
                ExprKind::Variable(name) => normalized(name),
                ExprKind::Null => "null".into(),
                ExprKind::Bool(it) => it.to_string().into(),
                ExprKind::Steps(..) => {
                    let why = "A key that is to be computed stands in parentheses.";
                    return Err(Mistake::new("Ambiguous attribute key", key.at.clone(), why));
                }
                _ => self.key(key)?,
            };
            attributes.insert(name, self.eval(value)?);
        }
        Ok(Typed::object(attributes))
    }

    fn key(&mut self, key: &Expr<'a>) -> Outcome<Arc<str>> {
        let it = self.eval(key)?;
        match text(it) {
            Ok(Some(it)) => Ok(it),
            Ok(None) => Err(Mistake::new("Null value as key", key.at.clone(), "A key must not be null.")),
            Err(e) => {
                Err(Mistake::new("Incorrect key type", key.at.clone(), format!("This is no key: {e}.")))
            }
        }
    }

    #[inline(never)]
    fn template(&mut self, parts: &[Part<'a>], at: &Range) -> Outcome<Typed> {
        match parts {
            [Part::Value(it)] => self.eval(it),
            parts => {
                let mut out = String::new();
                self.parts(&mut out, parts, at)?;
                Ok(Typed::new(Type::String, Value::string(out)))
            }
        }
    }

    fn parts(&mut self, out: &mut String, parts: &[Part<'a>], at: &Range) -> Outcome<()> {
        for part in parts {
            match part {
                Part::Text(it) => {
                    // Written once, it may be met often.
                    self.spend(it.len(), at)?;
                    out.push_str(it);
                }
                Part::Value(it) => {
                    let wrong =
                        |why| Mistake::new("Invalid template interpolation value", it.at.clone(), why);
                    match text(self.eval(it)?) {
                        Ok(Some(text)) => {
                            self.spend(text.len(), &it.at)?;
                            out.push_str(&text);
                        }
                        Ok(None) => return Err(wrong("A null has no place in a text.".to_owned())),
                        Err(e) => return Err(wrong(format!("This has no place in a text: {e}."))),
                    }
                }
                Part::If(condition, then, otherwise) => {
                    let branch = if self.condition(condition)? { then } else { otherwise };
                    self.parts(out, branch, at)?;
                }
                Part::For(names, of, body) => {
                    for (key, value) in self.entries(of)? {
                        self.with(*names, key, value, |it| it.parts(out, body, at))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The keys and values that a `for` goes through.
    fn entries(&mut self, of: &Expr<'a>) -> Outcome<Vec<(Typed, Typed)>> {
        let it = self.eval(of)?;
        self.spend(weight(&it.value), &of.at)?;
        let is_set = matches!(it.ty, Type::Set(_));
        let kind = it.ty.kind();
        let number = |i: usize| Typed::new(Type::Number, Value::Number(i.into()));
        let name = |it: Arc<str>| Typed::new(Type::String, Value::String(it));
        let it = match it.into_elements() {
            Ok(it) if is_set => return Ok(it.into_iter().map(|it| (it.clone(), it)).collect()),
            Ok(it) => {
                return Ok(it.into_iter().enumerate().map(|(i, it)| (number(i), it)).collect());
            }
            Err(it) => it.into_entries(),
        };
        let it = it.map_err(|_| {
            let why = format!("A collection is required here, and this is {}.", crate::error::article(kind));
            Mistake::new("Iteration over non-iterable value", of.at.clone(), why)
        })?;
        Ok(it.into_iter().map(|(key, it)| (name(key), it)).collect())
    }

    fn with<T>(
        &mut self,
        names: Names<'a>,
        key: Typed,
        value: Typed,
        inner: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let before = self.names.len();
        self.names.extend(names.key.map(|it| (it, key)));
        self.names.push((names.value, value));
        let it = inner(self);
        self.names.truncate(before);
        it
    }

    #[inline(never)]
    fn for_each(&mut self, each: &For<'a>) -> Outcome<Typed> {
        let mut elements = Vec::new();
        let mut attributes: BTreeMap<Arc<str>, Vec<Typed>> = BTreeMap::new();
        for (key, value) in self.entries(&each.of)? {
            let made = self.with(each.names, key, value, |it| {
                if !each.condition.as_ref().map_or(Ok(true), |condition| it.condition(condition))? {
                    return Ok(None);
                }
                let key = each.key.as_ref().map(|key| it.key(key)).transpose()?;
                Ok(Some((key, it.eval(&each.value)?)))
            })?;
            match made {
                None => {}
                Some((None, value)) => elements.push(value),
                Some((Some(key), value)) => {
                    let before = attributes.entry(key).or_default();
                    if !before.is_empty() && !each.group {
                        let at = each.key.as_ref().map_or(0..0, |it| it.at.clone());
                        let why = "Two values have the same key; write ... after the value to gather them.";
                        return Err(Mistake::new("Duplicate object key", at, why));
                    }
                    before.push(value);
                }
            }
        }
        Ok(if each.key.is_none() {
            Typed::tuple(elements)
        } else if each.group {
            Typed::object(attributes.into_iter().map(|(key, it)| (key, Typed::tuple(it))))
        } else {
            let single = |(key, it): (Arc<str>, Vec<Typed>)| Some((key, it.into_iter().next()?));
            Typed::object(attributes.into_iter().filter_map(single))
        })
    }

    #[inline(never)]
    fn steps(&mut self, of: &Expr<'a>, steps: &[StepExpr<'a>]) -> Outcome<Typed> {
        if let (ExprKind::Variable("var"), [StepExpr::Attribute(name, at), rest @ ..]) = (&of.kind, steps)
            && let Some(variables) = self.variables
            && !self.names.iter().any(|(it, _)| *it == "var")
        {
            // Not `var` as a whole: that would copy all of them for each mention of one.
            let it = variables.get(*name).ok_or_else(|| {
                let why = format!("There is no variable {name:?}.");
                Mistake::new("Reference to undeclared input variable", at.clone(), why)
            })?;
            self.spend(weight(&it.value), at)?;
            return self.follow(it.clone(), rest);
        }
        let it = self.eval(of)?;
        self.follow(it, steps)
    }

    fn follow(&mut self, mut it: Typed, steps: &[StepExpr<'a>]) -> Outcome<Typed> {
        for (i, step) in steps.iter().enumerate() {
            it = match step {
                StepExpr::Attribute(name, at) => member(&it, &Step::Attribute(normalized(name)), at, true)?,
                StepExpr::Index(index) => {
                    let key = self.eval(index)?;
                    member(&it, &index_step(&it.ty, key, &index.at)?, &index.at, false)?
                }
                StepExpr::Splat => {
                    let elements = match it {
                        it if it.value == Value::Null => Vec::new(),
                        it => it.into_elements().unwrap_or_else(|it| vec![it]),
                    };
                    let rest = &steps[i + 1..];
                    let each: Outcome<Vec<Typed>> =
                        elements.into_iter().map(|it| self.follow(it, rest)).collect();
                    return Ok(Typed::tuple(each?));
                }
            };
        }
        Ok(it)
    }

    #[inline(never)]
    fn unary(&mut self, operator: Unary, of: &Expr<'a>, at: &Range) -> Outcome<Typed> {
        let it = self.eval(of)?;
        Ok(match operator {
            Unary::Negate => {
                Typed::new(Type::Number, Value::Number(operand_number(it, &of.at, at)?.negate()))
            }
            Unary::Not => Typed::new(Type::Bool, Value::Bool(!operand_bool(it, &of.at, at)?)),
        })
    }

    #[inline(never)]
    fn binary(&mut self, first: &Expr<'a>, rest: &[(Binary, Expr<'a>)], at: &Range) -> Outcome<Typed> {
        let mut left = self.eval(first)?;
        let mut left_at = first.at.clone();
        for (operator, right) in rest {
            let given = self.eval(right)?;
            left = binary(*operator, (left, &left_at), (given, &right.at), at)?;
            left_at.end = right.at.end;
        }
        Ok(left)
    }

    fn condition(&mut self, condition: &Expr<'a>) -> Outcome<bool> {
        let it = self.eval(condition)?;
        match convert(it.value, &it.ty, &Type::Bool).map(|it| it.value) {
            Ok(Value::Bool(it)) => Ok(it),
            Ok(_) => {
                Err(Mistake::new("Null condition", condition.at.clone(), "A condition must not be null."))
            }
            Err(e) => {
                let why = format!("This is no condition: {e}.");
                Err(Mistake::new("Incorrect condition type", condition.at.clone(), why))
            }
        }
    }

    #[inline(never)]
    fn conditional(&mut self, branches: &[Expr<'a>; 3], at: &Range) -> Outcome<Typed> {
        let [condition, then, otherwise] = branches;
        let chosen = self.condition(condition)?;
        let (chosen, other) = if chosen { (then, otherwise) } else { (otherwise, then) };
        let it = self.eval(chosen)?;
        // What is not chosen still has a say in the type.
        let Ok(other) = self.eval(other) else {
            return Ok(it);
        };
        let untyped = |it: &Typed| it.ty == Type::Dynamic && it.value == Value::Null;
        let ty = if untyped(&it) {
            other.ty
        } else if untyped(&other) {
            it.ty.clone()
        } else {
            let types = [it.ty.clone(), other.ty];
            unify(&types, Mode::Unsafe).map(|it| it.ty).ok_or_else(|| {
                let why = "The two results of a condition must have a type in common.";
                Mistake::new("Inconsistent conditional result types", at.clone(), why)
            })?
        };
        let place = chosen.at.clone();
        convert(it.value, &it.ty, &ty).map_err(|e| failed(&place, &e))
    }
}

/// How large a value is, counted in members and bytes.
pub(super) fn weight(it: &Value) -> usize {
    match it {
        Value::String(it) => 1 + it.len(),
        Value::List(it) | Value::Tuple(it) => 1 + it.iter().map(weight).sum::<usize>(),
        Value::Set(it) => 1 + it.iter().map(weight).sum::<usize>(),
        Value::Map(it) => 1 + it.values().map(weight).sum::<usize>(),
        Value::Object(it) => 1 + it.values().map(weight).sum::<usize>(),
        Value::Dynamic(it) => weight(&it.value),
        Value::Null | Value::Unknown(_) | Value::Bool(_) | Value::Number(_) => 1,
    }
}

/// The text that a value stands for; none for a null.
fn text(it: Typed) -> Result<Option<Arc<str>>, Error> {
    Ok(match convert(it.value, &it.ty, &Type::String)?.value {
        Value::String(it) => Some(it),
        _ => None,
    })
}

/// The step that an index means for a value of the type.
fn index_step(ty: &Type, key: Typed, at: &Range) -> Outcome<Step> {
    let wrong = |why: String| Mistake::new("Invalid index", at.clone(), why);
    if matches!(ty, Type::Map(_) | Type::Object(_)) {
        let key = text(key).map_err(|e| wrong(format!("This is no key: {e}.")))?;
        let key = key.ok_or_else(|| wrong("A key must not be null.".into()))?;
        return Ok(if matches!(ty, Type::Map(_)) { Step::Key(key) } else { Step::Attribute(key) });
    }
    let it =
        convert(key.value, &key.ty, &Type::Number).map_err(|e| wrong(format!("This is no index: {e}.")))?;
    let index = if let Value::Number(it) = &it.value { it.to_u64() } else { None };
    let index = index.and_then(|it| usize::try_from(it).ok());
    index.map(Step::Index).ok_or_else(|| wrong("An index is a whole number, from zero.".into()))
}

fn member(it: &Typed, step: &Step, at: &Range, named: bool) -> Outcome<Typed> {
    let place = match (step, &it.ty) {
        (Step::Attribute(name), Type::Map(_)) => Step::Key(name.clone()),
        _ => step.clone(),
    };
    let ty = match (&place, &it.ty) {
        (Step::Attribute(name), Type::Object(types)) => types.get(name).map(|it| it.ty.clone()),
        (Step::Key(_), Type::Map(ty)) | (Step::Index(_), Type::List(ty)) => Some((**ty).clone()),
        (Step::Index(i), Type::Tuple(types)) => types.get(*i).cloned(),
        _ => None,
    };
    match ty.zip(it.value.step(&place)) {
        Some((ty, value)) => Ok(Typed::new(ty, value.clone())),
        None if named => {
            let why = "This value has no such attribute.";
            Err(Mistake::new("Unsupported attribute", at.clone(), why))
        }
        None => Err(Mistake::new("Invalid index", at.clone(), "This value has no such element.")),
    }
}

fn operand(it: Typed, ty: &Type, at: &Range, whole: &Range) -> Outcome<Value> {
    match convert(it.value, &it.ty, ty) {
        Ok(it) if it.value == Value::Null => Err(failed(whole, &Error::new("an operand is null"))),
        Ok(it) => Ok(it.value),
        Err(e) => {
            Err(Mistake::new("Invalid operand", at.clone(), format!("This does not fit the operation: {e}.")))
        }
    }
}

fn operand_number(it: Typed, at: &Range, whole: &Range) -> Outcome<Number> {
    match operand(it, &Type::Number, at, whole)? {
        Value::Number(it) => Ok(it),
        it => Err(failed(whole, &Error::kind(&Type::Number, &it))),
    }
}

fn operand_bool(it: Typed, at: &Range, whole: &Range) -> Outcome<bool> {
    match operand(it, &Type::Bool, at, whole)? {
        Value::Bool(it) => Ok(it),
        it => Err(failed(whole, &Error::kind(&Type::Bool, &it))),
    }
}

fn binary(operator: Binary, left: (Typed, &Range), right: (Typed, &Range), at: &Range) -> Outcome<Typed> {
    let bool = |it| Ok(Typed::new(Type::Bool, Value::Bool(it)));
    match operator {
        Binary::Equal | Binary::NotEqual => {
            let null = |it: &Typed| it.value == Value::Null;
            let (a, b) = (left.0, right.0);
            let same = null(&a) && null(&b) || a == b;
            return bool(same == (operator == Binary::Equal));
        }
        Binary::And | Binary::Or => {
            let a = operand_bool(left.0, left.1, at)?;
            let b = operand_bool(right.0, right.1, at)?;
            return bool(if operator == Binary::And { a && b } else { a || b });
        }
        _ => {}
    }
    let a = operand_number(left.0, left.1, at)?;
    let b = operand_number(right.0, right.1, at)?;
    let order = a.compare(&b);
    let made = match operator {
        Binary::Less => return bool(order.is_lt()),
        Binary::LessOrEqual => return bool(order.is_le()),
        Binary::Greater => return bool(order.is_gt()),
        Binary::GreaterOrEqual => return bool(order.is_ge()),
        Binary::Add => a.add(&b),
        Binary::Subtract => a.subtract(&b),
        Binary::Multiply => a.multiply(&b),
        Binary::Divide => a.divide(&b),
        _ => a.remainder(&b),
    };
    Ok(Typed::new(Type::Number, Value::Number(made.map_err(|e| failed(at, &e))?)))
}
