//! Terraform's built-in provider with the resource `terraform_data`.

use ferroform::{
    ApplyCx, Change, Clock, Dynamic, Known, Maybe, Model, PlanCx, Planned, Proposed, Provider, ReadCx,
    Registry, RequestCx, Resource, Result,
};
use ferroform_engine::ProviderServer;

/// The address of the provider.
pub(crate) const ADDRESS: &str = "terraform.io/builtin/terraform";

/// Starts the provider.
pub(crate) fn server() -> ProviderServer {
    ferroform::server::<BuiltIn>().with_clock(Clock::test())
}

/// The built-in provider.
struct BuiltIn;

impl Provider for BuiltIn {
    const ADDRESS: &'static str = ADDRESS;
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(BuiltIn))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<TerraformData>("terraform_data");
    }
}

/// Stores values in the state.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{id}")]
struct TerraformData {
    /// A value that is stored in the state, and returned by `output` after the apply.
    input: Option<Dynamic>,
    /// The value of `input` after the apply.
    #[attr(computed, follows(input))]
    output: Option<Dynamic>,
    /// A value whose changes replace the object.
    #[attr(requires_replace)]
    triggers_replace: Option<Dynamic>,
    /// The ID.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Resource for TerraformData {
    type Provider = BuiltIn;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        if plan.input == Known(None) {
            plan.output = Known(None);
        }
        Ok(plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<TerraformDataComputed> {
        Ok(TerraformDataComputed { output: plan.input.clone(), id: ferroform_engine::random::uuid() })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<TerraformDataComputed> {
        Ok(TerraformDataComputed { output: plan.input.clone(), id: prior.id })
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}
