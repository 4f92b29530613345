//! One attribute: its type, who writes it, and how it behaves in a plan.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Path, Step, Type, Value};

use super::behaviour::Behaviour;
use super::block::Nested;
use super::description::DescriptionKind;
use super::relation::{Kind, Others, Relation};
use super::terms::{Keep, Mode, Replace};

/// Tells whether a value is one of the attribute's Rust type, with unknowns anywhere.
pub type Reads = fn(&Value) -> Result<(), Error>;

/// What an attribute's Rust type does with its values.
#[derive(Debug)]
pub struct NativeType {
    /// Tells whether a plan or a state can hold a value.
    pub reads: Reads,
    /// Tells whether a configuration can hold a value.
    pub configures: Reads,
    /// The value that stands in for a missing one, in a partially created object.
    pub placeholder: fn() -> Value,
    /// The new value, with the known one wherever the two are semantically equal.
    pub keep: fn(&Value, &Value) -> Value,
    /// The canonical spelling of a value.
    pub canonical: fn(&Value) -> Value,
    /// True where two values that differ may mean the same.
    pub is_lax: bool,
    /// What it says below every description.
    pub about: &'static str,
}

/// An attribute of an object.
#[derive(Clone)]
pub struct Attribute {
    /// Its name.
    pub name: Arc<str>,
    /// Its type on the wire, nested objects included.
    pub ty: Type,
    /// The schema of nested objects, where it holds such.
    pub nested: Option<Box<Nested>>,
    /// Who writes it.
    pub mode: Mode,
    /// What it is for.
    pub description: String,
    /// Whether the description is Markdown.
    pub description_kind: DescriptionKind,
    /// True where Terraform must not show it.
    pub sensitive: bool,
    /// True where it is never stored.
    pub write_only: bool,
    /// True where the author's type can hold null, whoever writes it.
    pub nullable: bool,
    /// True where it tells which element of a list or set an object is.
    pub key: bool,
    /// None if there is no Rust type.
    pub native: Option<&'static NativeType>,
    /// None where nothing is said.
    behaviour: Option<Box<Behaviour>>,
}

impl Attribute {
    /// A required attribute of a type that is known only at run time.
    #[inline]
    pub fn raw(name: impl Into<Arc<str>>, ty: Type) -> Attribute {
        Attribute {
            name: name.into(),
            ty,
            nested: None,
            mode: Mode::Required,
            description: String::new(),
            description_kind: DescriptionKind::Markdown,
            sensitive: false,
            write_only: false,
            nullable: true,
            key: false,
            native: None,
            behaviour: None,
        }
    }

    /// A required attribute of nested objects whose schema is known only at run time.
    #[inline]
    pub fn raw_nested(name: impl Into<Arc<str>>, nested: Nested) -> Attribute {
        let ty = nested.nesting.of(nested.block.ty());
        Attribute { nested: Some(Box::new(nested)), ..Attribute::raw(name, ty) }
    }

    /// What is said of it beyond its type and who writes it.
    #[inline]
    pub fn behaviour(&self) -> &Behaviour {
        const NOTHING: &Behaviour = &Behaviour::NOTHING;
        self.behaviour.as_deref().unwrap_or(NOTHING)
    }

    /// True where something was said.
    #[inline]
    pub(super) fn has_behaviour(&self) -> bool {
        self.behaviour.is_some()
    }

    /// The same, to say more.
    pub fn behaviour_mut(&mut self) -> &mut Behaviour {
        self.behaviour.get_or_insert_with(|| Box::new(Behaviour::NOTHING))
    }

    /// Sets who writes it.
    #[inline]
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Attribute {
        self.mode = mode;
        self
    }

    /// The configuration writes it, or nobody.
    #[inline]
    #[must_use]
    pub fn optional(mut self) -> Attribute {
        self.nullable = true;
        self.mode(Mode::Optional)
    }

    /// It is never null, which the provider is held to: as a field that is no `Option`.
    #[inline]
    #[must_use]
    pub fn not_null(mut self) -> Attribute {
        self.nullable = false;
        self
    }

    /// The provider writes it.
    #[inline]
    #[must_use]
    pub fn computed(self) -> Attribute {
        self.mode(Mode::Computed)
    }

    /// The provider writes it where the configuration does not.
    #[inline]
    #[must_use]
    pub fn optional_computed(self) -> Attribute {
        self.mode(Mode::OptionalComputed)
    }

    /// Is never stored, neither in the plan nor in the state.
    #[inline]
    #[must_use]
    pub fn write_only(mut self) -> Attribute {
        self.write_only = true;
        self
    }

