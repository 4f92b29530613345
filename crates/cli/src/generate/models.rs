//! The code of models: structs with `#[derive(Model)]`, and enums with `#[derive(Attr)]`.
//!
//! A nested model that several objects contain under the same name is one struct. It is in the module of the objects, or
//! in the module `shared` if objects of several modules contain it:
//!
//! ```text
//! resource cloud_server  block disk { size }  ─┐
//!                                              ├─▶ struct Disk { size }
//! resource cloud_image   block disk { size }  ─┘
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use super::defaults;
use super::definition::{Collection, Enum, Field, Form, Item, Mode, Model, Type};
use super::docs::{doc_comment, string_literal};
use super::names::{self, FieldNames, TypeNames, pascal_case};

/// The maximum number of characters of the options of an attribute on one line.
const ATTR_WIDTH: usize = 88;

/// A nested model or enum, with the name of its attribute.
pub(super) type Nested<'a> = (&'a str, Item<'a>);

/// The modules and the objects that contain a nested model or enum.
#[derive(Debug, Default)]
pub(super) struct Users {
    /// The indices of the modules.
    modules: HashSet<usize>,
    /// The indices of the objects.
    objects: HashSet<usize>,
}

/// All nested models and enums.
#[derive(Debug, Default)]
pub(super) struct Usage<'a>(HashMap<Nested<'a>, Users>);

impl<'a> Usage<'a> {
    /// Adds the nested models of an object.
    pub(super) fn add(&mut self, module: usize, object: usize, model: &'a Model) {
        for field in &model.fields {
            self.add_type(module, object, &field.name, &field.ty);
        }
    }

    /// Adds the models inside a type.
    pub(super) fn add_type(&mut self, module: usize, object: usize, name: &'a str, ty: &'a Type) {
        ty.for_each_item(&mut |item| {
            let users = self.0.entry((name, item)).or_default();
            users.modules.insert(module);
            // The nested models of a model that the object contains already are known.
            if !users.objects.insert(object) {
                return;
            }
            match item {
                Item::Model(model) => self.add(module, object, model),
                Item::Enum(it) => {
                    for variant in &it.variants {
                        variant.data.iter().for_each(|ty| self.add_type(module, object, &variant.name, ty));
                    }
                }
            }
        });
    }

    fn is_shared(&self, nested: Nested<'a>) -> bool {
        self.0.get(&nested).is_some_and(|it| it.modules.len() > 1)
    }

    fn has_one_object(&self, nested: Nested<'a>) -> bool {
        self.0.get(&nested).is_none_or(|it| it.objects.len() == 1)
    }
}

/// The items of a module, while they are written.
#[derive(Debug)]
pub(super) struct ModuleItems<'a> {
    pub(super) names: TypeNames,
    /// The names of the nested models and enums that have been written.
    written: HashMap<Nested<'a>, String>,
    /// The code of the objects.
    pub(super) code: String,
    /// The code of nested models and enums that follow the current object.
    nested: String,
    /// The names that the code imports from `ferroform` and `std`.
    pub(super) imports: BTreeSet<&'static str>,
    /// The names that the code imports from the module `shared`.
    pub(super) shared: BTreeSet<String>,
}

impl ModuleItems<'_> {
    pub(super) fn new(provider: &str) -> Self {
        ModuleItems {
            names: TypeNames::new(provider),
            written: HashMap::new(),
            code: String::new(),
            nested: String::new(),
            imports: BTreeSet::new(),
            shared: BTreeSet::new(),
        }
    }

    /// Appends the nested models that have been written since the last call.
    pub(super) fn append_nested(&mut self) {
        self.code.push_str(&std::mem::take(&mut self.nested));
    }
}

/// Writes the models of one module and those of the module `shared`.
#[derive(Debug)]
pub(super) struct ModelWriter<'a, 'w> {
    pub(super) usage: &'w Usage<'a>,
    pub(super) module: &'w mut ModuleItems<'a>,
    /// The module `shared`; `None` if the code consists of one module.
    pub(super) shared: Option<&'w mut ModuleItems<'a>>,
}

/// The use of a model, which determines the options of its struct and fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Root {
    /// A resource: the provider keeps its ID.
    Resource,
    /// Another object.
    Other,
    /// The parameters of a function, with the variadic one last if there is one.
    Parameters { is_variadic: bool },
}

