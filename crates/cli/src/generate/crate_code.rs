//! The source files of a crate.
//!
//! ```text
//! Cargo.toml
//! src/main.rs       serves the provider
//! src/lib.rs        the modules
//! src/provider.rs   the provider, its configuration and the registration of all objects
//! src/s3.rs         the objects whose names begin with `aws_s3_`
//! src/shared.rs     nested models of several modules
//! src/functions.rs
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use super::definition::{Function, Kind, Object, Provider};
use super::models::{ModelWriter, ModuleItems, Root, Usage};
use super::names::{self, pascal_case};
use super::skeletons::{self, NOT_IMPLEMENTED, Names};
use crate::ferroform_source::FerroformSource;

/// A source file with its path in the directory of the crate.
pub(super) type SourceFile = (String, String);

/// Returns the files of a crate, without rustfmt's formatting of long lines.
///
/// # Errors
///
/// Returns a message if the source of Ferroform does not exist.
pub(super) fn crate_files(
    provider: &Provider,
    ferroform: &FerroformSource,
) -> Result<Vec<SourceFile>, String> {
    let code = ProviderCode::new(provider);
    let modules = code.modules();
    let imports = modules.iter().flat_map(|it| it.imports.iter().copied()).collect();
    let mut files = vec![("Cargo.toml".to_owned(), manifest(provider, ferroform, &imports)?)];
    files.push(("src/main.rs".to_owned(), code.main()));
    files.push(("src/lib.rs".to_owned(), code.library(&modules)));
    files.push(("src/provider.rs".to_owned(), code.provider(&modules)));
    files.extend(modules.into_iter().map(|it| (format!("src/{}.rs", it.name), it.code)));
    Ok(files)
}

/// Returns the code of all objects as one module for an existing provider.
pub(super) fn single_module(provider: &Provider) -> String {
    ProviderCode::new(provider).single_module()
}

/// The features of Ferroform that types need.
const FEATURES: [(&str, &str); 4] =
    [("Ipv4Addr", "ip"), ("Ipv6Addr", "ip"), ("Timestamp", "time"), ("Uuid", "uuid")];

/// The dependencies that types need.
const CRATES: [(&str, &str); 2] = [
    ("Timestamp", "jiff = { version = \"0.2\", default-features = false, features = [\"std\"] }\n"),
    ("Uuid", "uuid = \"1\"\n"),
];

fn manifest(
    provider: &Provider,
    ferroform: &FerroformSource,
    imports: &BTreeSet<&str>,
) -> Result<String, String> {
    let features = FEATURES.iter().filter(|(ty, _)| imports.contains(ty));
    let mut features: Vec<&str> = features.map(|(_, feature)| *feature).collect();
    features.dedup();
    let ferroform = ferroform.dependency("ferroform", &features)?;
    let crates = CRATES.iter().filter(|(ty, _)| imports.contains(ty));
    let crates: String = crates.map(|(_, line)| *line).collect();
    let name = provider.name();
    Ok(format!(
        "[package]\nname = \"terraform-provider-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \
         \"1.88\"\npublish = false\n\n[lib]\n# Descriptions may contain code that is not Rust.\ndoctest = false\n\n\
         [dependencies]\nferroform = {ferroform}\n{crates}"
    ))
}

/// A module of the generated crate.
struct ModuleCode {
    name: String,
    code: String,
    /// The names that the code imports.
    imports: BTreeSet<&'static str>,
}

/// The objects and functions of a module.
struct Content<'a, 'c> {
    module: &'c str,
    /// The objects with their indices.
    objects: &'c [(usize, &'a Object)],
    functions: &'a [Function],
}

impl Content<'_, '_> {
    /// Returns the documentation of the module.
    fn about(&self) -> String {
        let mut names: Vec<&str> = self.objects.iter().map(|(_, it)| &*it.name).collect();
        names.sort_unstable();
        names.dedup();
        match names.as_slice() {
            [] => "The functions of the provider.".to_owned(),
            [only] => format!("The type `{only}`."),
            [first, .., last] => format!("The types from `{first}` to `{last}`."),
        }
    }
}

/// The name of a function's result, after which its model is named.
const RESULT: &str = "result";

