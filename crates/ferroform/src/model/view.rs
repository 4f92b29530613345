//! Views: the types of a model's fields in the configuration, the plan and the state.
//!
//! `T` is the type of the field in the model, and `T'` is the same type in the view ([`Attr::In`](super::Attr::In)): a scalar stays as it
//! is, a collection contains `Maybe` elements where they may be unknown, and a nested model becomes its own view.
//!
//! | options of the field | row | [`Config`](super::Config) | [`Args`](super::Args) | [`Proposed`](super::Proposed) | [`Planned`](super::Planned) |
//! |---|---|---|---|---|---|
//! | `T`, `Option<T>`, an element, `default_with = f` | [`View::Plain`] | `Maybe<T'>` | `T'` | `Maybe<T'>` | `T'` |
//! | `computed` | [`View::Computed`] | `()` | `()` | `Maybe<T'>` | `Maybe<T'>` |
//! | `optional, computed` | [`View::OptionalComputed`] | `Maybe<Option<T'>>` | `Option<T'>` | `Maybe<T'>` | `Maybe<T'>` |
//! | `default = e` | [`View::Default`] | `Maybe<Option<T'>>` | `T'` | `Maybe<T'>` | `T'` |
//! | `write_only` | [`View::WriteOnly`] | `Maybe<T'>` | `T'` | `()` | `T'` |
//!
//! A known computed value can have unknown parts. Therefore, in the `Planned` column of the computed rows, `T'` is the
//! type in [`Proposed`](super::Proposed). Write-only values of `Planned` come from the configuration.
//!
//! ```
//! use ferroform::{Config, Known, Maybe, Model, Planned, Unknown};
//!
//! /// A machine.
//! #[derive(Model, Clone, Debug, PartialEq)]
//! struct Machine {
//!     name: String,
//!     #[attr(computed)]
//!     address: String,
//! }
//!
//! let config = Config::<Machine> { name: Unknown, address: () };
//! let plan = Planned::<Machine> { name: "web".to_owned(), address: Unknown };
//! assert!(Machine::try_from(plan).is_err(), "the address is not known yet");
//!
//! let plan = Planned::<Machine> { name: "web".to_owned(), address: Known("10.0.0.1".to_owned()) };
//! let machine = Machine::try_from(plan)?;
//! assert_eq!(machine, Machine { name: "web".to_owned(), address: "10.0.0.1".to_owned() });
//! # Ok::<(), ferroform::value::Error>(())
//! ```

use ferroform_engine::Maybe;

use super::attr::{Attr, AttrValue};

mod sealed {
    pub trait Sealed {}
}

/// A view of models: which attributes may be unknown or absent.
///
/// `FileView<V>`, which `#[derive(Model)]` generates for `File`, is generic over it, so a function can accept an object
/// in every view:
///
/// ```
/// use ferroform::view::View;
/// use ferroform::{Attr as _, Config, Maybe, Model, Planned, Unknown};
///
/// /// A machine.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     name: String,
///     #[attr(computed)]
///     address: String,
/// }
///
/// /// The name as a value, for messages.
/// fn name<V: View>(machine: &MachineView<V>) -> String {
///     machine.name.to_value().to_string()
/// }
///
/// let config = Config::<Machine> { name: Maybe::Known("web".to_owned()), address: () };
/// let plan = Planned::<Machine> { name: "web".to_owned(), address: Unknown };
/// assert_eq!((name(&config), name(&plan)), ("\"web\"".to_owned(), "\"web\"".to_owned()));
/// ```
pub trait View: sealed::Sealed + Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// A required or optional attribute, or an element of a collection.
    type Plain<T: Attr>: AttrValue;
    /// An attribute that only the provider sets.
    type Computed<T: Attr>: AttrValue;
    /// An attribute that the provider sets if the configuration omits it. `Bare` is `T` without its `Option`, if it has one.
    type OptionalComputed<Bare: Attr, T: Attr>: AttrValue;
    /// An attribute with a default.
    type Default<T: Attr>: AttrValue;
    /// A write-only attribute.
    type WriteOnly<T: Attr>: AttrValue;
}

macro_rules! views {
    ($($(#[doc = $doc:literal])+ $name:ident { $($row:ident<$($arg:ident),+> = $is:ty;)+ })+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $name {}
        impl sealed::Sealed for $name {}
        impl View for $name {
            $(type $row<$($arg: Attr),+> = $is;)+
        }
    )+};
}

views! {
    /// The configuration before apply: every value may be unknown, and computed attributes are absent.
    InConfig {
        Plain<T> = Maybe<T::In<InConfig>>;
        Computed<T> = ();
        OptionalComputed<Bare, T> = Maybe<Option<Bare::In<InConfig>>>;
        Default<T> = Maybe<Option<T::In<InConfig>>>;
        WriteOnly<T> = Maybe<T::In<InConfig>>;
    }
    /// The configuration of a data source that is read: every value is known, and defaults have been applied.
    InArgs {
        Plain<T> = T::In<InArgs>;
        Computed<T> = ();
        OptionalComputed<Bare, T> = Option<Bare::In<InArgs>>;
        Default<T> = T::In<InArgs>;
        WriteOnly<T> = T::In<InArgs>;
    }
    /// A planned state during planning: every value may be unknown.
    InProposed {
        Plain<T> = Maybe<T::In<InProposed>>;
        Computed<T> = Maybe<T::In<InProposed>>;
        OptionalComputed<Bare, T> = Maybe<T::In<InProposed>>;
        Default<T> = Maybe<T::In<InProposed>>;
        WriteOnly<T> = ();
    }
    /// A planned state during apply: only computed values may be unknown.
    InPlanned {
        Plain<T> = T::In<InPlanned>;
        Computed<T> = Maybe<T::In<InProposed>>;
        OptionalComputed<Bare, T> = Maybe<T::In<InProposed>>;
        Default<T> = T::In<InPlanned>;
        WriteOnly<T> = T::In<InPlanned>;
    }
}
