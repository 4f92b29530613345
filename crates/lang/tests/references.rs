//! References of expressions: how they are resolved, and how they are listed without an evaluation.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::sync::Arc;

use ferroform_lang::Errors;
use ferroform_lang::body::{EvaluationContext, Expression, FailedCall, TraversalStep, UnresolvedReference};
use ferroform_lang::expression::constant;
use ferroform_lang::marks::{Mark, Marked, Marks};
use ferroform_value::{Path, Step, Type, Typed, Value};

/// A module with a resource, a data source, an input variable and the functions of a provider.
struct Module {
    all: Marked,
    data: Marked,
    size: Marked,
    this: Marked,
}

impl Module {
    /// Creates a module with this number of instances of `aws_vpc.all`.
    fn new(instances: usize) -> Module {
        let instance = |i: usize| {
            let attributes = [
                ("id", format!("vpc-{i}").into()),
                ("key", format!("secret-{i}").into()),
                ("tags", Value::dynamic(Type::map(Type::String), Value::map([("n", "x".into())]))),
            ];
            (format!("k{i:06}"), Value::object(attributes))
        };
        let object = Type::object([("id", Type::String), ("key", Type::String), ("tags", Type::Dynamic)]);
        let all = Typed::new(Type::map(object), Value::map((0..instances).map(instance)));
        let key = |i: usize| Path::ROOT.then(Step::from(format!("k{i:06}"))).name("key");
        let marks: Marks = (0..instances).map(|i| (key(i), Mark::Sensitive)).collect();
        Module {
            all: Marked { typed: all, marks },
            data: constant("[{ name = \"a\" }, { name = \"b\" }]").unwrap().into(),
            size: constant("4").unwrap().into(),
            this: constant("{ id = \"self\" }").unwrap().into(),
        }
    }
}

impl EvaluationContext for Module {
    fn resolve(&self, names: &[&str]) -> Result<(&Marked, usize), UnresolvedReference> {
        match names {
            ["aws_vpc", "all", ..] => Ok((&self.all, 2)),
            ["data", "aws_zone", "all", ..] => Ok((&self.data, 3)),
            ["var", "size", ..] => Ok((&self.size, 2)),
            ["self", ..] => Ok((&self.this, 1)),
            _ => Err(UnresolvedReference {
                summary: "Reference to undeclared resource".to_owned(),
                detail: format!("There is no {}.", names.join(".")),
            }),
        }
    }

    fn call(&self, name: &str, arguments: &[Marked]) -> Option<Result<Marked, FailedCall>> {
        let invalid =
            |argument, detail: &str| FailedCall { summary: None, argument, detail: detail.to_owned() };
        match name {
            "provider::local::first" => {
                Some(arguments.first().cloned().ok_or_else(|| invalid(None, "no arguments")))
            }
            "file" => Some(Err(invalid(Some(0), "the file does not exist"))),
            "provider::local::tags" => {
                let tags = Value::dynamic(Type::Number, 1.into());
                Some(Ok(Typed::new(Type::Dynamic, tags).into()))
            }
            _ => None,
        }
    }
}

fn evaluate(text: &str, module: &Module) -> Result<Marked, Errors> {
    Expression::parse(text).unwrap().evaluate_in(module)
}

/// The whole value exceeds the limit of an evaluation, so the result shows that only the selected part is copied.
#[test]
fn part_of_a_large_value_is_selected_without_copying_the_value() {
    let module = Module::new(50_000);
    let errors = evaluate("aws_vpc.all", &module).map(drop).unwrap_err();
    assert_eq!(errors.first().summary(), "Expression too large");
    let id = evaluate("aws_vpc.all[\"k0${var.size}2000\"].id", &module).unwrap();
    assert_eq!(id, Typed::new(Type::String, "vpc-42000".into()).into());
    let ids = "[for i in range(1000) : aws_vpc.all[format(\"k%06d\", i)].id]";
    assert_eq!(evaluate(ids, &module).unwrap().typed.value.length(), Some(1000));

    let instance = evaluate("aws_vpc.all.k000007", &module).unwrap();
    assert_eq!(instance.marks.paths(Mark::Sensitive).collect::<Vec<_>>(), [&Path::attribute("key")]);
    assert!(evaluate("aws_vpc.all.k000007.key", &module).unwrap().marks.has(Mark::Sensitive));
    assert!(!evaluate("aws_vpc.all.k000007.id", &module).unwrap().marks.contains(Mark::Sensitive));
}

