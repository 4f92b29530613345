//! What cannot be done yet, and is put off.

/// Why something is put off: [`cx.defer(why)`](crate::RequestContext::defer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deferral {
    /// For a reason that has no name here.
    Unknown,
    /// The configuration of the resource or data source depends on values that are not known yet.
    ConfigUnknown,
    /// The provider's configuration depends on values that are not known yet.
    ProviderConfigUnknown,
    /// Something that it needs does not exist yet.
    AbsentPrerequisite,
}

impl Deferral {
    /// The reason, after "because".
    pub(crate) fn text(self) -> &'static str {
        match self {
            Deferral::Unknown => "the provider cannot do it yet",
            Deferral::ConfigUnknown => "its configuration depends on values that are not known yet",
            Deferral::ProviderConfigUnknown => {
                "the provider's configuration depends on values that are not known yet"
            }
            Deferral::AbsentPrerequisite => "something that it needs does not exist yet",
        }
    }
}

/// What becomes of resources and data sources while the provider's configuration is not known, which is where
/// [`configure`](crate::Provider::configure) answers [`Unknown`](crate::Unknown).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownConfig {
    /// Where the host allows it, all of them are put off. Elsewhere a method that needs the provider is an error
    /// that says what to do.
    #[default]
    Defer,
    /// What can go on without the provider does, whatever the host allows: `plan` is passed over, so the plan is
    /// what the schema says, and `read` leaves the state as it is. Importing and looking up are put off or errors.
    ///
    /// It is not for resources whose `plan` asks for replacements, or decides on values that the schema decides
    /// otherwise: when the plan is made again with the provider it would be another one, which the host refuses as
    /// inconsistent.
    Pass,
}
