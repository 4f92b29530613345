//! Literals: the values of a configuration before it is evaluated for a schema.

use std::collections::BTreeMap;

use ferroform::schema::{Block, Member};
use ferroform::value::{Number, RefinementKind, Refinements, Step, Type, Typed, Value};
use ferroform_engine::configuration::{self as engine, Entry};

/// A configuration: attributes and blocks by name.
///
/// [`config!`](crate::config) writes one as HCL. The methods build one step by step, for example in a loop.
///
/// ```
/// use ferroform_testing::{Configuration, config};
///
/// let built = Configuration::new().set("name", "web").block("rule", Configuration::new().set("port", 80));
/// assert_eq!(built, config! { name = "web", rule { port = 80 } });
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration(pub(super) engine::Configuration);

impl Configuration {
    /// Creates a configuration from evaluated arguments and blocks.
    pub(crate) fn from_entries(entries: engine::Configuration) -> Configuration {
        Configuration(entries)
    }

    /// Creates an empty configuration.
    pub fn new() -> Configuration {
        Configuration::default()
    }

    /// Adds `name = value`.
    #[must_use]
    pub fn set(self, name: impl Into<String>, value: impl Into<Literal>) -> Configuration {
        let entry = match value.into().typed() {
            Some(unknown @ Typed { value: Value::Unknown(_), .. }) => Entry::Unknown(unknown),
            Some(typed) => Entry::Argument(typed),
            None => Entry::Invalid("A value cannot contain a block."),
        };
        self.with(name, entry)
    }

    /// Adds `name { … }`. Several blocks can have the same name.
    #[must_use]
    pub fn block(self, name: impl Into<String>, inside: Configuration) -> Configuration {
        self.with(name, Entry::Block { label: None, is_dynamic: false, content: inside.0 })
    }

    /// Adds `name "label" { … }`.
    #[must_use]
    pub fn labeled_block(
        self,
        name: impl Into<String>,
        label: impl Into<String>,
        inside: Configuration,
    ) -> Configuration {
        let label = Some(label.into().into());
        self.with(name, Entry::Block { label, is_dynamic: false, content: inside.0 })
    }

    /// The configuration of an object that has been evaluated for this schema.
    pub(crate) fn of(block: &Block, object: &Value) -> Configuration {
        let mut all = Configuration::new();
        for member in block.members() {
            let (name, value) = (member.name(), object.attribute_or_null(member.name()));
            if member.is_absent(value) {
                continue;
            }
            let typed = Typed::new(member.ty().clone(), value.clone());
            all = match (member, value) {
                (_, Value::Unknown(_)) => all.with(&**name, Entry::Unknown(typed)),
                (Member::Attribute(_), _) => all.with(&**name, Entry::Argument(typed)),
                (Member::Block(it), Value::Object(_)) => {
                    all.block(&**name, Configuration::of(it.block(), value))
                }
                (Member::Block(it), _) => value.children().fold(all, |all, (step, value)| {
                    let content = Configuration::of(it.block(), value);
                    match step {
                        Step::Key(label) => all.labeled_block(&**name, &*label, content),
                        _ => all.block(&**name, content),
                    }
                }),
            };
        }
        all
    }

    /// The names of the attributes and blocks.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.entries.iter().map(|(name, _)| &**name)
    }

    /// The attributes and blocks that the schema has.
    pub(crate) fn within(&self, block: &Block) -> Configuration {
        let mut all = self.clone();
        all.0.entries.retain(|(name, _)| block.member(name).is_some());
        all
    }

    fn with(mut self, name: impl Into<String>, entry: Entry) -> Configuration {
        self.0.entries.push((name.into().into(), entry));
        self
    }
}

/// A value of a configuration whose type follows from the schema.
///
/// `From` converts Rust values, so that tests rarely name this type:
///
/// ```
/// use ferroform_testing::{Configuration, Literal, config};
///
/// let sizes: Vec<Literal> = vec![1.into(), "2".into(), Literal::Null];
/// assert_eq!(Configuration::new().set("sizes", sizes), config! { sizes = [1, "2", null] });
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// `null`.
    Null,
    /// An unknown value.
    Unknown,
    /// An unknown value with refinements.
    Refined(Box<Refinements>),
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// `[…]`, for a list, a set or a tuple.
    Tuple(Vec<Literal>),
    /// `{…}`, for an object or a map.
    Object(Configuration),
}

/// Returns an unknown value, such as a reference to an attribute of a resource that is not created yet.
///
/// ```
/// use ferroform_testing::{config, unknown};
///
/// let config = config! { name = unknown(), tags = ["a", unknown()] };
/// ```
pub fn unknown() -> Literal {
    Literal::Unknown
}

