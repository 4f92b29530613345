//! Objects of several megabytes.

use std::fs;

use crate::common::{Outcome, Probe, on_both_protocols};

on_both_protocols! {
    object_of_several_megabytes_is_created_and_deleted
}

/// More than the 4 MiB to which gRPC limits a message by default.
const SIZE: usize = 5 << 20;

fn object_of_several_megabytes_is_created_and_deleted(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let space = &bench.space;
    bench.configure(
        r#"
        resource "probe_thing" "a" {
          name = "large"
          note = file("note.txt")
        }
        "#,
    )?;
    let note = "a".repeat(SIZE);
    space.write("note.txt", &note)?;
    space.apply()?;
    let state = space.state()?;
    let values = &state.get(&bench.for_provider("probe_thing.a"))?.values;
    assert!(values["note"] == note.as_str() && values["note_length"] == SIZE);
    assert!(space.plan()?.is_empty());
    space.destroy()?;
    assert!(space.state()?.is_empty() && !fs::exists(bench.file("large"))?);
    Ok(())
}
