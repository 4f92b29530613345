//! The options of a plan.

/// The options of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlanOptions {
    /// True for a plan that destroys every object.
    pub(crate) destroy: bool,
    /// False if objects are not read before they are planned.
    pub(crate) refresh: bool,
    /// True for a plan that only updates the state.
    pub(crate) refresh_only: bool,
    /// The addresses to limit the plan to.
    pub(crate) targets: Vec<String>,
    /// The addresses of objects to replace.
    pub(crate) replace: Vec<String>,
    pub(crate) allow_deferral: bool,
    /// The file for the generated configurations of imported objects.
    pub(crate) generate_config_out: Option<String>,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions {
            destroy: false,
            refresh: true,
            refresh_only: false,
            targets: Vec::new(),
            replace: Vec::new(),
            allow_deferral: false,
            generate_config_out: None,
        }
    }
}