    /// Is not shown by Terraform.
    #[inline]
    #[must_use]
    pub fn sensitive(mut self) -> Attribute {
        self.sensitive = true;
        self
    }

    /// Says what it is for, in Markdown.
    #[inline]
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Attribute {
        self.description = text.into();
        self.description_kind = DescriptionKind::Markdown;
        if let Some(it) = self.native.filter(|it| !it.about.is_empty()) {
            self.description = format!("{}\n\n{}", self.description, it.about);
        }
        self
    }

    /// Warns who uses it, and says what to use instead.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Attribute {
        self.behaviour_mut().deprecated = Some(instead.into());
        self
    }

    /// A change of it needs a new object.
    #[inline]
    #[must_use]
    pub fn requires_replace(mut self) -> Attribute {
        self.behaviour_mut().replace = Replace::Always;
        self
    }

    /// A change of it needs a new object where the configuration sets it.
    #[must_use]
    pub fn requires_replace_if_configured(mut self) -> Attribute {
        self.behaviour_mut().replace = Replace::IfConfigured;
        self
    }

    /// Its computed value stays for the life of the object.
    #[inline]
    #[must_use]
    pub fn use_state_for_unknown(mut self) -> Attribute {
        self.behaviour_mut().keep = Keep::State;
        self
    }

    /// Its computed value stays for the life of the object, unless it is null.
    #[must_use]
    pub fn use_non_null_state_for_unknown(mut self) -> Attribute {
        self.behaviour_mut().keep = Keep::NonNullState;
        self
    }

    /// There must be so many elements at least, where the configuration sets it. Of blocks the host is told, and
    /// asks for so many.
    #[must_use]
    pub fn min_items(mut self, min: u64) -> Attribute {
        self.behaviour_mut().min_items = min;
        self
    }

    /// There may be so many elements at most. Of blocks the host is told.
    #[must_use]
    pub fn max_items(mut self, max: u64) -> Attribute {
        self.behaviour_mut().max_items = max;
        self
    }

    /// Its computed value stays as long as these siblings do.
    #[must_use]
    pub fn follows<N: Into<Arc<str>>>(mut self, siblings: impl IntoIterator<Item = N>) -> Attribute {
        self.behaviour_mut().keep = Keep::Follow(siblings.into_iter().map(Into::into).collect());
        self
    }

    /// Says what it is for, in plain text: what looks like Markdown is none.
    #[must_use]
    pub fn plain_description(self, text: impl Into<String>) -> Attribute {
        let mut made = self.description(text);
        made.description_kind = DescriptionKind::Plain;
        made
    }

    /// Says how it bears on those beside it.
    #[must_use]
    pub fn relates<N: Into<Arc<str>>>(self, kind: Kind, siblings: impl IntoIterator<Item = N>) -> Attribute {
        self.relates_to(kind, Others::siblings(siblings))
    }

    /// Says how it bears on others, beside it and elsewhere.
    #[must_use]
    pub fn relates_to(mut self, kind: Kind, others: Others) -> Attribute {
        self.behaviour_mut().relations.push(Relation { kind, others });
        self
    }

    /// Asks the function of `suppress_diff` after a read too: where it answers true
    /// for what the state has and what was read, the state stays.
    #[must_use]
    pub fn suppress_on_refresh(mut self) -> Attribute {
        self.behaviour_mut().suppress_on_refresh = true;
        self
    }

    /// Tells which element of a list or set an object is, together with the other keys beside it: elements of
    /// the state and the configuration with the same keys are the same element.
    #[must_use]
    pub fn key(mut self) -> Attribute {
        self.key = true;
        self
    }

    /// True where it says something that only an attribute can: a block has no value of its own.
    pub(super) fn is_more_than_block(&self) -> bool {
        self.key
            || self.behaviour().suppress.is_some()
            || self.behaviour().means.is_some()
            || self.behaviour().plan_with.is_some()
            || matches!(self.behaviour().replace, Replace::If(_))
    }

    /// True where its computed value may stay though something else changes.
    pub fn is_kept(&self) -> bool {
        self.behaviour().keep != Keep::Recompute
    }

    /// True where its value has parts, of which some may be known and others not.
    pub fn has_parts(&self) -> bool {
        !matches!(self.ty, Type::Bool | Type::Number | Type::String)
    }

    /// True where there is nothing to be done for the change of a value: both are known and not null.
    pub fn suppresses(&self, prior: &Value, new: &Value) -> bool {
        self.behaviour().suppress.as_ref().is_some_and(|f| {
            let comparable = |it: &Value| !it.is_null() && it.is_wholly_known();
            prior != new && comparable(prior) && comparable(new) && f.holds(prior, new)
        })
    }

    /// True where the provider writes something inside a nested object.
    pub fn holds_computed(&self) -> bool {
        self.nested.as_ref().is_some_and(|it| it.block.holds_computed())
    }

    /// What tells whether a value is one of its Rust type.
    pub fn reads(&self) -> Option<Reads> {
        self.native.map(|it| it.reads)
    }

    /// Everything in a value of the configuration that its Rust type cannot hold.
    pub fn misfits(&self, value: &Value) -> Vec<Error> {
        let mut found = Vec::new();
        if let Some(it) = self.native {
            misfits(it.configures, value, &|it| it, &Path::ROOT, &mut found);
        }
        found
    }

    /// Its Rust type, where that has an equality of its own. That of an object is found in its attributes.
    fn lax(&self) -> Option<&'static NativeType> {
        self.native.filter(|it| it.is_lax && self.nested.is_none())
    }

    /// True where its Rust type has an equality of its own.
    pub fn is_of_lax_type(&self) -> bool {
        self.lax().is_some()
    }

    /// True where values that differ may mean the same.
    pub fn has_own_equality(&self) -> bool {
        self.is_of_lax_type() || self.behaviour().means.is_some()
    }

    /// True where the attribute can hold the value.
    pub fn accepts(&self, value: &Value) -> bool {
        crate::type_mismatch::is_of(value, &self.ty) && self.reads().is_none_or(|reads| reads(value).is_ok())
    }

    /// What stands in for a value in an object that was only half made.
    pub fn placeholder(&self) -> Value {
        self.native.map_or_else(|| crate::type_mismatch::empty(&self.ty), |it| (it.placeholder)())
    }

    /// The new value, with the known one wherever the two mean the same.
    pub fn keep(&self, known: &Value, new: &Value) -> Value {
        if self.behaviour().means.as_ref().is_some_and(|same| same.holds(known, new)) {
            return known.clone();
        }
        self.lax().map_or_else(|| new.clone(), |it| (it.keep)(known, new))
    }

    /// True where the new value means the same as the known one.
    pub fn same(&self, known: &Value, new: &Value) -> bool {
        known == new || self.has_own_equality() && self.keep(known, new) == *known
    }

    /// What every value that means the same prints, as far as its type tells.
    pub fn canonical<'a>(&self, value: &'a Value) -> Cow<'a, Value> {
        self.lax().map_or(Cow::Borrowed(value), |it| Cow::Owned((it.canonical)(value)))
    }
}

