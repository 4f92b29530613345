//! Write Terraform and OpenTofu providers in Rust.
//!
//! You write one struct for each resource, derive [`Model`](derive@Model), and implement [`Resource`] with a few
//! `async fn`s. The derive generates the schema, the conversions and the [views](guide::models_and_views) of the
//! struct: variants of the struct in which a field is a [`Maybe`] if Terraform may not know its value yet. [`serve`]
//! turns the provider into a plugin process for `terraform` and `tofu`.
//!
//! To start a provider, create a project with [`cargo ferroform new`](guide::new_command), or add Ferroform to a package:
//!
//! ```sh
//! cargo new terraform-provider-notes && cd terraform-provider-notes
//! cargo add --git https://github.com/ferroform/ferroform ferroform
//! cargo add --dev --git https://github.com/ferroform/ferroform ferroform-testing
//! ```
//!
//! Until version 0.1 is released, the commands need `--git …`. Ferroform needs Rust 1.88 or
//! later. `main` needs no `#[tokio::main]`: [`serve`] starts the runtime.
//!
//! # Example
//!
//! A whole provider, with one resource that manages a file:
//!
//! ```no_run
//! use std::fs::{self, File};
//! use std::io::{self, Write as _};
//!
//! use ferroform::{
//!     ApplyCx, Context, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result,
//!     path,
//! };
//!
//! /// A note in a file.
//! #[derive(Model, Clone, Debug, PartialEq)]
//! struct Note {
//!     /// The path of the file. Changing it replaces the file.
//!     #[attr(requires_replace)]
//!     path: String,
//!     /// The content of the note.
//!     text: String,
//!     /// The size of the content in bytes. It changes only if the text changes.
//!     #[attr(computed, follows(text))]
//!     size: u64,
//! }
//!
//! impl Resource for Note {
//!     type Provider = Notes;
//!
//!     // Methods may block, as this one does: see "Threading" in the guide.
//!     async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
//!         // A file that already exists is an error: it could belong to someone else.
//!         let created = File::create_new(&plan.path).and_then(|mut file| file.write_all(plan.text.as_bytes()));
//!         created.context("Cannot Create Note").at(path!(path))?;
//!         Ok(NoteComputed { size: plan.text.len() as u64 })
//!     }
//!
//!     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
//!         match fs::read_to_string(&state.path) {
//!             Ok(text) => Ok(Some(Note { size: text.len() as u64, text, ..state })),
//!             Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
//!             Err(error) => Err(error).context("Cannot Read Note"),
//!         }
//!     }
//!
//!     async fn update(_: &ApplyCx<Self>, _prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
//!         fs::write(&plan.path, &plan.text).context("Cannot Write Note").at(path!(path))?;
//!         Ok(NoteComputed { size: plan.text.len() as u64 })
//!     }
//!
//!     async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
//!         match fs::remove_file(&state.path) {
//!             Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context("Cannot Delete Note"),
//!             _ => Ok(()),
//!         }
//!     }
//! }
//!
//! /// The provider. Resources get it as `cx.provider`.
//! struct Notes;
//!
//! impl Provider for Notes {
//!     const ADDRESS: &'static str = "registry.terraform.io/example/notes";
//!     type Config = ();
//!
//!     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> {
//!         Ok(Known(Notes))
//!     }
//!
//!     fn register(registry: &mut Registry<Self>) {
//!         registry.resource::<Note>("notes_note");
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     ferroform::serve::<Notes>()
//! }
//! ```
//!
//! With it, a practitioner writes:
//!
//! ```hcl
//! resource "notes_note" "todo" {
//!   path = "todo.txt"
//!   text = "Write a provider"
//! }
//! ```
//!
//! If the text changes, Terraform shows an update in place with `size = (known after apply)`. If the path changes, it
//! shows a replacement. `create` cannot omit `size` or return an unknown value, because `NoteComputed` has exactly the
//! computed fields.
//!
//! # Main types
//!
//! | type | purpose |
//! |---|---|
//! | [`Config`], [`Args`], [`Proposed`], [`Planned`] | the [views](guide::models_and_views) of a model, in which values that Terraform may not know are a [`Maybe`] |
//! | [`Maybe`] | `Known` or `Unknown`. Null is an `Option` |
//! | [`RequestCx`], [`ReadCx`], [`PlanCx`], [`ApplyCx`], [`DataCx`], … | the context ("Cx") of a method: the provider, warnings, cancellation, private state, checkpoints; see [`MethodCx`] |
//! | [`Diagnostics`] | the error of every method: `?` converts any error, [`context`](Context::context) sets the summary, and [`at`](Context::at) the attribute |
//! | [`path!`] | an attribute path, such as `path!(disks[0].size)` |
//!
//! # Traits to implement
//!
//! | for | write |
//! |---|---|
//! | a provider | `impl` [`Provider`] |
//! | a managed resource | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`Resource`] |
//! | a data source | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`DataSource`] |
//! | a data source with the attributes of a resource | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`Lookup`] |
//! | a list of the existing objects of a resource | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`ListResource`] |
//! | an ephemeral resource | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`EphemeralResource`] |
//! | an action | `#[derive(`[`Model`](derive@Model)`)]` and `impl` [`Action`] |
//! | a provider-defined function | `#[derive(`[`Parameters`](derive@Parameters)`)]` and `impl` [`Function`] |
//! | a state store, with the feature `unstable-state-stores` | `impl StateStore` |
//! | an attribute type | `#[derive(`[`Attr`](derive@Attr)`)]`, or `impl` [`Attr`] |
//! | a resource identity with attributes that are not in the state | `impl` [`Identity`] |
//! | a provider whose schemas are built at run time | the traits of [`raw`], with [`schema`] and [`access`] |
//!
//! # Guide
//!
#![doc = include_str!("guide/contents.md")]
//!
//! # Tests
//!
//! The crate `ferroform-testing` runs a provider in process, without the `terraform` or `tofu` binary and without a network connection: see
//! [Testing](guide::testing).
//!
//! | item of the test kit | purpose |
//! |---|---|
//! | `Harness` | simulates Terraform: configure, plan, apply, refresh, import, destroy |
//! | `Instance`, `DataSource` | one resource instance or data source, with its state |
//! | `Diff` | the planned changes, for snapshot tests |
//! | `cli` | acceptance tests with the real `terraform` or `tofu` |
//! | `SchemaLock` | a test that fails if a schema changes without a new version |
//!
//! [`MethodCx::detached`], [`Cx::detached`] and [`RequestCx::detached`] create contexts for unit tests of single
//! methods, with a test clock that does not wait.
//!
//! # Examples
//!
//! The directory `examples` of the repository contains single-file providers, each with a test: an HTTP API, import and
//! identity, state upgrades, sets of objects with computed attributes, a write-only secret with a version, and a provider
//! that is built at run time. `providers/local` is a complete provider with acceptance tests.
//!
//! # Features
//!
//! No feature is enabled by default. Each adds attribute types of another crate, except for `mux-plugin`, `opentelemetry`,
//! `schema-json` and `unstable-state-stores`.
//!
//! | feature | adds |
//! |---|---|
//! | `bigint` | `num_bigint::BigInt` |
//! | `decimal` | `rust_decimal::Decimal` |
//! | `ip` | the addresses of `std::net`, and the networks of `ipnet` |
//! | `json` | `serde_json::Value`: a JSON document in a string, compared by content |
//! | `mux-plugin` | `Mux::plugin`: the types of another provider binary, see [Combining providers](guide::combining_providers) |
//! | `opentelemetry` | traces of requests: see [Traces](guide::logs_and_debuggers#traces) |
//! | `schema-json` | `schema::ProviderSchemas`: the schemas that `terraform providers schema -json` prints |
//! | `time` | `jiff::Timestamp` (RFC 3339), `jiff::SignedDuration` and `std::time::Duration` |
//! | `unstable-state-stores` | state stores, an experiment in Terraform: their API can change in any release, see [State stores](guide::state_stores) |
//! | `url` | `url::Url` |
//! | `uuid` | `uuid::Uuid` |

