//! The resources and data sources of another provider, from the output of `terraform providers schema -json`.
//!
//! At the start, the file is converted into a compact description, as a provider that is generated from an API
//! description has it. The schemas are built from that description when they are needed.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::sync::Arc;

use ferroform::raw::{
    AnyChange, AnyConfigurable, AnyDataSource, AnyResource, Kind, MethodFuture, RequestContext,
    ResourceCapabilities,
};
use ferroform::schema::{
    Attribute, Block, LazySchema, Member, Mode, Nested, Nesting, ProviderSchemas, Schema, Upgrades,
};
use ferroform::value::{Object, Path, Step, Type, Value};
use ferroform::{Data, Diagnostic, Result};

/// The types of a provider, by their names.
#[derive(Clone, Default)]
pub(crate) struct Described {
    pub(crate) resources: Vec<(String, Arc<Thing>)>,
    pub(crate) data_sources: Vec<(String, Arc<Thing>)>,
}

/// Reads the types of the only provider in the file.
pub(crate) fn read(file: &OsStr) -> Result<Described> {
    let schemas = ProviderSchemas::only_provider(&std::fs::read(file)?)?;
    let mut shared = Shared::default();
    let mut described = Described::default();
    for (name, json) in schemas.of_kind(Kind::Resource) {
        described.resources.push((own(name), Arc::new(Thing::of(&json.read()?, &mut shared))));
    }
    for (name, json) in schemas.of_kind(Kind::DataSource) {
        described.data_sources.push((own(name), Arc::new(Thing::of(&json.read()?, &mut shared))));
    }
    Ok(described)
}

/// The name of a type in this provider.
fn own(name: &str) -> String {
    format!("bench_{name}")
}

/// The equal parts of all descriptions, each of which is stored once.
#[derive(Default)]
struct Shared {
    names: BTreeSet<Arc<str>>,
    types: HashSet<Type>,
    nodes: HashSet<Arc<Node>>,
}

impl Shared {
    fn name(&mut self, name: &Arc<str>) -> Arc<str> {
        if let Some(name) = self.names.get(name) {
            return name.clone();
        }
        self.names.insert(name.clone());
        name.clone()
    }

    fn ty(&mut self, ty: &Type) -> Type {
        if let Some(ty) = self.types.get(ty) {
            return ty.clone();
        }
        self.types.insert(ty.clone());
        ty.clone()
    }

    fn node(&mut self, node: Node) -> Arc<Node> {
        if let Some(node) = self.nodes.get(&node) {
            return node.clone();
        }
        let node = Arc::new(node);
        self.nodes.insert(node.clone());
        node
    }
}

/// The description of an object.
#[derive(PartialEq, Eq, Hash)]
struct Node {
    attributes: Box<[Leaf]>,
    blocks: Box<[Branch]>,
    description: Box<str>,
}

#[derive(PartialEq, Eq, Hash)]
struct Leaf {
    name: Arc<str>,
    ty: Type,
    mode: Mode,
    sensitive: bool,
    write_only: bool,
    deprecated: bool,
    description: Box<str>,
}

#[derive(PartialEq, Eq, Hash)]
struct Branch {
    name: Arc<str>,
    nesting: Nesting,
    is_required: bool,
    min_items: u64,
    max_items: u64,
    inside: Arc<Node>,
}

impl Node {
    fn of(block: &Block, shared: &mut Shared) -> Node {
        let leaf = |it: &Attribute, shared: &mut Shared| Leaf {
            name: shared.name(it.name()),
            ty: shared.ty(it.ty()),
            mode: it.mode(),
            sensitive: it.is_sensitive(),
            write_only: it.is_write_only(),
            deprecated: it.behavior().deprecated.is_some(),
            description: it.full_description().into(),
        };
        let attributes = block.attributes().iter().map(|it| leaf(it, shared)).collect();
        let blocks = block.blocks().iter().map(|it| {
            let is_single = it.nesting() == Nesting::Single;
            let (min_items, max_items) = if is_single { (0, 0) } else { (it.min_items(), it.max_items()) };
            let inside = Node::of(it.block(), shared);
            Branch {
                name: shared.name(it.name()),
                nesting: it.nesting(),
                is_required: is_single && it.min_items() > 0,
                min_items,
                max_items,
                inside: shared.node(inside),
            }
        });
        Node { attributes, blocks: blocks.collect(), description: block.full_description().into() }
    }

