//! Turns settings into a reranker.

use std::{path::Path, sync::Arc};

use graphwright_llm::{Budget, ChatModel, ListwiseReranker, ModelName, Reranker};
#[cfg(feature = "models")]
use graphwright_llm::{RerankerSettings, connect_reranker};

#[cfg(feature = "models")]
use super::{limits, provider};
use super::{model_folder, unknown};
use crate::{Error, Result, Settings};

/// The organisation meant by a reranker's name without `/`.
const ORGANISATION: &str = "cross-encoder";

/// Connects to the reranker of the settings, if they name one. It may be one of the chat models.
pub(super) fn connect(
    settings: &Settings,
    model: Option<&Arc<dyn ChatModel>>,
    judge: Option<&Arc<dyn ChatModel>>,
    budget: &Budget,
) -> Result<Option<Arc<dyn Reranker>>> {
    let Some(name) = settings.reranker.as_deref().filter(|name| *name != "none") else { return Ok(None) };
    let chat = |model: Option<&Arc<dyn ChatModel>>| -> Result<Arc<dyn Reranker>> {
        let model = model.ok_or_else(|| Error::Settings {
            message: format!("the {name} is to rank, and no {name} is set"),
            hint: format!("set `{name}` to provider/model, or name another reranker (docs/models.md)"),
        })?;
        Ok(Arc::new(ListwiseReranker::new(Arc::clone(model))))
    };
    let reranker = match (name, model_folder(settings, name, ORGANISATION)) {
        ("model", _) => chat(model),
        ("judge", _) => chat(judge),
        (_, Some(folder)) => cross_encoder(&folder),
        (_, None) => match name.parse::<ModelName>() {
            Ok(name) => of_provider(settings, name, budget),
            Err(_) => {
                Err(unknown("reranker", name, "none, model, judge, the folder or name of a cross-encoder"))
            }
        },
    };
    reranker.map(Some)
}

#[cfg(not(feature = "models"))]
fn of_provider(_: &Settings, name: ModelName, _: &Budget) -> Result<Arc<dyn Reranker>> {
    Err(Error::without_feature(&format!("the reranker {name}"), "models"))
}

#[cfg(feature = "models")]
fn of_provider(settings: &Settings, name: ModelName, budget: &Budget) -> Result<Arc<dyn Reranker>> {
    let limits = limits(settings, name.provider);
    let mut reranker = RerankerSettings::new(name);
    reranker.provider = provider(settings, reranker.name.provider)?;
    reranker.budget = budget.clone();
    reranker.price = settings.prices.price(&reranker.name);
    reranker.concurrency = limits.concurrency.unwrap_or(reranker.concurrency);
    reranker.retries = limits.retries.unwrap_or(reranker.retries);
    Ok(connect_reranker(&reranker)?)
}

#[cfg(feature = "sentence-transformers")]
fn cross_encoder(folder: &Path) -> Result<Arc<dyn Reranker>> {
    Ok(Arc::new(graphwright_llm::CrossEncoder::open(folder)?))
}

#[cfg(not(feature = "sentence-transformers"))]
fn cross_encoder(folder: &Path) -> Result<Arc<dyn Reranker>> {
    Err(Error::without_sentence_transformers(&format!("the model in {}", folder.display())))
}

#[cfg(all(test, feature = "models"))]
mod tests {
    use graphwright_llm::ScriptedModel;

    use super::*;
    use crate::Secret;

    fn named(name: &str, model: Option<&Arc<dyn ChatModel>>) -> Result<Option<Arc<dyn Reranker>>> {
        let mut settings = Settings::at("unused").reranker(name);
        settings.credentials.insert("COHERE_API_KEY".to_owned(), Secret::from("k"));
        connect(&settings, model, None, &Budget::default())
    }

    #[test]
    fn a_reranker_is_a_chat_model_or_a_provider_s() {
        assert!(connect(&Settings::at("unused"), None, None, &Budget::default()).unwrap().is_none());
        assert!(named("none", None).unwrap().is_none());
        let model: Arc<dyn ChatModel> = Arc::new(ScriptedModel::replies(["[1]"]));
        assert_eq!(named("model", Some(&model)).unwrap().unwrap().name(), "scripted/model");
        assert_eq!(named("cohere/rerank-v3.5", None).unwrap().unwrap().name(), "cohere/rerank-v3.5");
    }

    #[test]
    fn a_reranker_that_is_not_there_says_what_is_missing() {
        for (name, message, hint) in [
            ("judge", "the judge is to rank, and no judge is set", "set `judge`"),
            ("jina/jina-reranker-v3", "the key of jina is missing", "set JINA_API_KEY"),
            ("tei/bge", "tei needs an address, as http://localhost:8080/", ""),
            ("ms-marco", "there is no reranker \"ms-marco\"", "name none, model, judge"),
            ("cross-encoder/ms-marco", "there is no reranker", "pull cross-encoder/ms-marco"),
        ] {
            let error = named(name, None).map(|_| ()).unwrap_err();
            assert!(error.to_string().starts_with(message), "{error}");
            assert!(error.hint().unwrap_or_default().contains(hint), "{:?}", error.hint());
        }
    }
}
