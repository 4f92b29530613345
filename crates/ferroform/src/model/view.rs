//! The one table of the framework: what an author's field looks like at each moment.
//!
//! `T` is the type in the author's struct; below, `T'` is `T` as this view sees it: a scalar is itself, a
//! collection has its elements wrapped, a nested model becomes its own view ([`Attr::In`]).
//!
//! | the author writes | row | [`Config`](super::Config) | [`Args`](super::Args) | [`Proposed`](super::Proposed) | [`Planned`](super::Planned) |
//! |---|---|---|---|---|---|
//! | `T`, `Option<T>`, an element, `default_with = f` | [`View::Plain`] | `Maybe<T'>` | `T'` | `Maybe<T'>` | `T'` |
//! | `computed` | [`View::Computed`] | `()` | `()` | `Maybe<T'>` | `Maybe<T'>` |
//! | `optional, computed` | [`View::OptionalComputed`] | `Maybe<Option<T'>>` | `Option<T'>` | `Maybe<T'>` | `Maybe<T'>` |
//! | `default = e` | [`View::Default`] | `Maybe<Option<T'>>` | `Option<T'>` | `Maybe<T'>` | `T'` |
//! | `write_only` | [`View::WriteOnly`] | `Maybe<T'>` | `T'` | `()` | `T'` |
//!
//! What is computed may be known with unknown parts, therefore `T'` in the `Planned` column of the computed
//! rows is `T` as [`Proposed`](super::Proposed) sees it. Write-only values of `Planned` are taken from the configuration.

use ferroform_engine::Maybe;

use super::attr::Attr;

mod sealed {
    pub trait Sealed {}
}

/// A moment in the life of a value: which of its attributes may be unknown or absent then.
pub trait View: sealed::Sealed + Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// A required or optional attribute, or an element of a collection.
    type Plain<T: Attr>: Attr;
    /// An attribute that only the provider writes.
    type Computed<T: Attr>: Attr;
    /// An attribute that the provider writes where the configuration does not. `Bare` is `T` without its
    /// `Option`, where it has one.
    type OptionalComputed<Bare: Attr, T: Attr>: Attr;
    /// An attribute with a default.
    type Default<T: Attr>: Attr;
    /// An attribute that is never stored.
    type WriteOnly<T: Attr>: Attr;
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
    /// The configuration as written, before apply: every part may be unknown, what is computed is absent.
    InConfig {
        Plain<T> = Maybe<T::In<InConfig>>;
        Computed<T> = ();
        OptionalComputed<Bare, T> = Maybe<Option<Bare::In<InConfig>>>;
        Default<T> = Maybe<Option<T::In<InConfig>>>;
        WriteOnly<T> = Maybe<T::In<InConfig>>;
    }
    /// The configuration, all known: what a data source is asked.
    InArgs {
        Plain<T> = T::In<InArgs>;
        Computed<T> = ();
        OptionalComputed<Bare, T> = Option<Bare::In<InArgs>>;
        Default<T> = Option<T::In<InArgs>>;
        WriteOnly<T> = T::In<InArgs>;
    }
    /// A plan while it is being made: every part may be unknown.
    InProposed {
        Plain<T> = Maybe<T::In<InProposed>>;
        Computed<T> = Maybe<T::In<InProposed>>;
        OptionalComputed<Bare, T> = Maybe<T::In<InProposed>>;
        Default<T> = Maybe<T::In<InProposed>>;
        WriteOnly<T> = ();
    }
    /// A plan that is being applied: only what is computed may be unknown.
    InPlanned {
        Plain<T> = T::In<InPlanned>;
        Computed<T> = Maybe<T::In<InProposed>>;
        OptionalComputed<Bare, T> = Maybe<T::In<InProposed>>;
        Default<T> = T::In<InPlanned>;
        WriteOnly<T> = T::In<InPlanned>;
    }
}