/// Returns an unknown value with refinements, such as a known prefix or number of elements.
///
/// The value is also refined as not null, because Terraform does not refine a value that may be null in any other way.
///
/// ```
/// use ferroform::value::Refinements;
/// use ferroform_testing::{config, refined};
///
/// let with_prefix = |prefix: &str| refined(Refinements::new().with_prefix(prefix));
/// let config = config! { url = with_prefix("http://") };
/// ```
pub fn refined(known: Refinements) -> Literal {
    Literal::Refined(Box::new(known.not_null()))
}

impl Literal {
    /// Returns the value with its own type: brackets are tuples and braces are objects, as in Terraform. `None` if it
    /// contains a block.
    fn typed(self) -> Option<Typed> {
        let (ty, value) = match self {
            Literal::Null => (Type::Dynamic, Value::Null),
            Literal::Unknown => (Type::Dynamic, Value::UNKNOWN),
            Literal::Refined(it) => {
                // The schema determines the kind of collection.
                let ty = match it.kind() {
                    RefinementKind::String { .. } => Type::String,
                    RefinementKind::Number { .. } => Type::Number,
                    _ => Type::Dynamic,
                };
                (ty, Value::Unknown(Some(it)))
            }
            Literal::Bool(it) => (Type::Bool, Value::Bool(it)),
            Literal::Number(it) => (Type::Number, Value::Number(it)),
            Literal::String(it) => (Type::String, Value::string(it)),
            Literal::Tuple(it) => {
                let elements = it.into_iter().map(|it| it.typed().map(|it| (it.ty, it.value)));
                let (types, values): (Vec<_>, Vec<_>) =
                    elements.collect::<Option<Vec<_>>>()?.into_iter().unzip();
                (Type::tuple(types), Value::Tuple(values))
            }
            Literal::Object(it) => {
                let (mut types, mut values) = (Vec::new(), Vec::new());
                for (name, entry) in it.0.entries {
                    let (Entry::Argument(it) | Entry::Unknown(it)) = entry else { return None };
                    types.push((name.clone(), it.ty));
                    values.push((name, it.value));
                }
                (Type::object(types), Value::object(values))
            }
        };
        Some(Typed { ty, value })
    }
}

impl From<Configuration> for Literal {
    fn from(it: Configuration) -> Literal {
        Literal::Object(it)
    }
}

impl From<bool> for Literal {
    fn from(it: bool) -> Literal {
        Literal::Bool(it)
    }
}

impl From<&str> for Literal {
    fn from(it: &str) -> Literal {
        Literal::String(it.into())
    }
}

impl From<&String> for Literal {
    fn from(it: &String) -> Literal {
        Literal::String(it.clone())
    }
}

impl From<String> for Literal {
    fn from(it: String) -> Literal {
        Literal::String(it)
    }
}

/// A file system path becomes a string.
impl From<&std::path::Path> for Literal {
    fn from(it: &std::path::Path) -> Literal {
        Literal::String(it.display().to_string())
    }
}

/// A file system path becomes a string.
impl From<std::path::PathBuf> for Literal {
    fn from(it: std::path::PathBuf) -> Literal {
        it.as_path().into()
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl From<$number> for Literal {
            fn from(it: $number) -> Literal {
                Literal::Number(it.into())
            }
        }
    )+};
}

