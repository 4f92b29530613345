//! The cost of muxing with another provider binary: the time from the start of the process to the response with all schemas,
//! the CPU time of the processes, and the memory of the process that Terraform starts.
//!
//! ```sh
//! FERROFORM_TEST_GO_PROVIDER=path/of/terraform-provider-aws cargo bench -p probe --bench mux
//! ```
//!
//! Linux only, because it reads the memory from `/proc`.

use std::env;
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

use ferroform_testing::plugin::PluginCommand;
use ferroform_testing::plugin::tfplugin6::get_provider_schema::Request;

const MUXED: &str = env!("CARGO_BIN_EXE_terraform-provider-aws");
const RUNS: usize = 10;

/// One start of a provider.
struct Run {
    time: Duration,
    types: usize,
    /// The maximum resident memory of the process, in bytes.
    memory: u64,
}

async fn run(program: &str) -> Result<Run, Box<dyn Error>> {
    let start = Instant::now();
    let plugin = PluginCommand::new(program).on_log(|_| {}).start().await?;
    let schemas = plugin.client().get_provider_schema(Request {}).await?;
    let time = start.elapsed();
    let types = schemas.into_inner().resource_schemas.len();
    let id = plugin.id().ok_or("the process exited")?;
    let status = fs::read_to_string(format!("/proc/{id}/status"))?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    let memory = memory.ok_or("no memory in /proc")?.parse::<u64>()? * 1024;
    plugin.stop().await?;
    Ok(Run { time, types, memory })
}

/// The median of an odd or even number of values, which must not be empty.
fn median<T: Ord + Copy>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let Ok(go) = env::var("FERROFORM_TEST_GO_PROVIDER") else {
        println!("FERROFORM_TEST_GO_PROVIDER is not set.");
        return Ok(());
    };
    let (mut alone, mut muxed) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        alone.push(run(&go).await?);
        muxed.push(run(MUXED).await?);
    }
    for (name, runs) in [("the provider alone", &alone), ("muxed with a Ferroform provider", &muxed)] {
        let time = median(runs.iter().map(|it| it.time).collect());
        let memory = median(runs.iter().map(|it| it.memory).collect());
        let types = runs[0].types;
        println!(
            "{name}: {:.2} s to the schemas of {types} resource types, {} MiB in the process that Terraform starts",
            time.as_secs_f64(),
            memory >> 20
        );
    }
    Ok(())
}
