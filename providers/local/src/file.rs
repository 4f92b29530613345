//! The resource `local_file`.

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result};

use crate::binary::Base64;
use crate::checksums::Checksums;
use crate::permission::{self, Permission};
use crate::{Local, disk};

/// The permissions of files and directories before the umask, if the configuration omits them.
const DEFAULT_PERMISSION: Permission = Permission(0o777);

/// Generates a local file with the given content.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct File {
    /// The path to the file that will be created. Missing parent directories will be created. An existing
    /// file is overwritten.
    #[attr(requires_replace)]
    filename: String,
    /// The content of the file as a UTF-8 string.
    #[attr(requires_replace, exactly_one_of(sensitive_content, content_base64, source))]
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
    #[attr(requires_replace_if = permission::differs_after_umask, default = DEFAULT_PERMISSION)]
    file_permission: Permission,
    /// The permissions (before umask) of created directories in octal. A change does not affect existing directories.
    #[attr(default = DEFAULT_PERMISSION)]
    directory_permission: Permission,
    #[attr(flatten)]
    checksums: Checksums,
}

impl Resource for File {
    type Provider = Local;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<FileComputed> {
        let text = plan.content.or(plan.sensitive_content);
        let bytes = disk::bytes(text, plan.content_base64, plan.source)?;
        disk::write(&plan.filename, &bytes, plan.file_permission, plan.directory_permission)?;
        Ok(FileComputed { checksums: Checksums::of(&bytes).into() })
    }

    /// If the content has changed, the resource is removed from the state, so that Terraform plans to recreate it.
    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let found = disk::read(&state.filename)?.map(|bytes| Checksums::of(&bytes));
        Ok(found.filter(|it| it.id == state.checksums.id).map(|checksums| File { checksums, ..state }))
    }

    /// Records permissions in the state that do not affect the file: those of an imported file before the umask, and
    /// those of directories.
    async fn update(_: &ApplyCx<Self>, state: Self, _: Planned<Self>) -> Result<FileComputed> {
        Ok(FileComputed { checksums: state.checksums.into() })
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        disk::delete(&state.filename)
    }

    /// The import ID is the path. The file does not contain the permissions before the umask: the imported ones are the
    /// default if the file could have been created with it.
    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
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
            file_permission: found.permission.before_umask(DEFAULT_PERMISSION),
            directory_permission: DEFAULT_PERMISSION,
            checksums,
        })
    }
}