impl<'a> ModelWriter<'a, '_> {
    /// Writes the struct of an object and its nested models. `options` are more options of the struct.
    pub(super) fn root(&mut self, name: &str, model: &'a Model, root: Root, options: Vec<String>) {
        let mut code = String::new();
        let mut path = vec![name.to_owned()];
        let fields = self.fields(model, &mut path, false, root);
        let derive = if matches!(root, Root::Parameters { .. }) {
            self.module.imports.insert("Parameters");
            "#[derive(Parameters, Clone, Debug)]"
        } else {
            self.module.imports.insert("Model");
            "#[derive(Model, Clone, Debug, PartialEq)]"
        };
        let options = struct_options(model, options);
        code.push_str(&doc_comment(&model.description, ""));
        let _ = write!(code, "{derive}\n{options}pub struct {name} {{\n{fields}}}\n\n");
        self.module.code.push_str(&code);
    }

    /// Returns the Rust type.
    pub(super) fn rust_type(&mut self, ty: &'a Type, name: &'a str, path: &mut Vec<String>) -> String {
        self.ty(ty, name, path, false)
    }

    /// `is_in_shared` is true if the struct with the type is in the module `shared`.
    fn ty(&mut self, ty: &'a Type, name: &'a str, path: &mut Vec<String>, is_in_shared: bool) -> String {
        match ty {
            Type::Scalar(it) => {
                if !matches!(*it, "String" | "bool" | "i32" | "i64" | "u32" | "u64" | "f64") {
                    self.import(it, is_in_shared);
                }
                (*it).to_owned()
            }
            Type::Model(model) => self.item((name, Item::Model(model)), path, is_in_shared),
            Type::Enum(it) => self.item((name, Item::Enum(it)), path, is_in_shared),
            Type::Collection(collection, element) => {
                let inside = self.ty(element, name, path, is_in_shared);
                let is_ordered = is_ordered(element);
                let (outside, import) = match collection {
                    Collection::List => return format!("Vec<{inside}>"),
                    Collection::Map => (format!("BTreeMap<String, {inside}>"), "BTreeMap"),
                    Collection::Set if is_ordered => (format!("BTreeSet<{inside}>"), "BTreeSet"),
                    Collection::Set => (format!("Set<{inside}>"), "Set"),
                };
                self.import(import, is_in_shared);
                outside
            }
            Type::Nullable(inner) => format!("Option<{}>", self.ty(inner, name, path, is_in_shared)),
            Type::Tuple(elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|it| self.ty(it, name, path, is_in_shared)).collect();
                match elements.as_slice() {
                    [only] => format!("({only},)"),
                    all => format!("({})", all.join(", ")),
                }
            }
        }
    }

    fn import(&mut self, name: &'static str, is_in_shared: bool) {
        self.target(is_in_shared).imports.insert(name);
    }

    /// Returns the module `shared` or the module of the objects.
    fn target(&mut self, is_shared: bool) -> &mut ModuleItems<'a> {
        match &mut self.shared {
            Some(shared) if is_shared => shared,
            _ => self.module,
        }
    }

    /// Returns the name of a nested model or enum, which is written if it does not exist yet.
    fn item(&mut self, nested: Nested<'a>, path: &mut Vec<String>, is_in_shared: bool) -> String {
        let is_shared = self.shared.is_some() && self.usage.is_shared(nested);
        let name = match self.target(is_shared).written.get(&nested) {
            Some(name) => name.clone(),
            None => self.write_item(nested, path, is_shared),
        };
        if is_shared && !is_in_shared {
            self.module.shared.insert(name.clone());
        }
        name
    }

    fn write_item(&mut self, nested: Nested<'a>, path: &mut Vec<String>, is_shared: bool) -> String {
        let (attribute, item) = nested;
        // A struct of one object begins with the name of the object. Other structs have the name of the attribute.
        let has_root = self.usage.has_one_object(nested) && !is_shared;
        let mut candidates = Vec::new();
        if has_root && let Some(root) = path.first() {
            candidates.push(format!("{root}{}", pascal_case(attribute)));
        }
        for start in (1..=path.len()).rev() {
            let parents: String = path[start..].iter().map(|it| pascal_case(it)).collect();
            let prefix = if has_root { path[0].clone() } else { String::new() };
            candidates.push(format!("{prefix}{parents}{}", pascal_case(attribute)));
        }
        let parents: String = path.iter().map(|it| pascal_case(it)).collect();
        candidates.push(format!("{parents}{}", pascal_case(attribute)));
        let name = self.target(is_shared).names.choose(&candidates);
        let target = self.target(is_shared);
        target.written.insert(nested, name.clone());
        // The models inside a model follow it.
        let position = target.nested.len();
        path.push(attribute.to_owned());
        let code = match item {
            Item::Model(model) => {
                let fields = self.fields(model, path, is_shared, Root::Other);
                self.import("Model", is_shared);
                let options = struct_options(model, Vec::new());
                let derive = "#[derive(Model, Clone, Debug, PartialEq)]";
                format!("{derive}\n{options}pub struct {name} {{\n{fields}}}\n\n")
            }
            Item::Enum(it) => self.write_enum(&name, it, path, is_shared),
        };
        path.pop();
        self.target(is_shared).nested.insert_str(position, &code);
        name
    }

    fn write_enum(&mut self, name: &str, it: &'a Enum, path: &mut Vec<String>, is_shared: bool) -> String {
        self.import("Attr", is_shared);
        let traits = match it.has_data() {
            true => "Clone, Debug, PartialEq",
            false => "Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord",
        };
        let mut code = format!("#[derive(Attr, {traits})]\npub enum {name} {{\n");
        for (variant, ident) in it.variants.iter().zip(names::variants(it)) {
            if names::snake_case(&ident) != variant.name {
                let _ = writeln!(code, "    #[attr(rename = {})]", string_literal(&variant.name));
            }
            let data = variant.data.as_ref().map(|it| self.ty(it, &variant.name, path, is_shared));
            let _ = match data {
                Some(data) => writeln!(code, "    {ident}({data}),"),
                None => writeln!(code, "    {ident},"),
            };
        }
        code.push_str("}\n\n");
        code
    }

    fn fields(&mut self, model: &'a Model, path: &mut Vec<String>, is_in_shared: bool, root: Root) -> String {
        let are_all_plain = all_plain(model);
        let last = model.fields.len().saturating_sub(1);
        let mut idents = FieldNames::default();
        let mut code = String::new();
        for (index, field) in model.fields.iter().enumerate() {
            let is_variadic = root == Root::Parameters { is_variadic: true } && index == last;
            let ty = self.ty(&field.ty, &field.name, path, is_in_shared);
            if !field.validators.is_empty() {
                self.import("validators", is_in_shared);
            }
            let is_kept = root == Root::Resource && field.name == "id" && field.mode == Mode::Computed;
            let ty = match is_kept || field.is_never_null() {
                _ if is_variadic => format!("Vec<{ty}>"),
                true => ty,
                false => format!("Option<{ty}>"),
            };
            let default = defaults::option(field, &mut |it| self.item(it, path, is_in_shared));
            let mut options = field_options(field, default);
            // Without it, the value of an omitted attribute would be unknown in every update, and require replacement.
            let is_replaced = field.mode == Mode::OptionalComputed && field.requires_replace;
            if is_kept || is_replaced || field.is_unchanged {
                options.push("use_state_for_unknown".to_owned());
            }
            if is_variadic {
                options.push("variadic".to_owned());
            }
            if field.description.is_plain && !are_all_plain {
                options.push("plain_description".to_owned());
            }
            let (name, is_renamed) = idents.field(&field.name);
            if is_renamed {
                options.push(format!("rename = {}", string_literal(&field.name)));
            }
            code.push_str(&doc_comment(&field.description, "    "));
            if !options.is_empty() {
                // rustfmt does not break the lines of these attributes.
                let line = options.join(", ");
                let _ = match line.len() <= ATTR_WIDTH {
                    true => writeln!(code, "    #[attr({line})]"),
                    false => writeln!(code, "    #[attr(\n        {}\n    )]", options.join(",\n        ")),
                };
            }
            let _ = writeln!(code, "    pub {name}: {ty},");
        }
        code
    }
}