    /// The block. `built` has the nested blocks so far, so that a block that occurs several times is built once.
    fn block(&self, built: &mut HashMap<*const Node, Arc<Block>>) -> Block {
        let attribute = |it: &Leaf| {
            let mut attribute = Attribute::raw(it.name.clone(), it.ty.clone()).with_mode(it.mode);
            if !it.description.is_empty() {
                attribute = attribute.plain_description(&*it.description);
            }
            if it.sensitive {
                attribute = attribute.sensitive();
            }
            if it.write_only {
                attribute = attribute.write_only();
            }
            if it.deprecated { attribute.deprecated("") } else { attribute }
        };
        let block = Block::new()
            .plain_description(&*self.description)
            .with_attributes(self.attributes.iter().map(attribute));
        block.nested_blocks(self.blocks.iter().map(|it| {
            let inside = match built.get(&Arc::as_ptr(&it.inside)) {
                Some(block) => block.clone(),
                None => {
                    let block = Arc::new(it.inside.block(built));
                    built.insert(Arc::as_ptr(&it.inside), block.clone());
                    block
                }
            };
            let nested = Attribute::raw_nested(it.name.clone(), Nested::new(it.nesting, inside));
            let nested = if it.is_required { nested } else { nested.optional() };
            let nested = if it.min_items > 0 { nested.min_items(it.min_items) } else { nested };
            if it.max_items > 0 { nested.max_items(it.max_items) } else { nested }
        }))
    }
}

/// A resource or data source whose computed values are empty.
pub(crate) struct Thing {
    schema: LazySchema,
}

impl Thing {
    fn of(schema: &Schema, shared: &mut Shared) -> Thing {
        let (version, node) = (schema.version, Node::of(&schema.block, shared));
        Thing {
            schema: LazySchema::new(move || Schema::new(node.block(&mut HashMap::new())).version(version)),
        }
    }

    /// The computed values of a planned state.
    fn computed(&self, plan: Value) -> Result<Object> {
        let block = &self.schema.get().block;
        let known = Data::typed(block.ty().clone(), plan)?
            .replace_unknown(|_, ty| Data::empty_of(ty.clone()).into_value())?
            .into_value();
        let Value::Object(mut object) = known else { return Ok(Object::default()) };
        let is_computed = |name: &Arc<str>| {
            let path: Path = [Step::Attribute(name.clone())].into_iter().collect();
            match block.at(&path) {
                Some(Member::Attribute(it)) => it.mode().is_computed() || it.has_computed_inside(),
                Some(Member::Block(it)) => it.block().has_computed_inside(),
                None => false,
            }
        };
        let others: Vec<Arc<str>> =
            object.iter().map(|(name, _)| name).filter(|it| !is_computed(it)).cloned().collect();
        for name in others {
            object.remove(&name);
        }
        Ok(object)
    }
}

fn ready<T: Send + 'static>(result: Result<T>) -> MethodFuture<T> {
    Box::pin(async { result })
}

impl AnyConfigurable for Thing {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(Ok(()))
    }
}

impl AnyResource for Thing {
    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities::new().update()
    }

    // No state of an earlier version exists.
    fn upgrades(&self) -> Upgrades {
        Upgrades::default().with_fallback()
    }

    fn plan(&self, _: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        ready(Ok(change.plan))
    }

    fn create(&self, _: RequestContext, plan: Value) -> MethodFuture<Object> {
        ready(self.computed(plan))
    }

    fn read(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
        ready(Ok(state))
    }

    fn update(&self, _: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        ready(self.computed(plan))
    }

    fn delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(Ok(()))
    }

    fn import(&self, _: RequestContext, _: String) -> MethodFuture<Value> {
        ready(Err(Diagnostic::error("Import Not Supported").into()))
    }
}

impl AnyDataSource for Thing {
    fn read(&self, _: RequestContext, _: Value) -> MethodFuture<Object> {
        ready(Err(Diagnostic::error("Read Not Supported").into()))
    }
}
