//! Conversion of what functions return into the results of tools.

use std::convert::Infallible;

use serde::Serialize;

use super::{ToolError, ToolOutput};

/// A value that a model can be told.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be told to a model",
    note = "return text, or a type that implements `serde::Serialize`, or `ToolOutput`"
)]
pub trait IntoToolOutput {
    /// Converts the value into the output of a tool.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}

impl<T: Serialize> IntoToolOutput for T {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        ToolOutput::from_value(&self)
    }
}

/// A failure that a model can be told.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be told to a model as an error",
    note = "return `ToolError`, or a type that implements `std::error::Error`"
)]
pub trait IntoToolError {
    /// Converts the failure into the error of a tool.
    fn into_tool_error(self) -> ToolError;
}

impl<E: Into<ToolError>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// The return value of a function, which [`split`](Self::split) turns into a `Result`.
///
/// The choice follows the type, so that aliases of `Result` work too. A `Result` has the inherent
/// method, which returns it as it is; every other type has that of [`Infallibly`], which makes it a
/// success.
#[derive(Debug)]
pub struct Returned<T>(pub T);

impl<T, E> Returned<Result<T, E>> {
    /// Returns the result itself.
    pub fn split(self) -> Result<T, E> {
        self.0
    }
}

/// Conversion of return values that are no `Result`.
pub trait Infallibly<T> {
    /// Returns the value as a success.
    fn split(self) -> Result<T, Infallible>;
}

impl<T> Infallibly<T> for Returned<T> {
    fn split(self) -> Result<T, Infallible> {
        Ok(self.0)
    }
}

/// Converts what a function returned into the result of a tool.
pub fn output<T: IntoToolOutput, E: IntoToolError>(returned: Result<T, E>) -> Result<ToolOutput, ToolError> {
    returned.map_err(IntoToolError::into_tool_error)?.into_tool_output()
}
