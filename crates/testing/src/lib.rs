//! Test Terraform providers.

pub mod cli;