#[test]
fn references_cover_as_many_names_as_the_module_states() {
    let module = Module::new(10);
    for (text, expected) in [
        ("data.aws_zone.all[1].name", "\"b\""),
        ("data.aws_zone.all[*].name", "[\"a\", \"b\"]"),
        ("self.id", "\"self\""),
        ("var.size + 1", "5"),
        ("[for self in [1] : self]", "[1]"),
    ] {
        assert_eq!(evaluate(text, &module).unwrap().typed, constant(expected).unwrap(), "{text}");
    }
}

#[test]
fn attribute_of_any_type_has_the_type_of_its_value() {
    let module = Module::new(10);
    let tags = evaluate("aws_vpc.all.k000001.tags", &module).unwrap().typed;
    assert_eq!(tags.ty, Type::map(Type::String));
    assert_eq!(evaluate("aws_vpc.all.k000001.tags.n", &module).unwrap().typed.value, "x".into());
    let instance = evaluate("aws_vpc.all.k000001", &module).unwrap().typed;
    assert_eq!(instance.ty.to_string(), "object({id = string, key = string, tags = map(string)})");
    assert_eq!(evaluate("provider::local::tags() + 1", &module).unwrap().typed.value, 2.into());
}

#[test]
fn errors_of_references_and_calls_have_positions() {
    let module = Module::new(10);
    for (text, summary, detail, at) in [
        ("1 + aws_vpc.b.id[0]", "Reference to undeclared resource", "There is no aws_vpc.b.id.", 4..16),
        ("[each]", "Reference to undeclared resource", "There is no each.", 1..5),
        ("md4(\"a\")", "Call to unknown function", "The function \"md4\" is not available here.", 0..3),
        (
            "upper(file(\"a\"))",
            "Invalid function argument",
            "Call of function \"file\" failed: the file does not exist.",
            11..14,
        ),
        (
            "provider::local::first()",
            "Error in function call",
            "Call of function \"provider::local::first\" failed: no arguments.",
            0..24,
        ),
        (
            "try(regex(\"\\\\p{Unknown}\", \"a\"), 1)",
            "Error in function call",
            "Call of function \"regex\" failed: the result of this call cannot be determined here.",
            4..30,
        ),
    ] {
        let errors = evaluate(text, &module).unwrap_err();
        let error = errors.first();
        assert_eq!((error.summary(), error.detail()), (summary, detail), "{text}");
        assert_eq!(error.span().start.byte..error.span().end.byte, at, "{text}");
    }
}

#[test]
fn functions_of_providers_receive_marks() {
    let module = Module::new(10);
    let key = evaluate("provider::local::first(aws_vpc.all.k000001.key)", &module).unwrap();
    assert!(key.marks.has(Mark::Sensitive));
    let expanded = evaluate("provider::local::first([aws_vpc.all.k000001.key]...)", &module).unwrap();
    assert_eq!(expanded, key);
    assert_eq!(evaluate("try(provider::local::first(), 1)", &module).unwrap().typed.value, 1.into());
}

/// Prints steps as they are in the source.
fn source(steps: &[TraversalStep]) -> String {
    let step = |it: &TraversalStep| match it {
        TraversalStep::Name(name) => format!(".{name}"),
        TraversalStep::Index(index) => format!("[{index}]"),
    };
    steps.iter().map(step).collect::<String>().trim_start_matches('.').to_owned()
}

#[test]
fn static_traversals_have_literal_indexes() {
    for (text, expected) in [
        ("aws", Some("aws")),
        ("aws.west", Some("aws.west")),
        ("aws_vpc.a[0].tags[\"x\"]", Some("aws_vpc.a[0].tags[\"x\"]")),
        ("module.m[\"a\"].aws_vpc.b", Some("module.m[\"a\"].aws_vpc.b")),
        ("a.0.b", Some("a[0].b")),
        ("a[var.i]", None),
        ("a[\"${var.i}\"]", None),
        ("a[*].b", None),
        ("(a.b)", None),
        ("f(a)", None),
        ("\"a.b\"", None),
    ] {
        let steps = Expression::parse(text).unwrap().static_traversal();
        assert_eq!(steps.as_deref().map(source).as_deref(), expected, "{text}");
    }
}

