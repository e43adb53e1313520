//! What functions return, as results of tools.

use std::convert::Infallible;

use serde::Serialize;

use super::{ToolError, ToolOutput};

/// What a model can be told.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be told to a model",
    note = "return text, or a type that implements `serde::Serialize`, or `ToolOutput`"
)]
pub trait IntoToolOutput {
    /// As a tool returns it.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}

impl<T: Serialize> IntoToolOutput for T {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        ToolOutput::of(&self)
    }
}

/// What a model can be told of a failure.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be told to a model as an error",
    note = "return `ToolError`, or a type that implements `std::error::Error`"
)]
pub trait IntoToolError {
    /// As a tool returns it.
    fn into_tool_error(self) -> ToolError;
}

impl<E: Into<ToolError>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// Whatever a function returned. [`split`](Self::split) of a `Result`, by whichever name, is that of its own; that of everything else is
/// the one of [`Infallibly`].
#[derive(Debug)]
pub struct Returned<T>(pub T);

impl<T, E> Returned<Result<T, E>> {
    /// The result itself.
    pub fn split(self) -> Result<T, E> {
        self.0
    }
}

/// What is returned and is no `Result`.
pub trait Infallibly<T> {
    /// A success.
    fn split(self) -> Result<T, Infallible>;
}

impl<T> Infallibly<T> for Returned<T> {
    fn split(self) -> Result<T, Infallible> {
        Ok(self.0)
    }
}

/// The result of a tool.
pub fn output<T: IntoToolOutput, E: IntoToolError>(returned: Result<T, E>) -> Result<ToolOutput, ToolError> {
    returned.map_err(IntoToolError::into_tool_error)?.into_tool_output()
}
