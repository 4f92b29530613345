//! The resource `local_sensitive_file`.

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use crate::binary::Base64;
use crate::checksums::Checksums;
use crate::permission::Permission;
use crate::{Local, disk};

/// Generates a local file whose content is not shown in plans.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct SensitiveFile {
    /// The path to the file that will be created. Missing parent directories will be created. An existing
    /// file is overwritten.
    #[attr(requires_replace)]
    filename: String,
    /// The content of the file as a UTF-8 string.
    #[attr(requires_replace, sensitive, exactly_one_of(content_base64, source))]
    content: Option<String>,
    /// The content of the file in base64, for binary data.
    #[attr(requires_replace, sensitive)]
    content_base64: Option<Base64>,
    /// The path to a file to copy.
    #[attr(requires_replace)]
    source: Option<String>,
    /// The permissions of the file (before umask) in octal.
    #[attr(requires_replace, default = Permission(0o700))]
    file_permission: Permission,
    /// The permissions (before umask) of created directories in octal.
    #[attr(requires_replace, default = Permission(0o700))]
    directory_permission: Permission,
    #[attr(flatten)]
    checksums: Checksums,
}

impl Resource for SensitiveFile {
    type Provider = Local;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<SensitiveFileComputed> {
        let bytes = disk::bytes(plan.content, plan.content_base64, plan.source)?;
        disk::write(&plan.filename, &bytes, plan.file_permission, plan.directory_permission)?;
        Ok(SensitiveFileComputed { checksums: Checksums::of(&bytes).into() })
    }

    /// If the content has changed, the resource is removed from the state, so that Terraform plans to recreate it.
    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let found = disk::read(&state.filename)?.map(|bytes| Checksums::of(&bytes));
        Ok(found
            .filter(|it| it.id == state.checksums.id)
            .map(|checksums| SensitiveFile { checksums, ..state }))
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        disk::delete(&state.filename)
    }
}
