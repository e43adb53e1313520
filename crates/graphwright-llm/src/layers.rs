//! What every call of a model passes through: each layer is a [`ChatModel`] around another.

mod breaker;
mod budget;
mod cache;
#[cfg(feature = "providers")]
mod embedding;
mod limit;
mod pace;
mod price;
mod retry;
mod trace;
mod traffic;
mod validate;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures::StreamExt;

#[cfg(feature = "providers")]
use self::embedding::Embeddings;
pub use self::{
    breaker::CircuitBreaker,
    budget::Budget,
    cache::{CacheSettings, ReplyCache},
    pace::RateLimits,
    price::{Price, PriceTable, price_table_date},
    traffic::Traffic,
};
use self::{
    breaker::Guarded,
    budget::Budgeted,
    cache::Cached,
    limit::Limited,
    pace::Paced,
    price::Priced,
    retry::{Retried, RetryPolicy},
    trace::Traced,
    validate::Validated,
};
#[cfg(feature = "providers")]
pub(crate) use self::{embedding::EmbeddingCall, traffic::public_address};
use crate::{ChatModel, ChatReply, ChatStream, LlmError, ModelName, ModelSettings, Result, StreamEvent};
#[cfg(feature = "providers")]
use crate::{
    Embedder, EmbedderSettings,
    provider::{ProviderEmbedder, ProviderModel},
};

#[cfg(feature = "providers")]
/// The model that the settings describe, inside all layers. No request is made.
pub fn connect(settings: &ModelSettings) -> Result<Arc<dyn ChatModel>> {
    stack(ProviderModel::new(&settings.name, &settings.provider)?, settings)
}

#[cfg(feature = "providers")]
/// The embedder that the settings describe, inside all layers that concern it. No request is made.
pub fn connect_embedder(settings: &EmbedderSettings) -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(Embeddings::new(ProviderEmbedder::new(settings)?, settings)?))
}

/// Puts a model inside all layers, in their order.
///
/// A call is traced as a whole; a remembered reply needs no budget, and only a checked one is remembered; it is checked after its cost is counted, since a bad reply costs too; an address
/// has failed when all tries of a call have; a retry waits without holding one of the places for calls at the same
/// time; each try counts against the rate.
pub fn stack(model: impl ChatModel + 'static, settings: &ModelSettings) -> Result<Arc<dyn ChatModel>> {
    let price = price_within(&settings.budget, &settings.name, settings.price)?;
    let lane = settings.traffic.lane(&settings.name, &settings.provider);
    let paced = Paced::new(model, Arc::clone(&lane));
    let limited = Limited::new(paced, settings.concurrency);
    let retried = Retried::new(limited, RetryPolicy::new(settings.retries));
    let guarded = Guarded::new(retried, Arc::clone(&lane), settings.provider.breaker);
    let priced = Priced::new(guarded, price);
    let budgeted = Budgeted::new(priced, settings.budget.clone(), price);
    let validated = Validated::new(budgeted);
    let cached = Cached::new(validated, settings);
    Ok(Arc::new(Traced::new(cached, settings.name.clone(), &lane.address, settings.trace_content)))
}

/// The price that is given, else that of the built-in table; a budget in dollars cannot be kept without one.
fn price_within(budget: &Budget, name: &ModelName, given: Option<Price>) -> Result<Option<Price>> {
    let price = given.or_else(|| Price::of(name));
    if price.is_none() && budget.limits_cost() {
        return Err(LlmError::Configuration {
            message: format!(
                "the price of {name} is not known, so a budget in dollars cannot be kept; give its price, or a budget in tokens"
            ),
        });
    }
    Ok(price)
}

/// The same model within one more budget, as that of a single run. The prices of the model's own layers count.
pub fn within_budget(model: Arc<dyn ChatModel>, budget: Budget) -> Arc<dyn ChatModel> {
    Arc::new(Budgeted::new(model, budget, None))
}

/// Lets a layer change the whole reply at the end of a stream.
fn at_end(
    stream: ChatStream,
    mut change: impl FnMut(&mut ChatReply) -> Result<()> + Send + 'static,
) -> ChatStream {
    stream
        .map(move |event| match event? {
            StreamEvent::End(mut reply) => {
                change(&mut reply)?;
                Ok(StreamEvent::End(reply))
            }
            event => Ok(event),
        })
        .boxed()
}