/// Returns the users of all nested models.
fn usage<'a>(contents: &[Content<'a, '_>]) -> Usage<'a> {
    let mut usage = Usage::default();
    for (module, content) in contents.iter().enumerate() {
        for (index, object) in content.objects {
            usage.add(module, *index, &object.model);
            if let Some(identity) = &object.identity {
                usage.add(module, *index, &identity.model);
            }
        }
        for (index, function) in content.functions.iter().enumerate() {
            // The indices of functions differ from those of the objects.
            let index = usize::MAX - index;
            usage.add(module, index, &function.parameters);
            usage.add_type(module, index, RESULT, &function.result);
        }
    }
    usage
}

struct ProviderCode<'a> {
    provider: &'a Provider,
    /// The type of the provider.
    ty: String,
    /// The objects of each module.
    groups: BTreeMap<String, Vec<(usize, &'a Object)>>,
}

impl<'a> ProviderCode<'a> {
    fn new(provider: &'a Provider) -> ProviderCode<'a> {
        let names: HashSet<&str> = provider.objects.iter().map(|it| &*it.name).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in names {
            *counts.entry(first_word(provider, name)).or_default() += 1;
        }
        let mut groups: BTreeMap<String, Vec<(usize, &Object)>> = BTreeMap::new();
        for (index, object) in provider.objects.iter().enumerate() {
            groups.entry(module_name(provider, object, &counts)).or_default().push((index, object));
        }
        ProviderCode { provider, ty: names::provider(provider.name()), groups }
    }

    /// The crate name in Rust code.
    fn crate_name(&self) -> String {
        format!("terraform_provider_{}", self.provider.name().replace('-', "_"))
    }

    fn main(&self) -> String {
        let (crate_name, ty) = (self.crate_name(), &self.ty);
        format!(
            "//! The plugin process.\n\nuse std::process::ExitCode;\n\nfn main() -> ExitCode {{\n    \
             ferroform::serve::<{crate_name}::{ty}>()\n}}\n"
        )
    }

    fn library(&self, modules: &[ModuleCode]) -> String {
        let mut code = format!("//! The provider `{}`.\n\n", self.provider.name());
        for module in modules {
            let _ = writeln!(code, "pub mod {};", module.name);
        }
        let _ = write!(code, "mod provider;\n\nuse ferroform::{{Diagnostic, Diagnostics}};\n\n");
        let _ = write!(code, "pub use crate::provider::{};\n\n{NOT_IMPLEMENTED}", self.config_exports());
        code
    }

    /// The public names of the module `provider`.
    fn config_exports(&self) -> String {
        if self.has_config() { format!("{{{0}, {0}Config}}", self.ty) } else { self.ty.clone() }
    }

    fn has_config(&self) -> bool {
        !self.provider.config.fields.is_empty()
    }

    /// The provider with its configuration.
    fn provider(&self, modules: &[ModuleCode]) -> String {
        let (ty, address) = (&self.ty, &self.provider.address);
        let mut usage = Usage::default();
        usage.add(0, 0, &self.provider.config);
        let mut items = ModuleItems::new(ty);
        items.imports.extend(["Known", "Maybe", "Provider", "Registry", "RequestCx", "Result"]);
        let mut code = String::new();
        let registered = modules.iter().filter(|it| it.name != "shared");
        let registrations: String =
            registered.map(|it| format!("        {}::register(registry);\n", it.name)).collect();
        if self.has_config() {
            let config = format!("{ty}Config");
            items.names.reserve(&config);
            let mut writer = ModelWriter { usage: &usage, module: &mut items, shared: None };
            writer.root(&config, &self.provider.config, Root::Other, Vec::new());
            items.append_nested();
            items.imports.extend(["Config", "Unknown"]);
            let _ = write!(
                code,
                "/// The provider, which every method gets as `cx.provider`.\n#[derive(Clone, Debug)]\npub struct {ty} \
                 {{\n    /// The configuration.\n    pub config: {config},\n}}\n\nimpl Provider for {ty} {{\n    const \
                 ADDRESS: &'static str = \"{address}\";\n    type Config = {config};\n\n    async fn configure(_cx: \
                 &RequestCx, config: Config<{config}>) -> Result<Maybe<Self>> {{\n        // During a plan, values can \
                 be unknown.\n        let Known(config) = {config}::from_config(config)? else {{ return Ok(Unknown) \
                 }};\n        Ok(Known({ty} {{ config }}))\n    }}\n\n"
            );
        } else {
            let _ = write!(
                code,
                "/// The provider, which every method gets as `cx.provider`.\n#[derive(Clone, Debug)]\npub struct \
                 {ty};\n\nimpl Provider for {ty} {{\n    const ADDRESS: &'static str = \"{address}\";\n    type \
                 Config = ();\n\n    async fn configure(_cx: &RequestCx, (): ()) -> Result<Maybe<Self>> {{\n        \
                 Ok(Known({ty}))\n    }}\n\n"
            );
        }
        let argument = if registrations.is_empty() { "_registry" } else { "registry" };
        let _ =
            write!(code, "    fn register({argument}: &mut Registry<Self>) {{\n{registrations}    }}\n}}\n");
        let names: Vec<&str> = modules.iter().filter(|it| it.name != "shared").map(|it| &*it.name).collect();
        let modules = match names.as_slice() {
            [] => String::new(),
            names => format!("use crate::{{{}}};\n\n", names.join(", ")),
        };
        let imports = imports(&items);
        format!("//! The provider and its configuration.\n\n{imports}{modules}{code}\n{}", items.code)
    }

    /// The modules of the objects, of the functions and of shared models.
    fn modules(&self) -> Vec<ModuleCode> {
        let functions = &*self.provider.functions;
        let mut contents: Vec<Content<'a, '_>> =
            self.groups.iter().map(|(module, objects)| Content { module, objects, functions: &[] }).collect();
        if !functions.is_empty() {
            contents.push(Content { module: "functions", objects: &[], functions });
        }
        let usage = usage(&contents);
        let mut shared = ModuleItems::new(&self.ty);
        for object in &self.provider.objects {
            shared.names.reserve(&self.preferred_name(object));
        }
        // The first pass finds the shared models of each module, whose names its own models must not have.
        let imported: Vec<BTreeSet<String>> = contents
            .iter()
            .map(|content| {
                let mut items = ModuleItems::new(&self.ty);
                self.module(content, &usage, &mut items, Some(&mut shared));
                items.shared
            })
            .collect();
        let mut modules: Vec<ModuleCode> = Vec::new();
        for (content, imported) in contents.iter().zip(&imported) {
            let mut items = ModuleItems::new(&self.ty);
            imported.iter().for_each(|name| items.names.reserve(name));
            let code = self.module(content, &usage, &mut items, Some(&mut shared));
            modules.push(ModuleCode { name: content.module.to_owned(), code, imports: items.imports });
        }
        shared.append_nested();
        if !shared.code.is_empty() {
            let code = format!("//! Models that several modules use.\n\n{}{}", imports(&shared), shared.code);
            modules.push(ModuleCode { name: "shared".to_owned(), code, imports: shared.imports });
        }
        modules
    }

    /// All objects and functions in one module.
    fn single_module(&self) -> String {
        let objects: Vec<(usize, &Object)> = self.provider.objects.iter().enumerate().collect();
        let content = Content { module: "objects", objects: &objects, functions: &self.provider.functions };
        let usage = usage(std::slice::from_ref(&content));
        self.module(&content, &usage, &mut ModuleItems::new(&self.ty), None)
    }

    fn module<'w>(
        &self,
        content: &Content<'a, '_>,
        usage: &'w Usage<'a>,
        items: &'w mut ModuleItems<'a>,
        shared: Option<&'w mut ModuleItems<'a>>,
    ) -> String {
        items.imports.insert("Registry");
        let mut writer = ModelWriter { usage, module: items, shared };
        let mut registrations = self.objects(content.objects, &mut writer);
        registrations.push_str(&self.functions(content.functions, &mut writer));
        let items = writer.module;
        let shared: Vec<&str> = items.shared.iter().map(String::as_str).collect();
        let shared = match shared.as_slice() {
            [] => String::new(),
            names => format!("use crate::shared::{{{}}};\n", names.join(", ")),
        };
        let (ty, about, imports, code) = (&self.ty, content.about(), imports(items), &items.code);
        format!(
            "//! {about}\n\n{imports}{shared}use crate::{{{ty}, not_implemented}};\n\n/// Registers the types of this \
             module.\npub(crate) fn register(registry: &mut Registry<{ty}>) {{\n{registrations}}}\n\n{code}"
        )
    }

