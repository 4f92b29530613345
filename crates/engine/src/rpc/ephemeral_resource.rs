//! OpenEphemeralResource, RenewEphemeralResource and CloseEphemeralResource.
//!
//! Terraform opens an ephemeral resource whenever it needs its values, renews it at the time that the provider states,
//! and closes it at the end. The values are never stored. Private data, which only the provider reads, connects the
//! three requests.
//!
//! An opened resource is always closed:
//!
//! | situation | `close` is called by |
//! |---|---|
//! | `open` returns | Terraform |
//! | `open` fails, panics or is interrupted after it has recorded private data | the engine, before it responds |
//! | `open` returns values that do not conform to the schema | the engine, before it responds |
//! | Terraform ends or is killed before it has closed the resource | the engine, immediately |

use std::sync::PoisonError;
use std::time::{Duration, SystemTime};

use ferroform_value::Value;
use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use crate::concurrency::run_until::run_until;
use crate::concurrency::stop::with_cancellation;
use crate::contract;
use crate::failed_check::provider_bug;
use crate::normalization;
use crate::provider::{AnyEphemeralResource, AnyOpened};
use crate::redaction::SensitiveValues;
use crate::request::open_resource::{OpenResource, with_id_of};
use crate::rpc::respond::response;
use crate::run_method::{Effect, catch_panics, run};
use crate::state::overlay;
use crate::timeouts::Operation;
use crate::{Deferral, Diagnostic, Diagnostics, ProviderServer, RequestContext, Result, RpcMetadata};

/// How long `close` may take if the engine calls it.
const CLOSE_LIMIT: Duration = Duration::from_secs(20);

/// The result of opening an ephemeral resource.
#[derive(Clone, Debug, Default)]
pub struct OpenResponse {
    /// The values; unknown if the resource is deferred, `None` after an error.
    pub result: Option<Value>,
    /// The data for `renew` and `close`.
    pub private: Vec<u8>,
    /// The time of the renewal; `None` if the values stay valid.
    pub renew_at: Option<SystemTime>,
    /// The reason for the deferral, if the resource is deferred.
    pub deferred: Option<Deferral>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// The result of renewing an ephemeral resource.
#[derive(Clone, Debug, Default)]
pub struct RenewResponse {
    /// The data for the next `renew`, and for `close`.
    pub private: Vec<u8>,
    /// The time of the next renewal; `None` if there is none.
    pub renew_at: Option<SystemTime>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

response!(OpenResponse, result);
response!(RenewResponse);

impl ProviderServer {
    /// Opens an ephemeral resource with this configuration.
    pub async fn open_ephemeral_resource(
        &self,
        type_name: &str,
        config: Value,
        metadata: &RpcMetadata,
    ) -> OpenResponse {
        let operation = format!("opening {type_name}");
        let (resource, masked) =
            self.mask_request::<dyn AnyEphemeralResource>(type_name, metadata, [&config]);
        masked
            .respond(&operation, OpenResponse::default(), async |response, sensitive| {
                let resource = resource?;
                let opened = self.open_into(&*resource, type_name, &config, metadata, response, sensitive);
                response.result = Some(opened.await?);
                Ok(())
            })
            .await
    }

    async fn open_into(
        &self,
        resource: &dyn AnyEphemeralResource,
        type_name: &str,
        config: &Value,
        metadata: &RpcMetadata,
        response: &mut OpenResponse,
        sensitive: &mut SensitiveValues,
    ) -> Result<Value> {
        let block = &resource.schema().block;
        let config = normalization::with_defaults(block, config)?;
        response.deferred = self.deferral_reason(metadata, false);
        if response.deferred.is_some() {
            return Ok(Value::UNKNOWN);
        }
        let cx = self.request_context(sensitive, metadata)?;
        cx.set_timeout(block, Operation::Open, &config);
        let method = resource.open(cx.clone(), config.clone());
        let operation = format!("opening {type_name}");
        let opened = run(&cx, &operation, Effect::Opens, method, &mut response.diagnostics).await;
        response.deferred = cx.allowed_deferral();
        let Some(opened) = opened.filter(|_| response.deferred.is_none()) else {
            if let Some(private) = cx.take_opened() {
                let open = OpenResource::new(type_name, &config, private, resource.private_type(), sensitive);
                response.diagnostics.extend(self.close_unattended(open).await);
            }
            return match response.deferred {
                Some(_) => Ok(Value::UNKNOWN),
                None => Err(std::mem::take(&mut response.diagnostics)),
            };
        };
        let AnyOpened { computed, private, renew_at } = opened;
        let result = overlay::with_computed_values(block, &config, &config, computed);
        sensitive.add(block, &result);
        let open = OpenResource::new(type_name, &result, private, resource.private_type(), sensitive);
        let mut violations = contract::check_state(block, &result);
        if renew_at.is_some() && !resource.capabilities().renew {
            violations.push(missing_renew_error(type_name));
        }
        if !violations.is_empty() {
            violations.extend(self.close_unattended(open).await);
            return Err(violations);
        }
        response.private = open.sent();
        self.opened().push(open);
        response.renew_at = renew_at;
        Ok(result)
    }

