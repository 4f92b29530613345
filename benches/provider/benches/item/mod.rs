//! The requests of one `bench_item`, as Terraform sends them.

use ferroform::value::{Type, Value};
use ferroform_proto::tfplugin6::{
    apply_resource_change, plan_resource_change, read_resource, validate_resource_config,
};
use plugin_client::Channel;

use crate::client::{configure, wire};

/// The requests about an object that is created, planned without a change, and read.
pub(crate) struct Requests {
    pub(crate) validate: validate_resource_config::Request,
    pub(crate) create: plan_resource_change::Request,
    pub(crate) apply: apply_resource_change::Request,
    pub(crate) unchanged: plan_resource_change::Request,
    pub(crate) read: read_resource::Request,
}

impl Requests {
    /// Configures the provider and creates an object, to get its planned state and its new state.
    pub(crate) async fn of(channel: &Channel) -> Requests {
        configure(channel).await;
        let ty = item_type();
        let config = config();
        let mut proposed = config.clone();
        if let Value::Object(object) = &mut proposed {
            object.insert("id", Value::UNKNOWN);
        }
        let (config, null) = (wire(&config, &ty), wire(&Value::Null, &ty));
        let type_name = "bench_item".to_owned();
        let validate = validate_resource_config::Request {
            type_name: type_name.clone(),
            config: Some(config.clone()),
            client_capabilities: None,
        };
        let create = plan_resource_change::Request {
            type_name: type_name.clone(),
            prior_state: Some(null.clone()),
            proposed_new_state: Some(wire(&proposed, &ty)),
            config: Some(config.clone()),
            ..Default::default()
        };
        let mut provider = channel.provider();
        let planned = provider.plan_resource_change(create.clone()).await.unwrap().into_inner();
        assert!(planned.diagnostics.is_empty());
        let apply = apply_resource_change::Request {
            type_name: type_name.clone(),
            prior_state: Some(null),
            planned_state: planned.planned_state,
            config: Some(config),
            ..Default::default()
        };
        let applied = provider.apply_resource_change(apply.clone()).await.unwrap().into_inner();
        assert!(applied.diagnostics.is_empty());
        let state = applied.new_state.unwrap();
        let unchanged = plan_resource_change::Request {
            prior_state: Some(state.clone()),
            proposed_new_state: Some(state.clone()),
            ..create.clone()
        };
        let read = read_resource::Request { type_name, current_state: Some(state), ..Default::default() };
        Requests { validate, create, apply, unchanged, read }
    }
}

fn item_type() -> Type {
    let strings = ["id", "name", "note", "replace_me"].map(|it| (it, Type::String));
    let others = [("size", Type::Number), ("enabled", Type::Bool), ("labels", Type::map(Type::String))];
    Type::object(strings.into_iter().chain(others))
}

fn config() -> Value {
    let labels = Value::map([("env", "prod".into()), ("team", "core".into())]);
    Value::object([
        ("id", Value::Null),
        ("name", "a".into()),
        ("size", Value::Null),
        ("enabled", Value::Null),
        ("labels", labels),
        ("note", "a note".into()),
        ("replace_me", Value::Null),
    ])
}