    /// Writes objects and returns the statements that register them.
    fn objects(&self, objects: &[(usize, &'a Object)], writer: &mut ModelWriter<'a, '_>) -> String {
        let mut registrations = String::new();
        // The names of all objects are chosen first, so that nested models do not take them.
        let names: Vec<String> = objects.iter().map(|(_, it)| self.object_name(it, writer)).collect();
        for ((_, object), name) in objects.iter().zip(&names) {
            let _ = writeln!(writer.module.code, "// The {} `{}`.\n", object.kind.noun(), object.name);
            let mut options = Vec::new();
            if let Some(identity) = &object.identity {
                options.push(format!("identity = {name}Identity"));
                if identity.version > 0 {
                    options.push(format!("identity_version = {}", identity.version));
                }
            }
            let root = if object.kind == Kind::Resource { Root::Resource } else { Root::Other };
            writer.root(name, &object.model, root, options);
            let is_listed = |(_, it): &(_, &Object)| it.kind == Kind::Resource && it.name == object.name;
            let is_list = object.kind == Kind::ListResource;
            let resource = if is_list { objects.iter().position(is_listed) } else { None };
            let names =
                Names { object: name, provider: &self.ty, resource: resource.map(|index| &*names[index]) };
            skeletons::implementation(object, &names, writer.module);
            self.identity(object, name, writer);
            writer.module.append_nested();
            let method = object.kind.noun().replace(' ', "_");
            let _ = writeln!(registrations, "    registry.{method}::<{name}>(\"{}\");", object.name);
        }
        registrations
    }

    /// Writes the identity of a resource.
    fn identity(&self, object: &'a Object, name: &str, writer: &mut ModelWriter<'a, '_>) {
        let Some(identity) = &object.identity else { return };
        let identity_name = format!("{name}Identity");
        writer.root(&identity_name, &identity.model, Root::Other, Vec::new());
        writer.module.imports.insert("Identity");
        let is_in_state = |name: &str| object.model.fields.iter().any(|it| it.name == name);
        let missing = identity.model.fields.iter().find(|it| !is_in_state(&it.name));
        let provider = &self.ty;
        let code = match missing {
            None => format!("impl Identity<{name}> for {identity_name} {{}}\n\n"),
            // The identity has attributes that the resource does not have.
            Some(_) => {
                writer.module.imports.insert("Result");
                let error = skeletons::error(&object.name, "of");
                format!(
                    "impl Identity<{name}> for {identity_name} {{\n    fn of(_provider: &{provider}, _object: &{name}) \
                     -> Result<Self> {{\n        {error}\n    }}\n}}\n\n"
                )
            }
        };
        writer.module.code.push_str(&code);
    }

    /// Returns the usual name of an object: `S3Bucket`, or `S3BucketData` for a data source.
    fn preferred_name(&self, object: &Object) -> String {
        let base = pascal_case(strip_provider(&object.name, self.provider.name()));
        match object.kind {
            Kind::DataSource => format!("{base}Data"),
            Kind::EphemeralResource => format!("Ephemeral{base}"),
            Kind::Action => format!("{base}Action"),
            Kind::ListResource => format!("{base}List"),
            Kind::Resource | Kind::Provider | Kind::ProviderMeta | Kind::StateStore | Kind::Function => base,
        }
    }

    /// Chooses the name of an object.
    fn object_name(&self, object: &Object, writer: &mut ModelWriter<'_, '_>) -> String {
        let name = self.preferred_name(object);
        let name = writer.module.names.choose(&[name.clone(), format!("{}{name}", self.ty)]);
        if object.identity.is_some() {
            writer.module.names.reserve(&format!("{name}Identity"));
        }
        name
    }

    /// Writes functions and returns the statements that register them.
    fn functions(&self, functions: &'a [Function], writer: &mut ModelWriter<'a, '_>) -> String {
        let mut registrations = String::new();
        let names: Vec<String> =
            functions.iter().map(|it| writer.module.names.choose(&[pascal_case(&it.name)])).collect();
        for (function, name) in functions.iter().zip(&names) {
            let summary = function.summary.iter();
            let options = summary.map(|it| format!("summary = {}", super::docs::string_literal(it)));
            let root = Root::Parameters { is_variadic: function.is_variadic };
            let _ = writeln!(writer.module.code, "// The function `{}`.\n", function.name);
            writer.root(name, &function.parameters, root, options.collect());
            let mut path = vec![name.clone()];
            let result = writer.rust_type(&function.result, RESULT, &mut path);
            let error = skeletons::error(&function.name, "call");
            let _ = write!(
                writer.module.code,
                "impl Function for {name} {{\n    type Output = {result};\n\n    async fn call(self, _cx: &RequestCx) -> Result<{result}> \
                 {{\n        {error}\n    }}\n}}\n\n"
            );
            writer.module.imports.extend(["Function", "RequestCx", "Result"]);
            writer.module.append_nested();
            let _ = writeln!(registrations, "    registry.function::<{name}>(\"{}\");", function.name);
        }
        registrations
    }
}

/// Returns the module of an object. Types with the same first word are in one module: `aws_s3_bucket` in `s3`. `counts` are
/// the numbers of types by their first words.
fn module_name(provider: &Provider, object: &Object, counts: &HashMap<&str, usize>) -> String {
    let word = first_word(provider, &object.name);
    let is_only = counts.get(word) == Some(&1);
    let part = if is_only || word.is_empty() { strip_provider(&object.name, provider.name()) } else { word };
    names::module(part)
}

/// Returns the first word of a name after the type of the provider.
fn first_word<'n>(provider: &Provider, name: &'n str) -> &'n str {
    strip_provider(name, provider.name()).split('_').next().unwrap_or_default()
}

