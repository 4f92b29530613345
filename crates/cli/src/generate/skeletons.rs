//! The implementations of the objects. Each method returns an error until the author implements it.

use super::definition::{Kind, Object};
use super::docs::comment;
use super::models::ModuleItems;

/// The name of the structs of an object.
pub(super) struct Names<'a> {
    /// The struct of the object.
    pub(super) object: &'a str,
    /// The type of the provider.
    pub(super) provider: &'a str,
    /// The resource that a list resource lists.
    pub(super) resource: Option<&'a str>,
}

/// Appends the implementation of an object.
pub(super) fn implementation(object: &Object, names: &Names<'_>, module: &mut ModuleItems<'_>) {
    let Names { object: ty, provider, resource } = names;
    let method = |signature: &str, name: &str| {
        let operation = object.operations.iter().find(|it| it.method == name);
        let comment =
            operation.map(|it| format!("        // {}\n", comment(&it.request))).unwrap_or_default();
        format!("    async fn {name}{signature} {{\n{comment}        {}\n    }}\n", error(&object.name, name))
    };
    let header = |name: &str| {
        let provider = format!("    type Provider = {provider};\n");
        format!("impl {name} for {ty} {{\n{provider}\n")
    };
    let (code, imports): (String, &[&'static str]) = match object.kind {
        Kind::Resource => {
            let cx = "_cx: &ApplyCx<Self>";
            let mut methods = vec![
                method(&format!("({cx}, _plan: Planned<Self>) -> Result<{ty}Computed>"), "create"),
                method("(_cx: &ReadCx<Self>, _state: Self) -> Result<Option<Self>>", "read"),
                method(
                    &format!("({cx}, _prior: Self, _plan: Planned<Self>) -> Result<{ty}Computed>"),
                    "update",
                ),
                method(&format!("({cx}, _state: Self) -> Result<()>"), "delete"),
            ];
            if !object.has_update {
                methods.remove(2);
            }
            let imports = &["ApplyCx", "Planned", "ReadCx", "Resource", "Result"];
            (format!("{}{}}}\n\n", header("Resource"), methods.join("\n")), imports)
        }
        Kind::DataSource => {
            let read =
                method(&format!("(_cx: &DataCx<Self>, _args: Args<Self>) -> Result<{ty}Computed>"), "read");
            (format!("{}{read}}}\n\n", header("DataSource")), &["Args", "DataCx", "DataSource", "Result"])
        }
        Kind::EphemeralResource => {
            let open = method("(_cx: &OpenCx<Self>, _args: Args<Self>) -> Result<Opened<Self>>", "open");
            let header = header("EphemeralResource").replace(";\n\n", ";\n    type Private = ();\n\n");
            let imports = &["Args", "EphemeralResource", "OpenCx", "Opened", "Result"];
            (format!("{header}{open}}}\n\n"), imports)
        }
        Kind::Action => {
            let invoke = method("(_cx: &InvokeCx<Self>, _args: Args<Self>) -> Result<()>", "invoke");
            (format!("{}{invoke}}}\n\n", header("Action")), &["Action", "Args", "InvokeCx", "Result"])
        }
        Kind::ListResource => {
            let list = method("(_cx: &ListCx<Self>, _args: Args<Self>) -> Result<()>", "list");
            let resource = resource.unwrap_or_default();
            let header = format!("impl ListResource for {ty} {{\n    type Resource = {resource};\n\n");
            (format!("{header}{list}}}\n\n"), &["Args", "ListCx", "ListResource", "Result"])
        }
        // State stores are not generated, and functions and the provider are generated elsewhere.
        Kind::Provider | Kind::ProviderMeta | Kind::StateStore | Kind::Function => return,
    };
    module.code.push_str(&code);
    module.imports.extend(imports);
}

/// The expression of an error about a method that is not implemented.
pub(super) fn error(object: &str, method: &str) -> String {
    format!("Err(not_implemented(\"{object}\", \"{method}\"))")
}

/// The function that all skeletons call.
pub(super) const NOT_IMPLEMENTED: &str = "\
/// The error of a method that is not implemented yet.
pub(crate) fn not_implemented(object: &str, method: &str) -> Diagnostics {
    let detail = format!(\"The method `{method}` of {object} is not implemented in this version of the provider.\");
    Diagnostic::error(\"Not Implemented\").detail(detail).into()
}
";
