//! The objects that a provider defines, of every kind.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::kind::{Kind, Owner};
use crate::provider::{
    AnyAction, AnyConfigurable, AnyDataSource, AnyEphemeralResource, AnyFunction, AnyListResource,
    AnyResource, AnyStateStore,
};

/// Implemented for the trait object of each kind, such as `dyn AnyResource`.
pub trait Defined: Send + Sync + 'static {
    /// The kind.
    const KIND: Kind;
    /// The object, if the definition is one of this kind.
    fn of(definition: &Definition) -> Option<&Arc<Self>>;
}

macro_rules! definition {
    ($($kind:ident($object:ident)),+ $(,)?) => {
        /// An object that a provider defines.
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum Definition {
            $(
                #[doc = concat!("An object of the kind [`Kind::", stringify!($kind), "`].")]
                $kind(Arc<dyn $object>),
            )+
        }

        impl Definition {
            /// The kinds of all objects that a provider can define, in the order of Terraform's schema output.
            pub const KINDS: &[Kind] = &[$(Kind::$kind),+];

            /// The kind of the object.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Definition::$kind(_) => Kind::$kind),+
                }
            }
        }

        $(impl Defined for dyn $object {
            const KIND: Kind = Kind::$kind;

            fn of(definition: &Definition) -> Option<&Arc<Self>> {
                match definition {
                    Definition::$kind(it) => Some(it),
                    _ => None,
                }
            }
        })+
    };
}

definition! {
    Resource(AnyResource),
    DataSource(AnyDataSource),
    EphemeralResource(AnyEphemeralResource),
    ListResource(AnyListResource),
    Function(AnyFunction),
    Action(AnyAction),
    StateStore(AnyStateStore),
}

impl Kind {
    /// The kind of object that a block of this type declares. `None` for other block types.
    ///
    /// ```
    /// use ferroform_engine::Kind;
    ///
    /// assert_eq!(Kind::of_block_type("data"), Some(Kind::DataSource));
    /// assert_eq!(Kind::of_block_type("locals"), None);
    /// ```
    pub fn of_block_type(block_type: &str) -> Option<Kind> {
        let mut kinds = [Kind::Provider].into_iter().chain(Definition::KINDS.iter().copied());
        kinds.find(|it| it.block_type() == Some(block_type))
    }
}

impl Definition {
    /// The object, if it has a configuration: `None` for a function.
    pub fn configurable(&self) -> Option<&dyn AnyConfigurable> {
        match self {
            Definition::Resource(it) => Some(&**it),
            Definition::ListResource(it) => Some(&**it),
            Definition::DataSource(it) => Some(&**it),
            Definition::EphemeralResource(it) => Some(&**it),
            Definition::Action(it) => Some(&**it),
            Definition::StateStore(it) => Some(&**it),
            Definition::Function(_) => None,
        }
    }
}

/// The objects that a provider defines, by kind and full name.
#[derive(Clone, Default)]
pub struct Definitions {
    all: BTreeMap<Kind, BTreeMap<String, Definition>>,
    duplicates: Vec<String>,
}

impl Definitions {
    /// A list without objects.
    pub fn new() -> Definitions {
        Definitions::default()
    }

    /// Adds an object under its full name. A second object with the same kind and name replaces the first one, and is an
    /// error in the provider's definition.
    pub fn insert(&mut self, name: impl Into<String>, definition: Definition) {
        let (kind, name) = (definition.kind(), name.into());
        let objects = self.all.entry(kind).or_default();
        if objects.contains_key(&name) {
            self.duplicates.push(format!("{} {name} is registered twice", kind.noun()));
        }
        objects.insert(name, definition);
    }

    /// Adds an object as [`insert`](Definitions::insert) does, and returns the list.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, definition: Definition) -> Definitions {
        self.insert(name, definition);
        self
    }

    /// The object of this kind and name.
    pub fn get(&self, owner: Owner<'_>) -> Option<&Definition> {
        self.all.get(&owner.kind)?.get(owner.name)
    }

    /// The object of this kind and name, with its methods: `definitions.find::<dyn AnyResource>("local_file")`.
    pub fn find<T: Defined + ?Sized>(&self, name: &str) -> Option<&Arc<T>> {
        self.get(T::KIND.named(name)).and_then(T::of)
    }

    /// All objects with their owners, in the order of their kinds and names.
    pub fn iter(&self) -> impl Iterator<Item = (Owner<'_>, &Definition)> {
        self.all.iter().flat_map(|(kind, objects)| {
            objects.iter().map(|(name, definition)| (kind.named(name), definition))
        })
    }

    /// The objects of one kind with their names: `definitions.of_kind::<dyn AnyResource>()`.
    pub fn of_kind<T: Defined + ?Sized>(&self) -> impl Iterator<Item = (&str, &Arc<T>)> {
        let objects = self.all.get(&T::KIND).into_iter().flatten();
        objects.filter_map(|(name, definition)| Some((name.as_str(), T::of(definition)?)))
    }

    /// The names of the objects of one kind.
    pub fn names(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.all.get(&kind).into_iter().flatten().map(|(name, _)| name.as_str())
    }

    /// The errors about names that were registered twice.
    pub(crate) fn duplicates(&self) -> &[String] {
        &self.duplicates
    }
}

impl fmt::Debug for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|(owner, _)| owner.to_string())).finish()
    }
}
