//! The list of `probe_volume`: the existing volumes, each with a line in the file `lists.log` of the provider's directory.
//! The data source of the same name looks up one volume.

use std::time::Duration;

use ferroform::{
    Args, Context, Diagnostic, ListCx, ListResource, Listed, Lookup, LookupCx, Model, Result, path,
    validators::length_at_least,
};

use super::volume::{Volume, VolumeIdentity};

/// The existing volumes, by project and number.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct Volumes {
    /// Only the volumes of this project.
    #[attr(validate = length_at_least(1))]
    project: Option<String>,
    /// The list fails after this number of volumes.
    fail_after: Option<u64>,
    /// The list waits for an hour after this number of volumes.
    wait_after: Option<u64>,
    /// A secret that the error contains.
    #[attr(sensitive)]
    secret: Option<String>,
}

impl ListResource for Volumes {
    type Resource = Volume;

    async fn list(cx: &ListCx<Self>, args: Args<Self>) -> Result<()> {
        let mut sent = 0;
        for name in cx.provider.store.names()? {
            let Some((project, _)) = name.rsplit_once('-') else { continue };
            if args.project.as_ref().is_some_and(|it| it != project) {
                continue;
            }
            if args.fail_after == Some(sent) {
                let detail = format!("The secret {:?} is wrong.", args.secret.unwrap_or_default());
                return Err(Diagnostic::error("The page is not available").detail(detail).into());
            }
            cx.provider.store.append("lists.log", &name)?;
            if args.wait_after == Some(sent) {
                cx.sleep(Duration::from_secs(3600)).await?;
            }
            let Some(volume) = cx.provider.store.read::<Volume>(&name)? else { continue };
            sent += 1;
            if cx.includes_resource() {
                cx.send(cx.listed(volume, name)?).await?;
            } else {
                let identity = VolumeIdentity { project: volume.project, number: volume.number };
                cx.send(Listed::new(identity, name)).await?;
            }
        }
        Ok(())
    }
}

/// Looks up a volume by its project and number.
#[derive(Model, Clone, Debug, PartialEq)]
pub(super) struct VolumeByNumber {
    project: String,
    number: u16,
    /// The size that the volume must have.
    size: Option<u64>,
}

impl Lookup for VolumeByNumber {
    type Resource = Volume;

    async fn read(cx: &LookupCx<Self>, args: Args<Self>) -> Result<Volume> {
        let volume: Option<Volume> = cx.provider.store.read(&format!("{}-{}", args.project, args.number))?;
        let volume = volume.filter(|it| args.size.is_none_or(|size| it.has_size(size)));
        volume.context("No volume has this number").at(path!(number))
    }
}
