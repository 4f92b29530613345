//! The errors of the API, and their diagnostics.

use std::collections::BTreeMap;

use ferroform::value::Path;
use ferroform::{Diagnostic, Diagnostics, path};
use reqwest::{Response, StatusCode};
use serde::Deserialize;

/// An error that a method can handle.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// The object does not exist.
    NotFound,
    /// An object with this ID exists already.
    Exists { id: String },
    /// The API rejected the values of these fields, for these reasons.
    Invalid { fields: BTreeMap<String, String> },
    /// An error that no method handles.
    Other(Diagnostics),
}

/// The response with the status 409.
#[derive(Deserialize)]
struct Conflict {
    id: String,
}

/// The response with the status 422.
#[derive(Deserialize)]
struct Rejection {
    errors: BTreeMap<String, String>,
}

/// Returns an error if the response has an error status.
pub(crate) async fn check(response: Response) -> Result<Response, ApiError> {
    match response.status() {
        status if status.is_success() => Ok(response),
        StatusCode::NOT_FOUND => Err(ApiError::NotFound),
        StatusCode::CONFLICT => Err(ApiError::Exists { id: response.json::<Conflict>().await?.id }),
        StatusCode::UNPROCESSABLE_ENTITY => {
            Err(ApiError::Invalid { fields: response.json::<Rejection>().await?.errors })
        }
        status => {
            let hint = match status {
                StatusCode::UNAUTHORIZED => " Set `token` in the provider block, or DIRECTORY_TOKEN.",
                _ => "",
            };
            let body = response.text().await.unwrap_or_default();
            let detail = format!("The API returned {status}.{hint} {body}");
            Err(ApiError::Other(Diagnostic::error("API Error").detail(detail).into()))
        }
    }
}

impl From<Diagnostics> for ApiError {
    fn from(error: Diagnostics) -> ApiError {
        ApiError::Other(error)
    }
}

impl From<reqwest::Error> for ApiError {
    fn from(error: reqwest::Error) -> ApiError {
        ApiError::Other(error.into())
    }
}

/// Lets methods use `?`.
impl From<ApiError> for Diagnostics {
    fn from(error: ApiError) -> Diagnostics {
        match error {
            ApiError::NotFound => Diagnostic::error("User Not Found").into(),
            ApiError::Exists { id } => {
                let import = format!("To manage the existing user, import it with the ID {id:?}.");
                Diagnostic::error("User Already Exists").detail(import).at(path!(email)).into()
            }
            // The fields of the API have the names of the attributes.
            ApiError::Invalid { fields } => fields
                .into_iter()
                .map(|(field, reason)| {
                    Diagnostic::error("Invalid Value").detail(reason).at(Path::attribute(field))
                })
                .collect(),
            ApiError::Other(errors) => errors,
        }
    }
}
