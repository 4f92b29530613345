#![no_main]

use ferroform_vars::SourceTexts;
use ferroform_fuzz::evaluate;
use libfuzzer_sys::fuzz_target;

// A module, an override file and two variables files, separated by zero bytes.
fuzz_target!(|data: &[u8]| {
    let input = String::from_utf8_lossy(data);
    let mut parts = input.split('\0').map(str::to_owned);
    let mut next = |name: &str| parts.next().map(|it| (name.to_owned(), it));
    let module = [next("main.tf"), next("override.tf")].into_iter().flatten().collect();
    let values = [next("terraform.tfvars"), next("a.auto.tfvars")].into_iter().flatten().collect();
    evaluate(&SourceTexts { module, values });
});