/// Removes the type of the provider from a name: `local_file` becomes `file`.
fn strip_provider<'n>(name: &'n str, provider: &str) -> &'n str {
    name.strip_prefix(provider)
        .and_then(|it| it.strip_prefix('_'))
        .filter(|it| !it.is_empty())
        .unwrap_or(name)
}

/// The paths of imported names that are not in the root of `ferroform`.
const PATHS: [(&str, &str); 8] = [
    ("BTreeMap", "std::collections"),
    ("BTreeSet", "std::collections"),
    ("Ipv4Addr", "std::net"),
    ("Ipv6Addr", "std::net"),
    ("Json", "ferroform::attr"),
    ("Number", "ferroform::value"),
    ("Timestamp", "jiff"),
    ("Uuid", "uuid"),
];

/// Returns the `use` declarations of a module: first those of `std`.
fn imports(items: &ModuleItems<'_>) -> String {
    let mut by_path: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in &items.imports {
        let path = PATHS.iter().find(|(it, _)| it == name).map_or("ferroform", |(_, path)| path);
        by_path.entry(path).or_default().push(name);
    }
    let (standard, others): (Vec<_>, Vec<_>) =
        by_path.into_iter().partition(|(path, _)| path.starts_with("std::"));
    let group = |group: Vec<(&str, Vec<&str>)>| {
        let lines: String =
            group.iter().map(|(path, names)| format!("use {path}::{{{}}};\n", names.join(", "))).collect();
        if lines.is_empty() { lines } else { format!("{lines}\n") }
    };
    group(standard) + &group(others)
}

