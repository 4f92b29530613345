//! Provider-defined functions: parameters of every kind, results, errors, and invalid definitions.

use std::result::Result as StdResult;
use std::sync::Arc;

use expect_test::expect;
use ferroform::function::{FunctionError, FunctionSignature};
use ferroform::raw::{AnyFunction, Definition, MethodFuture, RequestContext};
use ferroform::schema::{Attribute, Block};
use ferroform::validators::{at_least, length_at_most};
use ferroform::value::{Type, Value};
use ferroform::{
    Attr, Diagnostic, Dynamic, Function, Known, Maybe, Model, Parameters, Provider, Registry, RequestCx,
    Result, Unknown, path,
};
use ferroform_testing::{Harness, config, unknown};

/// A provider that is never configured.
struct Tools;

impl Provider for Tools {
    const ADDRESS: &'static str = "example.com/test/tools";
    type Config = Required;

    async fn configure(_: &RequestCx, _: ferroform::Config<Required>) -> Result<Maybe<Self>> {
        Err(Diagnostic::error("The functions work without a configured provider").into())
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .function::<Join>("join")
            .function::<Parse>("parse")
            .function::<Describe>("describe")
            .function::<Coalesce>("coalesce")
            .function::<Scale>("scale")
            .function::<Now>("constant");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Required {
    token: String,
}

/// Joins strings.
///
/// Null items are skipped.
#[derive(Parameters)]
#[attr(deprecated = "Use the built-in function.")]
struct Join {
    /// At most three bytes.
    #[attr(validate = length_at_most(3))]
    separator: String,
    /// The strings.
    #[attr(variadic)]
    items: Vec<Option<String>>,
}

impl Function for Join {
    type Output = String;

    async fn call(self, cx: &RequestCx) -> Result<String> {
        if self.separator == "!" {
            cx.report(Diagnostic::error("This separator is not supported"));
        }
        if let Some(at) = self.items.iter().flatten().position(|it| it.contains(&self.separator)) {
            let message = format!("this item contains {:?}", self.separator);
            return Err(Diagnostic::error(message).at(path!(items[at])).into());
        }
        Ok(self.items.into_iter().flatten().collect::<Vec<_>>().join(&self.separator))
    }
}

/// A port with its protocol.
#[derive(Model, Clone, Debug, PartialEq)]
struct Port {
    number: Number,
    protocol: Option<String>,
}

/// A port number.
#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = at_least(1))]
struct Number(u16);

#[derive(Parameters)]
struct Parse {
    #[attr(rename = "in")]
    text: String,
}

impl Function for Parse {
    type Output = Port;

    async fn call(self, _: &RequestCx) -> Result<Port> {
        let (number, protocol) = match self.text.split_once('/') {
            Some((number, protocol)) => (number, Some(protocol.to_owned())),
            None => (&*self.text, None),
        };
        let invalid = |_| Diagnostic::error("invalid port").detail("A number is required.").at(path!(r#in));
        Ok(Port { number: Number(number.parse().map_err(invalid)?), protocol })
    }
}

#[derive(Parameters)]
struct Describe {
    #[attr(variadic)]
    values: Vec<Dynamic>,
}

impl Function for Describe {
    type Output = Dynamic;

    async fn call(self, _: &RequestCx) -> Result<Dynamic> {
        match self.values.into_iter().next() {
            Some(first) => Ok(first),
            None => Dynamic::of("nothing"),
        }
    }
}

#[derive(Parameters)]
struct Coalesce {
    first: Maybe<Option<String>>,
    second: Option<String>,
}

impl Function for Coalesce {
    type Output = Maybe<Option<String>>;

    async fn call(self, _: &RequestCx) -> Result<Self::Output> {
        Ok(match self.first {
            Known(Some(first)) => Known(Some(first)),
            Known(None) => Known(self.second),
            Unknown => Unknown,
        })
    }
}

#[derive(Parameters)]
struct Scale {
    ports: Vec<Port>,
    #[attr(validate = |factor| if *factor == 0 { Err("a factor other than zero is required") } else { Ok(()) })]
    factor: u16,
}

impl Function for Scale {
    type Output = Vec<u16>;

    async fn call(self, _: &RequestCx) -> Result<Vec<u16>> {
        assert_ne!(self.factor, 13, "unlucky");
        Ok(self.ports.iter().map(|it| it.number.0.saturating_mul(self.factor)).collect())
    }
}

/// Returns the current time.
#[derive(Parameters)]
#[attr(summary = "Current time")]
struct Now {}

impl Function for Now {
    type Output = u64;

    async fn call(self, _: &RequestCx) -> Result<u64> {
        Ok(7)
    }
}

fn tools() -> Harness {
    Harness::unconfigured::<Tools>()
}

#[test]
fn signature_is_derived_from_the_struct() {
    let server = ferroform::server::<Tools>();
    let join = server.function("join").unwrap().signature();
    let kinds: Vec<_> = join
        .positional_parameters()
        .iter()
        .chain(join.variadic_parameter())
        .map(|it| format!("{}: {} {} {:?}", it.name(), it.ty(), it.full_description(), it.mode()))
        .collect();
    expect![[r#"
        [
            "separator: string At most three bytes. Required",
            "items: string The strings. Optional",
        ]
    "#]]
    .assert_debug_eq(&kinds);
    assert_eq!((&*join.summary, join.is_variadic), ("Joins strings.", true));
    assert_eq!(join.parameters.full_description(), "Joins strings.\n\nNull items are skipped.");
    assert_eq!(join.parameters.deprecation(), Some("Use the built-in function."));
    let now = server.function("constant").unwrap().signature();
    assert_eq!(
        (&*now.summary, now.parameters.full_description()),
        ("Current time", "Returns the current time.")
    );
    let coalesce = server.function("coalesce").unwrap().signature();
    assert_eq!(coalesce.unknown_allowed.iter().map(|it| &**it).collect::<Vec<_>>(), ["first"]);
    let parse = server.function("parse").unwrap().signature();
    let result = Type::object([("number", Type::Number), ("protocol", Type::String)]);
    assert_eq!((&**parse.parameters.attributes()[0].name(), &parse.result), ("in", &result));
    assert!(server.definition_errors().is_empty());
}

#[test]
fn arguments_are_passed_by_their_types() {
    let tools = tools();
    let join = tools.function("join");
    assert_eq!(join.call::<String>(config! { separator = "-", items = ["a", null, "b"] }), "a-b");
    assert_eq!(join.call::<String>(config! { separator = "-", items = [] }), "");
    let port = tools.function("parse").call::<Port>(config! { in = "53/udp" });
    assert_eq!(port, Port { number: Number(53), protocol: Some("udp".into()) });
    let describe = tools.function("describe");
    let first = describe.call::<Dynamic>(config! { values = [{ a = 1 }, "b"] });
    assert_eq!(first.data().get::<u64>(path!(a)).unwrap(), 1);
    assert_eq!(describe.call::<Dynamic>(config! { values = [] }), Dynamic::of("nothing").unwrap());
    let scaled = tools.function("scale").call::<Vec<u16>>(
        config! { ports = [{ number = 80 }, { number = "443", protocol = "tcp" }], factor = 2 },
    );
    assert_eq!(scaled, [160, 886]);
    assert_eq!(tools.function("constant").call::<u64>(config! {}), 7);
}

#[test]
fn null_and_unknown_arguments_are_passed_only_if_the_type_holds_them() {
    let tools = tools();
    let coalesce = tools.function("coalesce");
    let call = |arguments| coalesce.call::<Maybe<Option<String>>>(arguments);
    assert_eq!(call(config! { first = null, second = null }), Known(None));
    assert_eq!(call(config! { first = null, second = "b" }), Known(Some("b".into())));
    assert_eq!(call(config! { first = unknown(), second = "b" }), Unknown, "the function returns it");
    assert_eq!(call(config! { first = "a", second = unknown() }), Unknown, "the function is not called");
    let joined =
        tools.function("join").call::<Maybe<String>>(config! { separator = "-", items = [unknown()] });
    assert_eq!(joined, Unknown);
}

#[test]
fn reported_error_is_the_result() {
    let error = tools().function("join").try_call::<String>(config! { separator = "!", items = ["a", "b"] });
    assert_eq!(error.error().to_string(), "This separator is not supported");
}

#[test]
fn errors_point_at_the_argument() {
    let tools = tools();
    let error =
        |name: &str, arguments| tools.function(name).try_call::<String>(arguments).error().to_string();
    expect![[r#"
        argument 3: this item contains "-"
        argument 1: A string of at most 3 bytes is required, but this has 4 bytes
        argument 1: argument must not be null
        argument 1: invalid port: A number is required
        argument 1: [0].number: A whole number between 1 and 65535 is required, but got 0
        argument 2: A factor other than zero is required
    "#]]
    .assert_eq(&format!(
        "{}\n",
        [
            error("join", config! { separator = "-", items = ["a", "b-c"] }),
            error("join", config! { separator = "----", items = [] }),
            error("join", config! { separator = null, items = [] }),
            error("parse", config! { in = "http" }),
            error("scale", config! { ports = [{ number = 0 }], factor = 1 }),
            error("scale", config! { ports = [], factor = 0 }),
        ]
        .join("\n")
    ));
}

#[test]
fn panic_is_an_error_of_the_call() {
    let error = tools().function("scale").try_call::<String>(config! { ports = [], factor = 13 }).error();
    assert!(error.text.contains("unlucky") && error.text.contains("The function scale"), "{error}");
    assert_eq!(error.argument, None);
}

/// A function that is built at run time and breaks its signature.
struct Wrong(FunctionSignature);

impl AnyFunction for Wrong {
    fn signature(&self) -> &FunctionSignature {
        &self.0
    }

    fn call(&self, _: RequestContext, _: Vec<Value>) -> MethodFuture<Value> {
        Box::pin(async { Ok(Value::from(true)) })
    }
}

struct Raw;

impl Provider for Raw {
    const ADDRESS: &'static str = "example.com/test/raw";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Raw))
    }

    fn register(registry: &mut Registry<Self>) {
        let wrong = |parameters: Block, result| {
            Definition::Function(Arc::new(Wrong(FunctionSignature::new(parameters, result))))
        };
        let invalid = Block::new()
            .attribute(Attribute::raw("a", Type::list(Type::Dynamic)))
            .attribute(Attribute::raw("a", Type::String))
            .attribute(Attribute::raw("b", Type::String).computed());
        let mut unknown = FunctionSignature::new(Block::new(), Type::String).variadic().allow_unknown("c");
        unknown.summary = "A summary.".into();
        registry
            .raw("wrong", wrong(Block::new(), Type::String))
            .raw("Invalid-Name", wrong(invalid, Type::set(Type::Dynamic)))
            .raw("unknown", Definition::Function(Arc::new(Wrong(unknown))))
            .raw("wrong", wrong(Block::new(), Type::String));
    }
}

#[test]
fn invalid_definitions_are_reported() {
    let server = ferroform::server::<Raw>();
    let errors: Vec<_> = server.definition_errors().iter().map(|it| it.detail.clone()).collect();
    expect![[r#"
        In the provider: function wrong is registered twice. This is a bug in the provider; please report it to its authors.
        In function Invalid-Name: the name is not a valid identifier. This is a bug in the provider; please report it to its authors.
        In function Invalid-Name: parameter a: a collection cannot contain dynamic values, because its elements have one type. This is a bug in the provider; please report it to its authors.
        In function Invalid-Name: parameter a: the name is used more than once. This is a bug in the provider; please report it to its authors.
        In function Invalid-Name: parameter b: an argument is set by the practitioner, so it cannot have computed attributes. This is a bug in the provider; please report it to its authors.
        In function Invalid-Name: the result of type set(any) is a collection with dynamic elements. This is a bug in the provider; please report it to its authors.
        In function unknown: the function is variadic, but has no parameter. This is a bug in the provider; please report it to its authors.
        In function unknown: allow_unknown refers to the parameter c, which does not exist. This is a bug in the provider; please report it to its authors."#]].assert_eq(&errors.join("\n"));
}

#[tokio::test]
async fn invalid_calls_are_rejected() {
    let server = ferroform::server::<Raw>();
    let error = |result: StdResult<Value, FunctionError>| result.unwrap_err().to_string();
    expect![
        "the type in the schema is string, but the provider returned true. This is a bug in the provider; please report it to its authors"
    ]
    .assert_eq(&error(server.call_function("wrong", vec![]).await));
    expect!["Unexpected Function Arguments Data: 0 arguments are required, but got 1"]
        .assert_eq(&error(server.call_function("wrong", vec![Value::Null]).await));
    expect!["Function Not Found: this version of the provider has no function missing"]
        .assert_eq(&error(server.call_function("missing", vec![]).await));
    let tools = ferroform::server::<Tools>();
    expect!["Unexpected Function Arguments Data: at least 1 argument is required, but got 0"]
        .assert_eq(&error(tools.call_function("join", vec![]).await));
}