    /// Renews an ephemeral resource.
    pub async fn renew_ephemeral_resource(&self, type_name: &str, private: Vec<u8>) -> RenewResponse {
        let response = RenewResponse { private: private.clone(), ..RenewResponse::default() };
        let (resource, masked) = self.mask_request::<dyn AnyEphemeralResource>(type_name, None, []);
        let operation = format!("renewing {type_name}");
        masked
            .respond(&operation, response, async |response, sensitive| {
                let resource = resource?;
                if !resource.capabilities().renew {
                    return Err(missing_renew_error(type_name).into());
                }
                let cx = self.non_deferrable_context(sensitive, &RpcMetadata::default())?;
                let (newest, values) = match self.opened().iter().find(|it| it.is(type_name, &private)) {
                    Some(open) => (open.private_for_request(sensitive), open.values().clone()),
                    None => {
                        let ty = resource.private_type();
                        let open = OpenResource::of_private_data(type_name, &private, ty, sensitive);
                        (open.newest(), Value::Null)
                    }
                };
                cx.set_timeout(&resource.schema().block, Operation::Renew, &values);
                let method = resource.renew(cx.clone(), newest);
                let renewed = run(&cx, &operation, Effect::Opens, method, &mut response.diagnostics).await;
                let Some(renewed) = renewed else { return Ok(()) };
                response.private = with_id_of(&private, &renewed.private);
                if let Some(open) = self.opened().iter_mut().find(|it| it.is(type_name, &private)) {
                    open.add(renewed.private);
                    sensitive.add_strings(open.sensitive().strings());
                }
                response.renew_at = renewed.renew_at;
                Ok(())
            })
            .await
    }

    /// Closes an ephemeral resource. Returns the errors and warnings.
    pub async fn close_ephemeral_resource(&self, type_name: &str, private: Vec<u8>) -> Diagnostics {
        let open = self.take_open(type_name, &private);
        let (resource, masked) = self.mask_request::<dyn AnyEphemeralResource>(type_name, None, []);
        masked
            .respond(&format!("closing {type_name}"), Diagnostics::new(), async |diagnostics, sensitive| {
                let private_type = resource?.private_type();
                let open = open.unwrap_or_else(|| {
                    OpenResource::of_private_data(type_name, &private, private_type, sensitive)
                });
                let newest = open.private_for_request(sensitive);
                let cx = self.non_deferrable_context(sensitive, &RpcMetadata::default())?;
                diagnostics.extend(self.close(&cx, type_name, open.values(), newest).await);
                Ok(())
            })
            .await
    }

    /// Closes the ephemeral resources that Terraform has opened and not closed, because it ended early: all at the same
    /// time, because the process ends soon.
    pub async fn close_all_ephemeral_resources(&self) {
        let opened = std::mem::take(&mut *self.opened());
        for diagnostics in join_all(opened.into_iter().map(|open| self.close_unattended(open))).await {
            diagnostics.iter().for_each(|it| tracing::error!("{it}"));
        }
    }

    /// Closes an ephemeral resource without a request from Terraform. Stop does not cancel it.
    async fn close_unattended(&self, open: OpenResource) -> Diagnostics {
        let type_name = open.type_name();
        let close = with_cancellation(CancellationToken::new(), async {
            let cx = self.unattended_context(open.sensitive());
            let limit = self.clock.timer(CLOSE_LIMIT);
            Ok(run_until(self.close(&cx, type_name, open.values(), open.newest()), limit).await)
        });
        let mut diagnostics = match catch_panics(&format!("closing {type_name}"), close).await {
            Ok(Some(diagnostics)) => diagnostics,
            Ok(None) => {
                let detail = format!("Closing {type_name} took more than {} s.", CLOSE_LIMIT.as_secs());
                Diagnostic::error("Ephemeral Resource Not Closed").detail(detail).into()
            }
            Err(errors) => errors,
        };
        open.sensitive().mask(&mut diagnostics);
        diagnostics
    }

    async fn close(
        &self,
        cx: &RequestContext,
        type_name: &str,
        values: &Value,
        private: Vec<u8>,
    ) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let resource = match self.find::<dyn AnyEphemeralResource>(type_name) {
            Ok(resource) => resource.clone(),
            Err(errors) => return errors,
        };
        // Terraform requests it for every ephemeral resource.
        if resource.capabilities().close {
            cx.set_timeout(&resource.schema().block, Operation::Close, values);
            let method = resource.close(cx.clone(), private);
            run(cx, &format!("closing {type_name}"), Effect::Closes, method, &mut diagnostics).await;
        }
        diagnostics
    }

    /// Removes an ephemeral resource from those that are open.
    fn take_open(&self, type_name: &str, private: &[u8]) -> Option<OpenResource> {
        let mut opened = self.opened();
        let at = opened.iter().position(|it| it.is(type_name, private))?;
        Some(opened.swap_remove(at))
    }

    fn opened(&self) -> std::sync::MutexGuard<'_, Vec<OpenResource>> {
        // Every change is a single push, removal or assignment.
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error about a renewal of a resource that cannot be renewed.
fn missing_renew_error(type_name: &str) -> Diagnostic {
    let message = format!("{type_name} returned a renewal time, but does not implement `renew`");
    provider_bug("Ephemeral Resource Renew Not Implemented", message)
}
