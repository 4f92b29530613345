//! The plan argument `-target`.

use std::collections::BTreeSet;

use super::address::{Address, InstanceKey, Target, module_path};
use super::graph::{Graph, Node};
use super::options::PlanOptions;
use super::problem::{Problem, Result};

/// The nodes and addresses that `-target` selects, with the dependencies of the former.
pub(crate) struct Targets {
    /// The nodes to plan and apply.
    pub(crate) nodes: BTreeSet<Node>,
    /// The nodes to refresh. For a destroy, they do not include the dependents.
    refreshed: BTreeSet<Node>,
    targets: Vec<Target>,
    /// The resources whose objects a destroy deletes; `None` for another plan.
    destroyed: Option<BTreeSet<Node>>,
}

impl Targets {
    /// Selects the targets of the options; `None` if there are none.
    pub(crate) fn select(options: &PlanOptions, graph: &Graph) -> Result<Option<Targets>> {
        if options.targets.is_empty() {
            return Ok(None);
        }
        let parse = |text: &String| {
            Target::parse(text).ok_or_else(|| {
                let detail = "Resource specification must include a resource type and name.";
                vec![Problem::error(format!("Invalid target {text:?}"), detail)]
            })
        };
        let targets = options.targets.iter().map(parse).collect::<Result<Vec<Target>>>()?;
        let is_selected = |node: &Node| match node {
            Node::Resource(it) => targets.iter().any(|target| {
                let module = module_path(&target.module);
                match &target.resource {
                    Some((resource, _)) => module == it.module && *resource == it.resource,
                    None => it.module.starts_with(&module),
                }
            }),
            _ => false,
        };
        let mut selected: BTreeSet<Node> = graph.edges.keys().filter(|it| is_selected(it)).cloned().collect();
        let refreshed = graph.with_dependencies(selected.clone());
        if options.destroy {
            // A destroy includes the dependents instead of the dependencies.
            let is_dependent = |node: &Node| match node {
                Node::Resource(it) => {
                    graph.resource_dependencies(it).any(|it| selected.contains(&Node::Resource(it.clone())))
                }
                _ => false,
            };
            let dependents: Vec<Node> = graph.edges.keys().filter(|it| is_dependent(it)).cloned().collect();
            selected.extend(dependents);
        }
        let destroyed = options.destroy.then(|| selected.clone());
        let mut nodes = graph.with_dependencies(selected);
        let outputs = graph.edges.keys().filter(|it| matches!(it, Node::Output(path, _) if path.is_empty()));
        let is_determined = |output: &Node| {
            let mut resources = graph.dependencies(output).peekable();
            resources.peek().is_some() && resources.all(|it| nodes.contains(&Node::Resource(it.clone())))
        };
        let outputs: Vec<Node> = outputs.filter(|it| is_determined(it)).cloned().collect();
        nodes.extend(graph.with_dependencies(outputs));
        Ok(Some(Targets { nodes, refreshed, targets, destroyed }))
    }

    /// True if the instance is selected.
    pub(crate) fn includes(&self, address: &Address) -> bool {
        self.contains(self.destroyed.as_ref().unwrap_or(&self.nodes), address)
    }

    /// True if the instance is selected for the refresh.
    pub(crate) fn is_refreshed(&self, address: &Address) -> bool {
        self.contains(&self.refreshed, address)
    }

    fn contains(&self, nodes: &BTreeSet<Node>, address: &Address) -> bool {
        let names_instance = self.targets.iter().any(|it| match &it.resource {
            Some((resource, key)) => *key != InstanceKey::None && *resource == address.resource,
            None => false,
        });
        self.names(address) || !names_instance && nodes.contains(&Node::Resource(address.config()))
    }

    /// True if an option names the address, its resource, or a module that contains it.
    pub(crate) fn names(&self, address: &Address) -> bool {
        self.targets.iter().any(|it| it.contains(address))
    }
}