#[test]
fn listed_references_have_steps_up_to_the_first_dynamic_index() {
    let text = "[for x in aws_vpc.a[\"x\"].ids : module.m[0].out[x.i].y + x.b + data.t.n[*].id]";
    let references = Expression::parse(text).unwrap().references();
    let steps: Vec<String> = references.traversals.iter().map(|it| source(&it.steps)).collect();
    assert_eq!(steps, ["aws_vpc.a[\"x\"].ids", "module.m[0].out", "data.t.n"]);
}

#[test]
fn elements_and_items_of_static_expressions_are_expressions() {
    let tuple = Expression::parse("[aws_vpc.a, module.b[0]]").unwrap();
    let elements = tuple.tuple_elements().unwrap();
    let elements: Vec<String> = elements.iter().map(|it| source(&it.static_traversal().unwrap())).collect();
    assert_eq!(elements, ["aws_vpc.a", "module.b[0]"]);
    assert!(tuple.object_items().is_none());

    let object = Expression::parse("{ aws = aws.west, aws.east = aws }").unwrap();
    let items = object.object_items().unwrap();
    let items: Vec<[String; 2]> = items
        .iter()
        .map(|(key, value)| [key, value].map(|it| source(&it.static_traversal().unwrap())))
        .collect();
    assert_eq!(items, [["aws", "aws.west"], ["aws.east", "aws"]]);
    assert!(object.tuple_elements().is_none());
}

fn secret(value: &str) -> Marked {
    Marked { typed: Typed::new(Type::String, value.into()), marks: Marks::of(Mark::Sensitive) }
}

#[test]
fn conversion_moves_marks_with_their_parts() {
    let plain = || Marked::from(Typed::new(Type::String, "b".into()));
    let object = Marked::object([(Arc::from("a"), secret("a")), (Arc::from("b"), plain())]);
    let tuple = Marked::tuple([plain(), object.clone()]);
    let paths = |it: Marked, ty: &str| -> Vec<String> {
        let it = it.convert(&ty.parse().unwrap()).unwrap();
        it.marks.paths(Mark::Sensitive).map(ToString::to_string).collect()
    };
    assert_eq!(paths(object.clone(), "map(string)"), ["[\"a\"]"]);
    assert_eq!(paths(object.clone(), "object({ b = string })"), [""; 0]);
    let map = object.clone().convert(&Type::map(Type::String)).unwrap();
    assert_eq!(paths(map, "object({ a = string })"), ["a"]);
    assert_eq!(paths(tuple, "tuple([string, map(string)])"), ["[1][\"a\"]"]);
    assert_eq!(paths(Marked::tuple([object.clone()]), "list(map(string))"), ["[0][\"a\"]"]);
    assert_eq!(paths(Marked::tuple([object.clone()]), "set(map(string))"), [""]);
    assert_eq!(paths(Marked::tuple([Marked::tuple([object])]), "list(set(map(string)))"), ["[0]"]);
}

#[test]
fn marks_are_sorted_and_unique() {
    let mut marks = Marks::none();
    marks.add(Path::attribute("b"), Mark::Ephemeral);
    marks.add(Path::attribute("a").then(Step::Element(Box::new("x".into()))).name("n"), Mark::Sensitive);
    marks.add(Path::attribute("a"), Mark::Sensitive);
    marks.add(Path::ROOT, Mark::Ephemeral);
    assert_eq!(marks.paths(Mark::Sensitive).collect::<Vec<_>>(), [&Path::attribute("a")]);
    assert_eq!(marks.paths(Mark::Ephemeral).collect::<Vec<_>>(), [&Path::ROOT, &Path::attribute("b")]);
    assert!(marks.has(Mark::Ephemeral) && !marks.has(Mark::Sensitive) && marks.contains(Mark::Sensitive));

    let below = marks.clone().below(&Path::attribute("o"));
    assert_eq!(below.paths(Mark::Sensitive).collect::<Vec<_>>(), [&Path::attribute("o").name("a")]);
    assert_eq!(marks.clone().without(Mark::Sensitive).into_root_marks(), Marks::of(Mark::Ephemeral));
    let mut both = Marks::of(Mark::Ephemeral);
    both.extend(Marks::of(Mark::Sensitive));
    assert_eq!(marks.into_root_marks(), both);
    assert!(Marks::of(Mark::Sensitive).without(Mark::Sensitive).is_empty());
}
