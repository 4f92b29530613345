//! A set of nested objects whose elements have attributes that the service computes.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use ferroform::{
    ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result,
};

fn main() -> ExitCode {
    ferroform::serve::<Firewalls>()
}

/// The service: the rules of each firewall.
static SERVICE: Mutex<BTreeMap<String, BTreeSet<Rule>>> = Mutex::new(BTreeMap::new());

struct Firewalls;

impl Provider for Firewalls {
    const ADDRESS: &'static str = "registry.terraform.io/example/firewall";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Firewalls))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Firewall>("firewall_policy");
    }
}

/// A firewall.
#[derive(Model, Clone, Debug, PartialEq)]
struct Firewall {
    /// Name of the firewall.
    #[attr(requires_replace)]
    name: String,
    /// Rules. The configuration sets some of their attributes, and the service computes the others.
    #[attr(mixed)]
    rules: BTreeSet<Rule>,
}

/// A rule. A planned rule matches the prior rule with the same key, so it keeps its ID.
#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    /// Port that the rule opens.
    #[attr(key)]
    port: u16,
    /// Protocol of the port.
    #[attr(key, default = "tcp")]
    protocol: String,
    /// Comment for other administrators.
    note: Option<String>,
    /// Identifier that the service assigns.
    #[attr(computed, use_state_for_unknown)]
    id: String,
}

impl Rule {
    /// Returns the planned rule, with a new ID if the prior state has no such rule.
    fn new(firewall: &str, plan: Planned<Rule>) -> Rule {
        let id = plan.id.unwrap_or_else(|| format!("{firewall}/{}/{}", plan.protocol, plan.port));
        Rule { port: plan.port, protocol: plan.protocol, note: plan.note, id }
    }
}

impl Resource for Firewall {
    type Provider = Firewalls;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FirewallComputed> {
        let rules: BTreeSet<Rule> = plan.rules.into_iter().map(|rule| Rule::new(&plan.name, rule)).collect();
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).insert(plan.name.clone(), rules.clone());
        Ok(Firewall { name: plan.name, rules }.into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let rules = SERVICE.lock().unwrap_or_else(PoisonError::into_inner).get(&state.name).cloned();
        Ok(rules.map(|rules| Firewall { rules, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<FirewallComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        SERVICE.lock().unwrap_or_else(PoisonError::into_inner).remove(&state.name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ferroform_testing::{Action, Harness, config};

    use super::*;

    #[test]
    fn rule_keeps_its_id_when_it_and_its_siblings_change() {
        let mut firewall = Harness::start::<Firewalls>(config! {}).resource("firewall_policy");
        firewall.apply(config! {
            name = "edge",
            rules = [{ port = 80, note = "web" }, { port = 53, protocol = "udp" }]
        });
        let changed = || {
            config! {
                name = "edge",
                rules = [{ port = 443 }, { port = 80, note = "redirects to 443" }, { port = 53, protocol = "udp" }]
            }
        };
        let plan = firewall.plan(changed());
        assert_eq!(plan.action, Action::Update);
        let text = plan.to_string();
        assert!(text.contains("edge/tcp/80"), "the id of the rule with another note stays: {text}");
        firewall.apply(changed());
        assert_eq!(firewall.plan(changed()).action, Action::NoOp);
        firewall.destroy();
    }

    #[test]
    fn plan_succeeds_if_any_configured_value_is_unknown() {
        let mut firewall = Harness::start::<Firewalls>(config! {}).resource("firewall_policy");
        firewall.apply(config! { name = "harness", rules = [{ port = 80 }, { port = 81 }] });
        let plans = firewall.plan_with_unknowns(config! {
            name = "harness",
            rules = [{ port = 80, note = "a" }, { port = 82 }]
        });
        assert!(plans > 4);
    }

    #[test]
    fn provider_violates_no_invariant() {
        ferroform_testing::check_provider::<Firewalls>();
    }
}
