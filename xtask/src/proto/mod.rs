//! `cargo xtask proto`: generates the Rust modules of `ferroform-proto` from its `.proto` files.
//!
//! The generated code is committed, so that building Ferroform needs no `protoc`.

mod shared;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use prost_types::FileDescriptorSet;

const FILES: [&str; 3] = ["tfplugin6.proto", "tfplugin5.proto", "plugin.proto"];

/// Messages with values, which may be sensitive: their `Debug` is implemented by hand.
const VALUES: [&str; 2] = [".tfplugin6.DynamicValue", ".tfplugin6.RawState"];

/// Generates the modules of the crate.
pub(crate) fn generate() -> Result<(), Box<dyn Error>> {
    let target = home().join("src/generated");
    fs::create_dir_all(&target)?;
    generate_into(&target)
}

/// Checks that the committed modules are up to date.
///
/// # Errors
///
/// Returns an error if they are not up to date.
pub(crate) fn check() -> Result<(), Box<dyn Error>> {
    let scratch = std::env::temp_dir().join(format!("ferroform-proto-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let result = generate_into(&scratch).and_then(|()| compare(&scratch, &home().join("src/generated")));
    fs::remove_dir_all(&scratch)?;
    result
}

fn compare(fresh: &Path, committed: &Path) -> Result<(), Box<dyn Error>> {
    let names = |directory: &Path| -> Result<Vec<PathBuf>, Box<dyn Error>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(directory)? {
            names.push(PathBuf::from(entry?.file_name()));
        }
        names.sort();
        Ok(names)
    };
    let same = names(fresh)? == names(committed)?
        && names(fresh)?.iter().all(|name| {
            matches!((fs::read(fresh.join(name)), fs::read(committed.join(name))), (Ok(a), Ok(b)) if a == b)
        });
    if same {
        Ok(())
    } else {
        Err("crates/proto/src/generated is not up to date: run `cargo xtask proto`".into())
    }
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/proto")
}

fn generate_into(directory: &Path) -> Result<(), Box<dyn Error>> {
    let descriptors = protox::compile(FILES, [home().join("proto")])?;
    let mut builder = tonic_prost_build::configure()
        .out_dir(directory)
        .build_transport(false)
        .generate_default_stubs(true)
        .emit_rerun_if_changed(false)
        .client_mod_attribute(".", "#[cfg(feature = \"client\")]")
        .bytes(".")
        // The output must be the same for every run.
        .btree_map(".")
        .skip_debug(VALUES)
        // One message with two fields does not justify a dependency on prost-types.
        .extern_path(".google.protobuf.Timestamp", "crate::Timestamp");
    for (name, rust) in shared::paths(&descriptors)? {
        builder = builder.extern_path(name, rust);
    }
    // The modules are those of the repository's packages; `prost` provides the well-known types.
    let mut descriptors = descriptors;
    descriptors.file.retain(|file| !file.package().starts_with("google."));
    // The service and the client of protocol 6 also handle protocol 5: see `ferroform-server`.
    descriptors.file.iter_mut().filter(|it| it.package() == "tfplugin5").for_each(|it| it.service.clear());
    let (plugin, protocols) = descriptors.file.into_iter().partition(|it| it.package() == "plugin");
    builder.clone().compile_fds(FileDescriptorSet { file: protocols })?;
    // The only RPC that a client of these services calls is Shutdown.
    builder.build_client(false).compile_fds(FileDescriptorSet { file: plugin })?;
    fs::write(directory.join("sources.txt"), sources()? + "\n")?;
    Ok(())
}

/// The hash (FNV-1a) of the `.proto` files. A test of the crate compares it to find out whether the generated code
/// is up to date.
fn sources() -> Result<String, Box<dyn Error>> {
    let mut files = FILES;
    files.sort_unstable();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        for byte in fs::read(home().join("proto").join(file))? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    Ok(format!("{hash:016x}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn committed_modules_are_up_to_date() {
        super::check().unwrap();
    }
}
