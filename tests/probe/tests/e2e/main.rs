//! The probe providers under the real `terraform` or `tofu`.

mod behaviours;
mod common;
mod element_matching;
mod errors;
mod history;
mod import;
mod interrupt;
mod life;
mod matrix;
mod nested;
mod panic;
mod patience;
mod planned;
mod rules;
mod secrets;
mod together;
