//! The probe providers under the real `terraform` or `tofu`.

mod common;
mod errors;
mod interrupt;
mod life;
mod nested;
mod panic;
mod rules;
mod secrets;
mod together;
