//! All differences between a value and a type constraint.
//!
//! [`Constraint::fit`] returns the first error. [`Constraint::mismatches`] returns the errors of all attributes and
//! elements, and [`Constraint::undeclared_attributes`] the attributes that the conversion drops.

use ferroform_value::{Error, Path, Step, Type, Typed, Value, convert, suggest};

use crate::diagnostic::MAX_REPORTED;
use crate::type_constraint::Constraint;

/// An attribute of a value that its type constraint does not have. Terraform drops it without a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndeclaredAttribute {
    /// The path of the attribute.
    pub path: Path,
    /// The most similar attribute of the type that the value does not set.
    pub suggestion: Option<String>,
}

impl Constraint {
    /// Returns all errors of a value, at most 64; none if the value converts to the type.
    ///
    /// ```
    /// use ferroform_lang::expression;
    /// use ferroform_lang::type_constraint::Constraint;
    ///
    /// let constraint = Constraint::parse("list(object({port = number, open = bool}))")?;
    /// let errors = constraint.mismatches(expression::constant("[{port = \"http\", open = 1}, {port = 80}]")?);
    /// let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    /// assert_eq!(
    ///     errors,
    ///     [
    ///         "[0].open: bool required, but have number",
    ///         "[0].port: a number is required",
    ///         "[1]: attribute \"open\" is required",
    ///     ]
    /// );
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn mismatches(&self, it: Typed) -> Vec<Error> {
        let it = match Typed::resolve(it.value, &it.ty) {
            Ok(it) => it,
            Err(e) => return vec![e],
        };
        let it = match &self.defaults {
            Some(defaults) => defaults.apply(it),
            None => it,
        };
        convert::errors(&it.value, &it.ty, &self.ty, MAX_REPORTED)
    }

    /// Returns the attributes of a value that the type does not have, at most 64.
    ///
    /// ```
    /// use ferroform_lang::expression;
    /// use ferroform_lang::type_constraint::Constraint;
    ///
    /// let constraint = Constraint::parse("list(object({port = number, open = optional(bool)}))")?;
    /// let surplus = constraint.undeclared_attributes(&expression::constant("[{port = 80, opne = true}]")?);
    /// assert_eq!(surplus[0].path.to_string(), "[0].opne");
    /// assert_eq!(surplus[0].suggestion.as_deref(), Some("open"));
    /// # Ok::<(), ferroform_lang::Errors>(())
    /// ```
    pub fn undeclared_attributes(&self, it: &Typed) -> Vec<UndeclaredAttribute> {
        let mut found = Vec::new();
        surplus(&it.value, &self.ty, &mut Path::default(), &mut found);
        found
    }
}

/// Collects the attributes that the type does not have.
fn surplus(it: &Value, ty: &Type, path: &mut Path, found: &mut Vec<UndeclaredAttribute>) {
    if found.len() >= MAX_REPORTED {
        return;
    }
    match (it, ty) {
        (Value::Object(it), Type::Object(target)) => {
            for (name, value) in it.iter() {
                below(path, Step::Attribute(name.clone()), |path| match target.get(name) {
                    Some(attribute) => surplus(value, &attribute.ty, path, found),
                    None => {
                        let unset = target.attributes().iter().map(|it| &*it.name);
                        let suggestion = suggest(name, unset.filter(|name| it.get(name).is_none()));
                        let suggestion = suggestion.map(str::to_owned);
                        found.push(UndeclaredAttribute { path: path.clone(), suggestion });
                    }
                });
            }
        }
        (Value::Object(it), Type::Map(ty)) => {
            for (name, it) in it.iter() {
                below(path, Step::Key(name.into()), |path| surplus(it, ty, path, found));
            }
        }
        (Value::Tuple(it) | Value::List(it), Type::List(ty) | Type::Set(ty)) => {
            for (i, it) in it.iter().enumerate() {
                below(path, Step::Index(i), |path| surplus(it, ty, path, found));
            }
        }
        (Value::Tuple(it), Type::Tuple(types)) => {
            for (i, (it, ty)) in it.iter().zip(&**types).enumerate() {
                below(path, Step::Index(i), |path| surplus(it, ty, path, found));
            }
        }
        _ => {}
    }
}

/// Runs `inner` with the path extended by a step.
fn below(path: &mut Path, step: Step, inner: impl FnOnce(&mut Path)) {
    path.push(step);
    inner(path);
    path.pop();
}
