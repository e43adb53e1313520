//! Texts that clients can read.

use std::fmt::Debug;

use async_trait::async_trait;
use graphwright::CancellationToken;
use rmcp::{
    ErrorData,
    model::{
        ListResourcesResult, PaginatedRequestParams, ReadResourceResult, Resource as WireResource,
        ResourceContents, ResourceTemplate as WireTemplate,
    },
};

use crate::McpLimits;

/// Number of texts on one page of the list.
const PAGE: usize = 100;

/// An entry in the list of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Address of the text, such as `graphwright://schema`. For a family of texts, a template of
    /// RFC 6570, such as `graphwright://document/{id}`.
    pub address: String,
    /// Name for people.
    pub name: String,
    /// What the text is.
    pub description: String,
    /// Media type of the text.
    pub media_type: String,
}

/// A text with its media type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceText {
    /// The text.
    pub text: String,
    /// Media type of the text.
    pub media_type: String,
}

/// A library of texts that clients can read by address.
#[async_trait]
pub trait Library: Debug + Send + Sync {
    /// Returns the families of texts.
    fn templates(&self) -> Vec<Resource>;

    /// Lists at most `limit` texts after the first `skip`. The error says in words what is wrong.
    async fn list(&self, skip: usize, limit: usize) -> Result<Vec<Resource>, String>;

    /// Reads a text, or returns `None` if there is none at this address. The error says in words
    /// what is wrong.
    async fn read(&self, address: &str) -> Result<Option<ResourceText>, String>;
}

pub(crate) async fn list(
    library: &dyn Library,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let cursor = request.and_then(|request| request.cursor);
    let skip = match cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| {
            ErrorData::invalid_params(format!("the cursor `{cursor}` is none that was given out"), None)
        })?,
    };
    // One more than a page tells whether there is another page.
    let mut found = library.list(skip, PAGE + 1).await.map_err(failed)?;
    let more = found.len() > PAGE;
    found.truncate(PAGE);
    let mut page = ListResourcesResult::with_all_items(found.into_iter().map(resource).collect());
    page.next_cursor = more.then(|| (skip + PAGE).to_string());
    Ok(page)
}

pub(crate) fn templates(library: &dyn Library) -> Vec<WireTemplate> {
    let templates = library.templates().into_iter().map(|template| {
        WireTemplate::new(template.address, template.name)
            .with_description(template.description)
            .with_mime_type(template.media_type)
    });
    templates.collect()
}

pub(crate) async fn read(
    library: &dyn Library,
    address: String,
    limits: &McpLimits,
) -> Result<ReadResourceResult, ErrorData> {
    match library.read(&address).await.map_err(failed)? {
        Some(ResourceText { text, media_type }) => {
            let text = cut(text, limits.resource_bytes);
            let contents = ResourceContents::text(text, address).with_mime_type(media_type);
            Ok(ReadResourceResult::new(vec![contents]))
        }
        None => Err(not_found(&address)),
    }
}

fn cut(text: String, bytes: usize) -> String {
    if text.len() <= bytes {
        return text;
    }
    let shown = &text[..text.floor_char_boundary(bytes)];
    format!("{shown}\n[cut: {} of {} bytes are shown]", shown.len(), text.len())
}

/// Runs `work` until the time limit or until the request is cancelled.
pub(crate) async fn in_time<T>(
    limits: &McpLimits,
    cancellation: &CancellationToken,
    work: impl Future<Output = Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    let work = tokio::time::timeout(limits.time, work);
    match cancellation.run_until_cancelled(work).await {
        Some(Ok(result)) => result,
        Some(Err(_)) => Err(failed(format!("it was not read within {} s", limits.time.as_secs_f64()))),
        None => Err(failed("the request was cancelled".to_owned())),
    }
}

pub(crate) fn not_found(address: &str) -> ErrorData {
    ErrorData::resource_not_found(
        format!("there is nothing at `{address}`; list the resources to see what there is"),
        None,
    )
}

fn failed(message: String) -> ErrorData {
    ErrorData::internal_error(message, None)
}

fn resource(resource: Resource) -> WireResource {
    WireResource::new(resource.address, resource.name)
        .with_description(resource.description)
        .with_mime_type(resource.media_type)
}
