//! What every call of a model passes through: each layer is a [`ChatModel`] around another.

mod budget;
mod limit;
mod price;
mod retry;
mod trace;
mod validate;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures::StreamExt;

pub(crate) use self::retry::RetryPolicy;
pub use self::{
    budget::Budget,
    price::{Price, price_table_date},
};
use self::{
    budget::Budgeted, limit::Limited, price::Priced, retry::Retried, trace::Traced, validate::Validated,
};
use crate::{
    ChatModel, ChatReply, ChatStream, Embedder, EmbedderSettings, LlmError, ModelSettings, Result,
    StreamEvent,
    provider::{ProviderEmbedder, ProviderModel},
};

/// The model that the settings describe, inside all layers. No request is made.
pub fn connect(settings: &ModelSettings) -> Result<Arc<dyn ChatModel>> {
    stack(ProviderModel::new(&settings.name, &settings.provider)?, settings)
}

/// The embedder that the settings describe. No request is made.
pub fn connect_embedder(settings: &EmbedderSettings) -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(ProviderEmbedder::new(settings)?))
}

/// Puts a model inside all layers, in their order.
///
/// A call is traced as a whole; its reply is checked after its cost is counted, since a bad reply costs too; a
/// retry waits without holding one of the places for calls at the same time.
pub fn stack(model: impl ChatModel + 'static, settings: &ModelSettings) -> Result<Arc<dyn ChatModel>> {
    let price = settings.price.or_else(|| Price::of(&settings.name));
    if price.is_none() && settings.budget.limits_cost() {
        return Err(LlmError::Configuration {
            message: format!(
                "the price of {} is not known, so a budget in dollars cannot be kept; give its price, or a budget in tokens",
                settings.name
            ),
        });
    }
    let limited = Limited::new(model, settings.concurrency);
    let retried = Retried::new(limited, RetryPolicy::new(settings.retries));
    let priced = Priced::new(retried, price);
    let budgeted = Budgeted::new(priced, settings.budget.clone(), price);
    let validated = Validated::new(budgeted);
    Ok(Arc::new(Traced::new(validated, settings.trace_content)))
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
