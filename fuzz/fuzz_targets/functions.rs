#![no_main]

use ferroform_lang::{console, expression};
use libfuzzer_sys::fuzz_target;

// The first byte selects a function. Zero bytes separate its arguments, which are strings, or expressions after a
// `=`.
fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let names: Vec<&str> = expression::functions().collect();
    let name = names[usize::from(*first) % names.len()];
    let rest = String::from_utf8_lossy(rest);
    let arguments = rest.split('\0').map(|it| match it.strip_prefix('=') {
        Some(it) => it.to_owned(),
        None => {
            let it = it.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            format!("\"{}\"", it.replace("${", "$${").replace("%{", "%%{"))
        }
    });
    let call = format!("{name}({})", arguments.collect::<Vec<_>>().join(", "));
    if let Ok(it) = expression::evaluate(&call) {
        console::show(&it);
    }
});
