//! The scanner, the parsers of expressions, templates and blocks, and the syntax tree. Nothing is evaluated here.

mod block;
mod operators;
mod parser;
mod references;
mod scanner;
mod template;
mod tree;

pub(crate) use self::block::{RawBlock, RawBody, body, values};
pub(crate) use self::parser::{Parser, attributes, expression};
pub(crate) use self::references::ReferenceCollector;
pub use self::references::{FunctionCall, Traversal};
pub use self::scanner::is_identifier;
pub(crate) use self::scanner::{Kind, Sign};
pub(crate) use self::template::template;
pub use self::tree::TraversalStep;
pub(crate) use self::tree::{Binary, Call, Expr, ExprKind, For, Names, Part, StepExpr, Unary};
