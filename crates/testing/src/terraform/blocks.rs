//! The arguments and blocks of configuration files, with the files that contain them.

use std::ops::Range;

use ferroform_lang::body::{self, Expression, Label};

use super::files::File;

/// An expression with the file that contains it.
#[derive(Clone, Debug)]
pub(crate) struct Located<'a> {
    pub(crate) expression: Expression<'a>,
    pub(crate) file: &'a File,
}

/// The body of a block, or of a file. An override file can add arguments and blocks of another file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body<'a> {
    /// Each name occurs once.
    pub(crate) arguments: Vec<Argument<'a>>,
    pub(crate) blocks: Vec<Block<'a>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Argument<'a> {
    pub(crate) name: &'a str,
    pub(crate) name_at: Range<usize>,
    pub(crate) value: Located<'a>,
}

#[derive(Clone, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) name: &'a str,
    pub(crate) name_at: Range<usize>,
    pub(crate) labels: Vec<Label>,
    /// The position of the block type and the labels.
    pub(crate) header: Range<usize>,
    pub(crate) body: Body<'a>,
    pub(crate) file: &'a File,
    /// The position of the last block of an override file that has changed this one.
    pub(crate) overridden: Option<(&'a File, Range<usize>)>,
}

impl<'a> Body<'a> {
    /// The parsed body of a file, or of a block in it.
    pub(crate) fn of(file: &'a File, body: body::Body<'a>) -> Body<'a> {
        let arguments = body.arguments.into_iter().map(|it| Argument {
            name: it.name,
            name_at: it.name_at,
            value: Located { expression: it.value, file },
        });
        let blocks = body.blocks.into_iter().map(|it| Block {
            name: it.name,
            name_at: it.name_at,
            labels: it.labels,
            header: it.header,
            body: Body::of(file, it.body),
            file,
            overridden: None,
        });
        Body { arguments: arguments.collect(), blocks: blocks.collect() }
    }

    /// Returns the value of an argument.
    pub(crate) fn argument(&self, name: &str) -> Option<&Located<'a>> {
        self.arguments.iter().find(|it| it.name == name).map(|it| &it.value)
    }

    /// Sets an argument, and replaces an existing one.
    pub(crate) fn set(&mut self, argument: Argument<'a>) {
        match self.arguments.iter_mut().find(|it| it.name == argument.name) {
            Some(existing) => *existing = argument,
            None => self.arguments.push(argument),
        }
    }
}