#![warn(missing_debug_implementations)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate self as ferroform;

pub mod access;
pub mod attr;
pub mod defaults;
pub mod function;
pub mod guide;
pub mod model_kinds;
pub mod raw;
pub mod schema;
#[cfg(feature = "unstable-state-stores")]
pub mod state_store;
pub mod validators;
pub mod value;
pub mod wait;

mod action;
mod composed;
mod data_source;
mod derive_support;
mod ephemeral_resource;
mod list_resource;
mod lookup;
mod model;
mod mux;
mod optional_method;
mod provider;
mod raw_state;
mod request_cx;
mod resource;
mod serve;
mod typed;

pub use ferroform_engine::{
    Clock, Context, Deferral, Diagnostic, Diagnostics, FutureContext, Known, Maybe, Result, Severity,
    Unknown, UnknownConfig,
};
pub use ferroform_engine::{path, pattern};
/// Derives an attribute type. The guide lists the options of [enums](guide::attribute_options#options-of-an-enum) and
/// [newtypes](guide::attribute_options#options-of-a-newtype).
pub use ferroform_macros::Attr;
/// Derives a model: the schema and the [views](guide::models_and_views) of a struct.
///
/// ```
/// use ferroform::{Config, Known, Maybe, Model, Planned};
///
/// /// A machine.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     /// The name of the machine.
///     #[attr(requires_replace)]
///     name: String,
///     /// The proxy. By default, it is the one of the environment.
///     #[attr(default_with = ferroform::defaults::env("PROXY"))]
///     proxy: Option<String>,
///     /// The password.
///     #[attr(write_only, requires(password_wo_version))]
///     password_wo: Option<String>,
///     /// The version of the password. Increment it to set the password again.
///     password_wo_version: Option<u64>,
///     /// The ID that the service assigns.
///     #[attr(computed, use_state_for_unknown)]
///     id: String,
/// }
///
/// fn has_name(config: &Config<Machine>) -> bool {
///     let _: (&Maybe<Option<String>>, &Maybe<Option<String>>) = (&config.proxy, &config.password_wo);
///     matches!(&config.name, Known(name) if !name.is_empty())
/// }
///
/// fn create(plan: Planned<Machine>) -> MachineComputed {
///     let _: (Option<String>, Option<String>) = (plan.proxy, plan.password_wo);
///     MachineComputed { id: format!("id-of-{}", plan.name) }
/// }
/// ```
///
/// The options refer to [`ValueChange`](schema::ValueChange), [`Attr::canonical`], [`pattern!`], and the functions in
/// [`validators`] and [`defaults`].
///
// The guide page, with its link targets for rustdoc. Its examples are tested in the guide.
#[cfg_attr(not(doctest), doc = include_str!("guide/links.md"))]
#[cfg_attr(not(doctest), doc = include_str!("../docs/attribute-options.md"))]
pub use ferroform_macros::Model;
/// Derives the parameters of a provider-defined function: see [`Function`], and the
/// [options](guide::attribute_options#options-of-function-parameters) in the guide.
pub use ferroform_macros::Parameters;
pub use ferroform_server::Protocol;