#[cfg(test)]
mod tests {
    use super::super::definition::{Field, Form, Mode, Model, Type};
    use super::*;

    /// A resource with a block `timeouts` that has this attribute.
    fn with_timeouts(name: &str, attribute: &str) -> Object {
        let field = Field::new(attribute, Type::Scalar("String"), Mode::Optional);
        let timeouts = Type::Model(Model { fields: vec![field], ..Model::default() });
        let block = Field { form: Form::Block, ..Field::new("timeouts", timeouts, Mode::Optional) };
        Object::new(Kind::DataSource, name, Model { fields: vec![block], ..Model::default() })
    }

    #[test]
    fn shared_models_and_models_of_a_module_have_different_names() {
        let objects = vec![
            with_timeouts("x_a_one", "create"),
            with_timeouts("x_a_two", "create"),
            with_timeouts("x_a_three", "delete"),
            with_timeouts("x_b", "delete"),
            with_timeouts("x_c_one", "update"),
            with_timeouts("x_c_two", "update"),
            with_timeouts("x_c_three", "delete"),
        ];
        let provider = Provider { address: "host/namespace/x".to_owned(), objects, ..Provider::default() };
        let files = crate_files(&provider, &FerroformSource::Registry).unwrap();
        let mut names = String::new();
        for (path, code) in files {
            let is_named = |line: &&str| line.contains("Timeouts") && !line.contains("    ");
            names.extend(code.lines().filter(is_named).map(|line| format!("{path}: {line}\n")));
        }
        expect_test::expect![[r#"
            src/a.rs: use crate::shared::{Timeouts};
            src/a.rs: pub struct AOneDataTimeouts {
            src/b.rs: use crate::shared::{Timeouts};
            src/c.rs: use crate::shared::{Timeouts};
            src/c.rs: pub struct COneDataTimeouts {
            src/shared.rs: pub struct Timeouts {
        "#]]
        .assert_eq(&names);
    }
}
