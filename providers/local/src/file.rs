//! The resource `local_file`.

use ferroform::{ApplyCx, Cx, Model, Planned, Resource, Result};

use crate::binary::Base64;
use crate::checksums::Checksums;
use crate::permission::Permission;
use crate::{Local, disk};

/// Generates a local file with the given content.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(exactly_one_of(content, sensitive_content, content_base64, source))]
pub(crate) struct File {
    /// The path to the file that will be created. Missing parent directories will be created. An existing
    /// file is overwritten.
    #[attr(requires_replace)]
    filename: String,
    /// The content of the file as a UTF-8 string.
    #[attr(requires_replace)]
    content: Option<String>,
    /// The content of the file as a UTF-8 string that is not shown in plans.
    #[attr(requires_replace, sensitive, deprecated = "Use the `local_sensitive_file` resource instead")]
    sensitive_content: Option<String>,
    /// The content of the file in base64, for binary data.
    #[attr(requires_replace)]
    content_base64: Option<Base64>,
    /// The path to a file to copy.
    #[attr(requires_replace)]
    source: Option<String>,
    /// The permissions of the file (before umask) in octal.
    #[attr(requires_replace, default = Permission(0o777))]
    file_permission: Permission,
    /// The permissions (before umask) of created directories in octal.
    #[attr(requires_replace, default = Permission(0o777))]
    directory_permission: Permission,
    #[attr(flatten)]
    checksums: Checksums,
}

impl Resource for File {
    type Provider = Local;

    async fn create(_: &ApplyCx<Local>, plan: Planned<Self>) -> Result<FileComputed> {
        let text = plan.content.or(plan.sensitive_content);
        let bytes = disk::bytes(text, plan.content_base64, plan.source)?;
        disk::write(&plan.filename, &bytes, plan.file_permission, plan.directory_permission)?;
        Ok(FileComputed { checksums: Checksums::of(&bytes) })
    }

    /// If the content has changed, the resource is removed from the state, so that Terraform plans to recreate it.
    async fn read(_: &Cx<Local>, state: Self) -> Result<Option<Self>> {
        let found = disk::read(&state.filename)?.map(|bytes| Checksums::of(&bytes));
        Ok(found.filter(|it| it.id == state.checksums.id).map(|checksums| File { checksums, ..state }))
    }

    async fn delete(_: &ApplyCx<Local>, state: Self) -> Result<()> {
        disk::delete(&state.filename)
    }

    /// The import ID is the path.
    async fn import(_: &Cx<Local>, id: String) -> Result<Self> {
        let found = disk::find(&id)?;
        let checksums = Checksums::of(&found.bytes);
        let (content, content_base64) = match String::from_utf8(found.bytes) {
            Ok(text) => (Some(text), None),
            Err(binary) => (None, Some(Base64(binary.into_bytes()))),
        };
        Ok(File {
            filename: id,
            content,
            sensitive_content: None,
            content_base64,
            source: None,
            file_permission: found.permission,
            directory_permission: Permission(0o777),
            checksums,
        })
    }
}