pub use crate::access::{Data, IntoData, Pattern};
pub use crate::action::{Action, InvokeCx, PlanActionCx};
pub use crate::attr::{Attr, AttrValue, Dynamic, MapKey, Set, Shape, Unhandled};
pub use crate::data_source::{DataCx, DataSource};
pub use crate::ephemeral_resource::{EphemeralResource, OpenCx, Opened, OpenedCx, Renewed};
pub use crate::function::{Function, Parameters};
pub use crate::list_resource::{ListCx, ListResource, Listed};
pub use crate::lookup::{Lookup, LookupCx};
pub use crate::model::timeouts::Timeouts;
pub use crate::model::{Args, Computed, Config, Model, Planned, Proposed, timeouts, view};
pub use crate::mux::Mux;
#[cfg(feature = "mux-plugin")]
pub use crate::mux::PluginCommand;
pub use crate::provider::{Provider, Registry};
pub use crate::raw_state::RawState;
pub use crate::request_cx::{Cx, MethodCx, MoveCx, RequestCx, operation};
pub use crate::resource::{ApplyCx, Change, Identity, MoveSource, Moves, PlanCx, ReadCx, Resource};
pub use crate::schema::UpgradesTo;
pub use crate::serve::{log_layer, serve, serve_protocols, serve_raw, server};
#[cfg(feature = "unstable-state-stores")]
pub use crate::state_store::{StateStore, StoreCx};

/// The items that generated code refers to. They are not part of the public API and can change in any release.
#[doc(hidden)]
pub mod __private {
    pub use crate::attr::tagged_enum::{
        configured_variant, is_variant_unknown, tagged_enum_type, variant_value,
    };
    pub use crate::derive_support::{
        Compared, Field, NotAnAttributeType, WithPartialEq, WithoutPartialEq, check_enum_refinements, hints,
        joined_descriptions, joined_descriptions_length, narrow_range, number_range, unknown_variant,
        validate_newtype, validate_refinements, with_unknown,
    };
    pub use crate::model::composed_attribute::{ComposedAttribute, ComposedPart};
    pub use crate::model::timeouts::TimeoutsField;
    pub use crate::model::type_facts::{FieldOptions, TypeFacts};
    pub use crate::model::{
        AttributeName, AttributeNames, assemble_object, object_in, read_object, reject_unknown_attributes,
    };
    pub use crate::resource::flattened_plan::FlattenedPlans;
    pub use crate::resource::state_only::planned_or_prior;
    pub use crate::schema::compare::comparison;
    pub use crate::validators::validator_function;
    pub use ferroform_engine::timeouts::parse_timeout;
    pub use ferroform_value::{Error, NumberRange, Object, Type, Value};
}
