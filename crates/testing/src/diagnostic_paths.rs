//! Checks that the schema contains the attribute paths of diagnostics.

use ferroform::Diagnostics;
use ferroform::raw::AnyResource;
use ferroform::schema::Block;
use ferroform::value::{Step, Type};
use ferroform_engine::{Kind, Owner, contract};

use crate::invariant::Violation;
use crate::{Harness, Invariant};

impl Harness {
    /// Reports each diagnostic whose attribute path is neither one of the owner's schema nor one of the resource's identity.
    #[track_caller]
    pub(crate) fn check_diagnostic_paths(&self, step: &str, owner: Owner<'_>, found: &Diagnostics) {
        let definitions = self.server().provider().definitions();
        let is_resource = matches!(owner.kind, Kind::Resource | Kind::ListResource);
        let resource = definitions.find::<dyn AnyResource>(owner.name).filter(|_| is_resource);
        let types = || {
            let identity = resource.and_then(|it| it.identity()).map(|it| &it.block);
            // The results of a list resource are objects of the resource.
            let object = resource.map(|it| &it.schema().block);
            self.server().block(owner).ok().into_iter().chain(object).chain(identity).map(Block::ty)
        };
        // A failed check of the contract names the path that the provider has returned.
        for it in found.iter().filter(|it| contract::failed_check(it).is_none()) {
            let Some(path) = it.path.clone() else { continue };
            if types().any(|ty| contains(ty, path.steps())) {
                continue;
            }
            let summary = self.sensitive_values().redact(&it.summary);
            let problem = format!(
                "the schema of {owner} does not contain this path of the diagnostic {summary:?}. `at` prepends its path to the path \
                 of a diagnostic"
            );
            self.report(Violation::new(Invariant::DiagnosticPathsExist, step, path, problem));
        }
    }
}

/// True if a value of the type can contain the path.
fn contains(ty: &Type, steps: &[Step]) -> bool {
    let [step, rest @ ..] = steps else { return true };
    let inside = match (ty, step) {
        (Type::Dynamic, _) => return true,
        (Type::Object(it), Step::Attribute(name)) => it.get(name).map(|it| &it.ty),
        (Type::Tuple(it), Step::Index(index)) => it.get(*index),
        (Type::List(it), Step::Index(_))
        | (Type::Map(it), Step::Key(_))
        | (Type::Set(it), Step::Element(_)) => Some(&**it),
        _ => None,
    };
    inside.is_some_and(|ty| contains(ty, rest))
}
