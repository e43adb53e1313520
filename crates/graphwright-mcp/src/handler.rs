//! Answers the requests of the protocol.

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, Implementation,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
        ServerConfig,
    },
    service::RequestContext,
};

use crate::{McpServer, library, prompts, tools};

/// A wrapper that implements the trait of the protocol's library.
#[derive(Clone, Debug)]
pub(crate) struct Handler(pub(crate) McpServer);

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_prompts();
        let capabilities = match self.0.library {
            Some(_) => capabilities.enable_resources().build(),
            None => capabilities.build(),
        };
        let info = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("graphwright", env!("CARGO_PKG_VERSION")));
        if self.0.instructions.is_empty() { info } else { info.with_instructions(&*self.0.instructions) }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list(&self.0.tools)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(tools::call(&self.0, request, context).await.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request)?.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        match &self.0.library {
            Some(library) => {
                library::in_time(&self.0.limits, &context.ct, library::list(&**library, request)).await
            }
            None => Ok(ListResourcesResult::default()),
        }
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = self.0.library.as_ref().map(|library| library::templates(&**library));
        Ok(ListResourceTemplatesResult::with_all_items(templates.unwrap_or_default()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let limits = &self.0.limits;
        match &self.0.library {
            Some(library) => {
                let text = library::read(&**library, request.uri, limits);
                Ok(library::in_time(limits, &context.ct, text).await?.into())
            }
            None => Err(library::not_found(&request.uri)),
        }
    }
}
