//! The references that an expression can use.

use super::evaluation_context::EvaluationContext;
use super::variables::Variables;
use crate::diagnostic::{Range, Reason, SourceError};
use crate::marks::{MarkedRef, NO_MARKS};
use crate::syntax::StepExpr;

/// The references that an expression can use.
#[derive(Clone, Copy)]
pub(crate) enum Environment<'a> {
    /// None: the expression must be constant.
    Constant,
    /// The variables and local values that are known. The result of any other reference cannot be determined.
    Variables(&'a Variables),
    /// The values and functions that the caller provides.
    Context(&'a dyn EvaluationContext),
}

/// The result of a reference, and the steps that follow it.
type Resolved<'a, 's, 'e> = (Result<MarkedRef<'a>, SourceError>, &'s [StepExpr<'e>]);

impl<'a> Environment<'a> {
    /// Resolves a reference that starts with `root`. Returns `None` if the environment has no references.
    pub(super) fn resolve<'s, 'e>(
        self,
        root: &str,
        at: &Range,
        steps: &'s [StepExpr<'e>],
    ) -> Option<Resolved<'a, 's, 'e>> {
        match self {
            Environment::Constant => None,
            Environment::Variables(variables) => match (root, steps) {
                ("var" | "local", [StepExpr::Attribute(name, at), rest @ ..]) => {
                    Some((variables.get(root, name, at).map(|it| MarkedRef::new(it, NO_MARKS)), rest))
                }
                _ => {
                    let detail = format!(
                        "Only constant values are allowed here; the variable {root:?} cannot be used."
                    );
                    let reason = Reason::Reference(root.to_owned());
                    let e = SourceError::undetermined("Unsupported reference", at.clone(), detail, reason);
                    Some((Err(e), steps))
                }
            },
            Environment::Context(context) => {
                let mut names = vec![root];
                let mut ends = vec![at.end];
                for step in steps {
                    let StepExpr::Attribute(name, at) = step else { break };
                    names.push(name);
                    ends.push(at.end);
                }
                Some(match context.resolve(&names) {
                    Ok((it, covered)) => {
                        let covered = covered.clamp(1, names.len());
                        (Ok(MarkedRef::new(&it.typed, &it.marks)), &steps[covered - 1..])
                    }
                    Err(e) => {
                        let at = at.start..ends.last().copied().unwrap_or(at.end);
                        (Err(SourceError::new(e.summary, at, e.detail)), &steps[names.len() - 1..])
                    }
                })
            }
        }
    }
}
