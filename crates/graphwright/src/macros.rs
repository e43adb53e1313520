//! The macros that make tools, with examples: these use this crate, which `graphwright-macros` cannot.

/// Makes a tool of a function: `sum` stays as it is, and `sum_tool()` returns the tool.
///
/// The model is told the function's doc comment as the description. For each parameter it is told
/// the doc comment and a JSON Schema of the type (`schemars::JsonSchema`); the values come by
/// `serde::Deserialize`. The function may be `async`.
///
/// - A parameter of type `Option<…>` or with a `#[default(…)]` may be left out. `#[range(1..=50)]`
///   bounds a number.
/// - A parameter `&ToolContext` is given by whoever runs the tool. The model does not see it.
/// - The function returns text, anything that is `serde::Serialize`, or a `ToolOutput`. If it
///   returns a `Result`, the model is told the error, which is any `std::error::Error`, or a
///   `ToolError` with a hint.
/// - Marks tell what a call may do: `#[tool(read_only)]`, `destructive`, `idempotent`,
///   `needs_approval`, each also as `destructive = false`.
/// - `blocking` is for a function that keeps its thread busy, and gives it a thread of its own.
/// - `time_limit = 300` sets the longest time of a call, in seconds.
/// - `name = "…"` sets the tool's name, instead of the function's own.
/// - `crate = path` names the crate of the support code.
///
/// ```
/// use graphwright::{ToolContext, Toolbox, tool};
///
/// /// Adds numbers.
/// #[tool(read_only)]
/// fn sum(
///     /// What to add.
///     numbers: Vec<f64>,
///     /// How many digits to keep behind the point.
///     #[default(2)]
///     #[range(0..=9)]
///     digits: usize,
/// ) -> String {
///     format!("{:.digits$}", numbers.iter().sum::<f64>())
/// }
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let tools = Toolbox::new().with(sum_tool())?;
/// let arguments = serde_json::json!({"numbers": [1, 2.5]});
/// let output = tools.call("sum", arguments, &ToolContext::new("thread-1")).await.unwrap();
/// assert_eq!(output.text, "3.50");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// A tool that a model could not call does not compile: a function without a description,
///
/// ```compile_fail
/// #[graphwright::tool]
/// fn sum(a: f64, b: f64) -> f64 {
///     a + b
/// }
/// ```
///
/// a parameter whose type has no JSON Schema,
///
/// ```compile_fail,E0277
/// struct Number(f64);
///
/// /// Doubles a number.
/// #[graphwright::tool]
/// fn double(number: Number) -> f64 {
///     number.0 * 2.0
/// }
/// ```
///
/// a result that cannot be told to the model,
///
/// ```compile_fail,E0277
/// struct Number(f64);
///
/// /// Doubles a number.
/// #[graphwright::tool]
/// fn double(number: f64) -> Number {
///     Number(number * 2.0)
/// }
/// ```
///
/// an error that cannot be told to the model,
///
/// ```compile_fail,E0277
/// /// Halves a number.
/// #[graphwright::tool]
/// fn half(number: u64) -> Result<u64, String> {
///     if number % 2 == 0 { Ok(number / 2) } else { Err("odd".to_owned()) }
/// }
/// ```
///
/// or a range of a type that is no number.
///
/// ```compile_fail,E0277
/// /// Says it.
/// #[graphwright::tool]
/// fn say(#[range(1..=5)] text: String) -> String {
///     text
/// }
/// ```
#[doc(inline)]
pub use graphwright_agent::tool;

/// Makes tools of the methods of a type that are marked `#[tool]`.
///
/// The methods take `&self` or no `self` at all. The type becomes a `Toolset`, which `Toolbox::from_set`
/// takes. See [`macro@tool`] for what a method may be.
///
/// Marks of the toolbox, as in `#[toolbox(read_only)]`, are those of its tools unless they say
/// otherwise.
///
/// ```
/// use graphwright::{ToolContext, Toolbox, toolbox};
///
/// struct Shelf {
///     books: Vec<String>,
/// }
///
/// #[toolbox(read_only)]
/// impl Shelf {
///     /// Finds books by a word of their title.
///     #[tool]
///     async fn find(&self, word: String) -> Vec<&str> {
///         self.books.iter().map(String::as_str).filter(|title| title.contains(&word)).collect()
///     }
/// }
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let tools = Toolbox::from_set(Shelf { books: vec!["Emma".to_owned(), "Persuasion".to_owned()] })?;
/// let arguments = serde_json::json!({"word": "mm"});
/// let found = tools.call("find", arguments, &ToolContext::new("thread-1")).await.unwrap();
/// assert_eq!(found.text, r#"["Emma"]"#);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// Calls run beside each other, so a method that wants `&mut self` does not compile.
///
/// ```compile_fail
/// struct Counter(u64);
///
/// #[graphwright::toolbox]
/// impl Counter {
///     /// Counts on.
///     #[tool]
///     fn count(&mut self) -> u64 {
///         self.0 += 1;
///         self.0
///     }
/// }
/// ```
#[doc(inline)]
pub use graphwright_agent::toolbox;