/// What does not fit in a part of a value. It is read in what stands `around` it, without its neighbours, because
/// reading ends at the first fault.
fn misfits(
    reads: Reads,
    part: &Value,
    around: &dyn Fn(Value) -> Value,
    place: &Path,
    found: &mut Vec<Error>,
) {
    let Err(first) = reads(&around(part.clone())) else { return };
    let before = found.len();
    let depth = place.steps().len();
    if first.path().steps().len() > depth {
        let mut inside = |step: Step, it: &Value, alone: &dyn Fn(Value) -> Value| {
            misfits(reads, it, &|it| around(alone(it)), &place.clone().then(step), found);
        };
        match part {
            Value::List(it) => {
                let alone = |it| Value::List(vec![it]);
                it.iter().enumerate().for_each(|(i, it)| inside(Step::Index(i), it, &alone));
            }
            Value::Set(it) => {
                let alone = |it| Value::set([it]);
                it.iter().for_each(|it| inside(Step::Element(Box::new(it.clone())), it, &alone));
            }
            Value::Map(it) => it.iter().for_each(|(key, it)| {
                inside(Step::Key(key.clone()), it, &|it| Value::map([(key.clone(), it)]));
            }),
            _ => {}
        }
    }
    if found.len() == before {
        let rest: Path = first.path().steps().iter().skip(depth).cloned().collect();
        found.push(first.at(rest.below(place)));
    }
}

impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attribute")
            .field("name", &self.name)
            .field("ty", &self.ty)
            .field("mode", &self.mode)
            .field("sensitive", &self.sensitive)
            .field("write_only", &self.write_only)
            .field("keep", &self.behaviour().keep)
            .field("replace", &self.behaviour().replace)
            .field("default", &self.behaviour().default)
            .finish_non_exhaustive()
    }
}
