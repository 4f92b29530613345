//! The log of the provider, and what it prints.

use crate::common::{Outcome, Probe, on_both_protocols};

on_both_protocols! {
    records_have_their_level
    printed_lines_of_any_length_are_logged
}

const CONFIG: &str = "resource \"probe_talker\" \"a\" {\n  name = \"the talker\"\n}\n";

fn records_have_their_level(probe: Probe) -> Outcome {
    let Some(bench) = probe.bench()? else { return Ok(()) };
    let bench = bench.with_env("TF_LOG_PROVIDER", "INFO");
    bench.configure(CONFIG)?;
    let output = bench.space.apply()?;
    let logs = |level: &str, text: &str| {
        output.stderr.lines().any(|it| it.contains(&format!("[{level}]")) && it.contains(text))
    };
    assert!(logs("INFO", "the talker informs"), "{output}");
    assert!(logs("WARN", "the talker warns"), "{output}");
    assert!(logs("ERROR", "the talker fails"), "{output}");
    assert!(!output.contains("the talker debugs") && !output.contains("the talker traces"), "{output}");
    Ok(())
}

fn printed_lines_of_any_length_are_logged(probe: Probe) -> Outcome {
    let Some(mut bench) = probe.bench()? else { return Ok(()) };
    bench.space = bench.space.with_trace_log();
    bench.configure(CONFIG)?;
    bench.space.apply()?;
    let log = bench.space.log()?;
    let records = log.of_provider(probe.name);
    let logs = |level: &str, text: &str| records.iter().any(|it| it.contains(level) && it.contains(text));
    assert!(logs("[TRACE]", "the talker traces") && logs("[DEBUG]", "the talker debugs"));
    assert!(logs("[DEBUG]", "the talker prints") && logs("[DEBUG]", "the talker prints to stderr"));
    assert!(logs("[DEBUG]", "the talker prints again"), "the line after the long one");
    for character in ['#', '@'] {
        let count: usize = records.iter().map(|it| it.matches(character).count()).sum();
        // The metadata of other records contains a few of these characters.
        assert!((200 << 10..210 << 10).contains(&count), "{character}: {count}");
    }
    Ok(())
}