numbers!(Number, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// NaN becomes null, because Terraform has no such number.
impl From<f64> for Literal {
    fn from(it: f64) -> Literal {
        Number::from_f64(it).map_or(Literal::Null, Literal::Number)
    }
}

impl<T: Into<Literal>> From<Option<T>> for Literal {
    fn from(it: Option<T>) -> Literal {
        it.map_or(Literal::Null, Into::into)
    }
}

impl<T: Into<Literal>> From<Vec<T>> for Literal {
    fn from(it: Vec<T>) -> Literal {
        Literal::Tuple(it.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Literal>, const N: usize> From<[T; N]> for Literal {
    fn from(it: [T; N]) -> Literal {
        Literal::Tuple(it.into_iter().map(Into::into).collect())
    }
}

impl<K: Into<String>, T: Into<Literal>> From<BTreeMap<K, T>> for Literal {
    fn from(it: BTreeMap<K, T>) -> Literal {
        Literal::Object(it.into_iter().fold(Configuration::new(), |all, (key, it)| all.set(key, it)))
    }
}

/// Builds a [`Configuration`] in HCL syntax, with commas between attributes.
///
/// Values are Rust expressions, `null`, [`unknown()`](crate::unknown), lists in brackets and objects in braces. A block
/// is a name, an optional label and braces, without `=`. Map keys can be strings, or expressions in parentheses.
///
/// ```
/// use ferroform_testing::{config, unknown};
///
/// let size = 3;
/// let config = config! {
///     name = "web",
///     size = size * 2,
///     tags = ["a", unknown()],
///     owner = { name = "me", group = null },
///     labels = { "a b" = 1, (format!("k{size}")) = 2 },
///     rule { port = 80 }
///     rule { port = 443 }
///     alias "web" { port = 8080 },
///     alias "api" { port = 9090 }
///     zone = "a",
/// };
/// ```
#[macro_export]
macro_rules! config {
    // Names.
    (@name $name:ident) => { $crate::attribute_name(stringify!($name)) };
    (@name $name:literal) => { $name };
    (@name ( $name:expr )) => { $name };

    // Values.
    (@value { $($inside:tt)* }) => { $crate::Literal::Object($crate::config! { $($inside)* }) };
    (@value [ $($inside:tt)* ]) => {
        $crate::Literal::Tuple($crate::config!(@list [] $($inside)*))
    };
    (@value null) => { $crate::Literal::Null };
    (@value $value:expr) => { $crate::Literal::from($value) };

    // Elements of a list, one at a time; the first brackets contain the finished elements.
    (@list [$($done:tt)*]) => { ::std::vec![$($done)*] };
    (@list [$($done:tt)*] { $($it:tt)* } $(, $($rest:tt)*)?) => {
        $crate::config!(@list [$($done)* $crate::config!(@value { $($it)* }),] $($($rest)*)?)
    };
    (@list [$($done:tt)*] [ $($it:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::config!(@list [$($done)* $crate::config!(@value [ $($it)* ]),] $($($rest)*)?)
    };
    (@list [$($done:tt)*] null $(, $($rest:tt)*)?) => {
        $crate::config!(@list [$($done)* $crate::Literal::Null,] $($($rest)*)?)
    };
    (@list [$($done:tt)*] $it:expr $(, $($rest:tt)*)?) => {
        $crate::config!(@list [$($done)* $crate::Literal::from($it),] $($($rest)*)?)
    };

    // Attributes and blocks, one at a time; `$all` is the configuration so far.
    (@into $all:expr;) => { $all };
    (@into $all:expr; $name:tt { $($it:tt)* } , $($rest:tt)*) => {
        $crate::config!(@into $all.block($crate::config!(@name $name), $crate::config! { $($it)* }); $($rest)*)
    };
    (@into $all:expr; $name:tt { $($it:tt)* } $($rest:tt)*) => {
        $crate::config!(@into $all.block($crate::config!(@name $name), $crate::config! { $($it)* }); $($rest)*)
    };
    (@into $all:expr; $name:tt $label:literal { $($it:tt)* } , $($rest:tt)*) => {
        $crate::config!(@into $all; $name $label { $($it)* } $($rest)*)
    };
    (@into $all:expr; $name:tt $label:literal { $($it:tt)* } $($rest:tt)*) => {
        $crate::config!(
            @into $all.labeled_block($crate::config!(@name $name), $label, $crate::config! { $($it)* }); $($rest)*
        )
    };
    (@into $all:expr; $name:tt = { $($it:tt)* } $(, $($rest:tt)*)?) => {
        $crate::config!(
            @into $all.set($crate::config!(@name $name), $crate::config!(@value { $($it)* })); $($($rest)*)?
        )
    };
    (@into $all:expr; $name:tt = [ $($it:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::config!(
            @into $all.set($crate::config!(@name $name), $crate::config!(@value [ $($it)* ])); $($($rest)*)?
        )
    };
    // A missing comma: without this rule, rustc reports the error inside the braces.
    (@into $all:expr; $name:tt = { $($it:tt)* } $next:ident $($rest:tt)*) => {
        $crate::config!(@unsupported $name = { $($it)* } $next $($rest)*)
    };
    (@into $all:expr; $name:tt = [ $($it:tt)* ] $next:ident $($rest:tt)*) => {
        $crate::config!(@unsupported $name = [ $($it)* ] $next $($rest)*)
    };
    (@into $all:expr; $name:tt = null $(, $($rest:tt)*)?) => {
        $crate::config!(@into $all.set($crate::config!(@name $name), $crate::Literal::Null); $($($rest)*)?)
    };
    (@into $all:expr; $name:tt = $it:expr $(, $($rest:tt)*)?) => {
        $crate::config!(
            @into $all.set($crate::config!(@name $name), $crate::Literal::from($it)); $($($rest)*)?
        )
    };

    (@into $all:expr; $($rest:tt)+) => { $crate::config!(@unsupported $($rest)+) };
    (@list [$($done:tt)*] $($rest:tt)+) => {
        ::std::compile_error!(::std::concat!(
            "expected a list of values separated by commas, found: `", ::std::stringify!($($rest)+), "`"
        ))
    };
    (@unsupported $($rest:tt)+) => {
        ::std::compile_error!(::std::concat!(
            "expected `name = value,` or a block, `name { … }` or \
             `name \"label\" { … }`, found: `", ::std::stringify!($($rest)+), "`"
        ))
    };

    ($($entries:tt)*) => { $crate::config!(@into $crate::Configuration::new(); $($entries)*) };
}
