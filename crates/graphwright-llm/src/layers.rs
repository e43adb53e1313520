//! The layers that every call of a model passes through. Each is a [`ChatModel`] around another.

mod breaker;
mod budget;
mod cache;
#[cfg(feature = "providers")]
mod embedding;
#[cfg(feature = "providers")]
mod gate;
mod lane;
mod limit;
mod pace;
mod price;
mod rate;
#[cfg(feature = "providers")]
mod reranking;
mod retry;
mod settings;
mod slow;
mod trace;
mod traffic;
mod validate;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures::StreamExt;

pub use self::{
    breaker::CircuitBreaker,
    budget::Budget,
    cache::{CacheSettings, ReplyCache},
    price::{Price, PriceTable, price_table_date},
    rate::RateLimits,
    settings::{EmbedderSettings, ModelSettings, ProviderSettings, RerankerSettings},
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
pub(crate) use self::{
    embedding::{EmbeddingCall, Embeddings},
    reranking::{RerankCall, Reranking},
};
use crate::{ChatModel, ChatReply, ChatStream, LlmError, ModelName, Result, StreamEvent};

/// Puts a model inside all layers.
///
/// From the outside in, the layers are:
///
/// 1. Trace: a call is traced as a whole.
/// 2. Cache: a remembered reply needs no budget, and only a checked reply is remembered.
/// 3. Validation: a reply is checked after its cost is counted, since a bad reply costs too.
/// 4. Budget and price.
/// 5. Circuit breaker: an address has failed when all tries of a call have.
/// 6. Retry: a retry waits without holding one of the places for calls at the same time.
/// 7. Calls at the same time.
/// 8. Rate: each try counts against it, and one that is asked to wait slows all down.
pub fn stack(model: impl ChatModel + 'static, settings: &ModelSettings) -> Result<Arc<dyn ChatModel>> {
    let price = price_within(&settings.budget, &settings.name, settings.price)?;
    let lane = settings.lane();
    let paced = Paced::new(model, Arc::clone(&lane));
    let limited = Limited::new(paced, Arc::clone(&lane));
    let retried = Retried::new(limited, RetryPolicy::new(settings.retries));
    let guarded = Guarded::new(retried, Arc::clone(&lane), settings.provider.breaker);
    let priced = Priced::new(guarded, price);
    let budgeted = Budgeted::new(priced, settings.budget.clone(), price);
    let validated = Validated::new(budgeted);
    let cached = Cached::new(validated, settings.cache.clone(), settings.origin());
    Ok(Arc::new(Traced::new(cached, settings.name.clone(), &lane.address, settings.trace_content)))
}

/// Returns the given price, else that of the built-in table.
///
/// Fails if neither is there and the budget limits dollars: such a budget cannot be kept without a
/// price.
fn price_within(budget: &Budget, name: &ModelName, given: Option<Price>) -> Result<Option<Price>> {
    let price = given.or_else(|| Price::for_model(name));
    if price.is_none() && budget.limits_cost() {
        return Err(LlmError::Configuration {
            message: format!(
                "the price of {name} is not known, so a budget in dollars cannot be kept; give its price, or a budget in tokens"
            ),
        });
    }
    Ok(price)
}

/// Puts a model within one more budget, as that of a single run.
///
/// The prices of the model's own layers count.
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
