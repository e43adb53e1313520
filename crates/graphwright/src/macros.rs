//! The macros that make tools, with examples: these use this crate, which `graphwright-macros` cannot.

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