/// Returns true if the Rust type implements `Ord`.
pub(super) fn is_ordered(ty: &Type) -> bool {
    match ty {
        Type::Scalar(it) => !matches!(*it, "Number" | "Dynamic" | "f64" | "Json"),
        Type::Enum(it) => !it.has_data(),
        Type::Nullable(inner) => is_ordered(inner),
        Type::Model(_) | Type::Collection(..) | Type::Tuple(_) => false,
    }
}

/// Returns the options of a field of a Rust type, in the order in which the documentation lists them.
fn field_options(field: &Field, default: Option<String>) -> Vec<String> {
    let mut options = Vec::new();
    let mut add = |is_set: bool, option: &str| {
        if is_set {
            options.push(option.to_owned());
        }
    };
    add(field.form == Form::Block, "block");
    add(field.form == Form::Attribute && field.ty.model().is_some(), "object");
    add(field.mode == Mode::OptionalComputed, "optional");
    add(field.mode.is_computed(), "computed");
    add(!field.mode.is_computed() && field.has_computed_inside(), "mixed");
    add(field.is_write_only, "write_only");
    add(field.is_sensitive, "sensitive");
    add(field.requires_replace, "requires_replace");
    options.extend(default);
    options.extend(field.validators.iter().map(|it| format!("validate = {it}")));
    if field.min_items > 0 {
        options.push(format!("min_items = {}", field.min_items));
    }
    if field.max_items > 0 {
        options.push(format!("max_items = {}", field.max_items));
    }
    options.extend(field.deprecated.iter().map(|it| deprecated(it)));
    options
}

/// Returns the option of something deprecated, whose message can be empty.
fn deprecated(message: &str) -> String {
    if message.is_empty() {
        "deprecated".to_owned()
    } else {
        format!("deprecated = {}", string_literal(message))
    }
}

/// Returns the options of a struct as an attribute line; empty without options.
fn struct_options(model: &Model, more: Vec<String>) -> String {
    let mut options = more;
    if model.version > 0 {
        options.push(format!("version = {}", model.version));
        options.push(if model.upgrades_from_sdkv2 { "upgrade_from_sdkv2" } else { "oldest" }.to_owned());
    }
    if all_plain(model) {
        options.push("plain_description".to_owned());
    }
    options.extend(model.deprecated.iter().map(|it| deprecated(it)));
    if options.is_empty() { String::new() } else { format!("#[attr({})]\n", options.join(", ")) }
}

/// Returns true if the model has descriptions, and all of them are plain text.
fn all_plain(model: &Model) -> bool {
    let mut described = model
        .fields
        .iter()
        .map(|it| &it.description)
        .chain([&model.description])
        .filter(|it| !it.content.is_empty())
        .peekable();
    described.peek().is_some() && described.all(|it| it.is_plain)
}
