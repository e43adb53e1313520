//! Remembers replies, so that a question to a model is not paid twice.

mod folder;
#[cfg(test)]
mod tests;
mod worth;

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use futures::StreamExt;
use graphwright_core::cache::{BoundedCache, CacheKey};
use serde::Serialize;

use self::folder::Folder;
use crate::{ChatModel, ChatReply, ChatRequest, ChatStream, Result, StreamEvent, Usage};

/// Settings of a [`ReplyCache`]: how many replies to remember, where and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// The most bytes of replies in memory. The ones used least go first.
    pub memory_bytes: u64,
    /// A folder that keeps replies between runs, and that several processes may share. Memory alone
    /// without one.
    pub folder: Option<PathBuf>,
    /// The most bytes of replies in the folder. The oldest go first.
    pub folder_bytes: u64,
    /// The greatest age of a reply.
    pub max_age: Duration,
}

impl Default for CacheSettings {
    /// Keeps 64 MB in memory for 30 days, without a folder (256 MB if one is set).
    fn default() -> Self {
        Self {
            memory_bytes: 64_000_000,
            folder: None,
            folder_bytes: 256_000_000,
            max_age: Duration::from_hours(30 * 24),
        }
    }
}

/// Remembered replies, found by everything that they depend on: model, address and the whole
/// request.
///
/// Clones share the replies.
///
/// Only whole replies are kept: none that was cut off or stopped by a filter, and none that breaks
/// the schema of the reply or of a tool. A remembered reply costs nothing and says so
/// ([`Usage::cached_replies`]). Keys of providers are not stored, and requests only as a hash.
///
/// ```
/// use graphwright_llm::{CacheSettings, ModelSettings, ReplyCache};
///
/// let mut settings = ModelSettings::new("ollama/qwen3".parse()?);
/// settings.cache = Some(ReplyCache::open(&CacheSettings::default())?);
/// # Ok::<(), graphwright_llm::LlmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReplyCache {
    /// Replies as JSON.
    memory: BoundedCache<Arc<[u8]>>,
    folder: Option<Arc<Folder>>,
}

impl ReplyCache {
    /// Opens the cache. Creates the folder if one is set and missing.
    ///
    /// # Errors
    ///
    /// Returns [`LlmError::Configuration`](crate::LlmError::Configuration) if the folder cannot be
    /// written.
    pub fn open(settings: &CacheSettings) -> Result<Self> {
        let folder = settings.folder.as_deref();
        let open = |path| Folder::open(path, settings.folder_bytes, settings.max_age).map(Arc::new);
        let memory = BoundedCache::new(settings.memory_bytes, settings.max_age);
        Ok(Self { memory, folder: folder.map(open).transpose()? })
    }

    /// Returns the remembered reply, marked as such.
    async fn get(&self, key: CacheKey) -> Option<ChatReply> {
        let reply = match self.memory.get(key) {
            Some(reply) => reply,
            None => self.read_from_folder(key).await?,
        };
        let mut reply: ChatReply = serde_json::from_slice(&reply).ok()?;
        // Without a cost, the price would count as not known.
        let cost = reply.usage.cost.map(|_| 0.0);
        reply.usage = Usage { cost, cached_replies: 1, ..Usage::default() };
        Some(reply)
    }

    /// Reads a reply that an earlier run or another process remembered, and keeps it in memory.
    async fn read_from_folder(&self, key: CacheKey) -> Option<Arc<[u8]>> {
        let found = Arc::clone(self.folder.as_ref()?).read(key).await?;
        let reply: Arc<[u8]> = found.reply.into();
        let is_young = self.memory.insert_aged(key, Arc::clone(&reply), reply.len(), found.age);
        is_young.then_some(reply)
    }

    async fn put(&self, key: CacheKey, reply: &ChatReply) {
        let Ok(reply) = serde_json::to_vec(reply) else { return };
        let reply: Arc<[u8]> = reply.into();
        if let Some(folder) = &self.folder {
            Arc::clone(folder).write(key, Arc::clone(&reply)).await;
        }
        self.memory.insert(key, Arc::clone(&reply), reply.len());
    }
}

/// Everything that a reply depends on, and the format in which it is stored.
#[derive(Serialize)]
struct Question<'a> {
    format: u32,
    model: &'a str,
    address: &'a str,
    api_version: &'a str,
    wishes: &'a str,
    request: &'a ChatRequest,
}

/// The version of the format. It rises when replies of older versions of this program must not be
/// read.
const FORMAT: u32 = 2;

/// A model that gives remembered replies, and remembers those of the inner model.
#[derive(Debug)]
pub(super) struct Cached<M> {
    inner: M,
    cache: Option<ReplyCache>,
    origin: Origin,
}

/// From where replies come: the model, its address and the version of its interface.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) model: String,
    pub(super) address: String,
    pub(super) api_version: String,
    /// What the settings wish of its replies.
    pub(super) wishes: String,
}

impl<M> Cached<M> {
    pub(super) fn new(inner: M, cache: Option<ReplyCache>, origin: Origin) -> Self {
        Self { inner, cache, origin }
    }

    /// Returns the cache, the request's key in it, and the remembered reply if it may be used.
    async fn look_up(&self, request: &mut ChatRequest) -> Option<(ReplyCache, CacheKey, Option<ChatReply>)> {
        let cache = self.cache.clone()?;
        // Taken out before the key is made, so that a fresh reply replaces the remembered one.
        let fresh = std::mem::take(&mut request.fresh);
        let Origin { model, address, api_version, wishes } = &self.origin;
        let question = Question { format: FORMAT, model, address, api_version, wishes, request };
        let key = CacheKey::new(&question);
        let reply = if fresh { None } else { cache.get(key).await };
        Some((cache, key, reply))
    }
}

#[async_trait]
impl<M: ChatModel> ChatModel for Cached<M> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn chat(&self, mut request: ChatRequest) -> Result<ChatReply> {
        let Some((cache, key, remembered)) = self.look_up(&mut request).await else {
            return self.inner.chat(request).await;
        };
        if let Some(reply) = remembered {
            return Ok(reply);
        }
        let reply = self.inner.chat(request.clone()).await?;
        if worth::keeping(&request, &reply) {
            cache.put(key, &reply).await;
        }
        Ok(reply)
    }

    async fn stream(&self, mut request: ChatRequest) -> Result<ChatStream> {
        let Some((cache, key, remembered)) = self.look_up(&mut request).await else {
            return self.inner.stream(request).await;
        };
        if let Some(reply) = remembered {
            return Ok(reply.into_stream());
        }
        let stream = self.inner.stream(request.clone()).await?;
        let question = Arc::new((request, cache));
        Ok(stream
            .then(move |event| {
                let question = Arc::clone(&question);
                async move {
                    let (request, cache) = &*question;
                    if let Ok(StreamEvent::End(reply)) = &event
                        && worth::keeping(request, reply)
                    {
                        cache.put(key, reply).await;
                    }
                    event
                }
            })
            .boxed())
    }
}
