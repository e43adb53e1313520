//! A toolbox with everything that parameters and methods may be.

use std::sync::Mutex;

use graphwright_agent::{ToolContext, ToolError, ToolErrorKind, Toolbox, toolbox};
use graphwright_answer::Event;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Book {
    title: String,
    price: f64,
    binding: Binding,
    /// Who wrote it.
    author: Option<Author>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Author {
    name: String,
    #[schemars(range(min = 1000, max = 2100))]
    born: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Binding {
    Hardcover,
    Paperback,
}

/// A shelf of shelves.
#[derive(Debug, Deserialize, JsonSchema)]
struct Shelf {
    books: Vec<Book>,
    #[serde(default)]
    shelves: Vec<Shelf>,
}

impl Shelf {
    fn count(&self) -> usize {
        self.books.len() + self.shelves.iter().map(Self::count).sum::<usize>()
    }
}

#[derive(Debug, Default)]
struct Bookshop {
    books: Mutex<Vec<Book>>,
}

type Answer<T> = Result<T, ToolError>;

#[toolbox(crate = graphwright_agent)]
impl Bookshop {
    /// Finds books whose title has
    /// a word, cheapest first.
    ///
    /// # Errors
    /// Never; the model is not told of this.
    #[tool(read_only)]
    async fn find_books(
        &self,
        /// A word of the title.
        word: String,
        /// Only with this binding.
        binding: Option<Binding>,
        /// How many at most.
        #[default(2)]
        #[range(1..=20)]
        limit: usize,
        /// The most that one may cost.
        #[range(0.0..=1000.0)]
        max_price: Option<f64>,
        /// Before which word of the alphabet.
        #[default("zz")]
        before: String,
    ) -> Vec<Book> {
        let books = self.books.lock().unwrap().clone();
        let mut found = std::future::ready(books).await;
        let fits = |book: &Book| {
            book.title.contains(&word)
                && binding.is_none_or(|binding| book.binding == binding)
                && max_price.is_none_or(|most| book.price <= most)
                && book.title < before
        };
        found.retain(fits);
        found.sort_by(|one, other| one.price.total_cmp(&other.price));
        found.truncate(limit);
        found
    }

    /// Puts a book on the shelf.
    #[tool(destructive = false, needs_approval, name = "add-book")]
    fn add(&self, context: &ToolContext, book: Book) -> Answer<String> {
        if book.price < 0.0 {
            return Err(ToolError::new("a price is not negative").with_hint("ask the customer"));
        }
        let text = format!("{} is on the shelf of {}", book.title, context.thread());
        self.books.lock().unwrap().push(book);
        context.emit(Event::Step { what: text.clone() });
        Ok(text)
    }

    /// Removes all books.
    #[tool]
    fn clear(&self) {
        self.books.lock().unwrap().clear();
    }

    /// Counts the books on a shelf and the shelves in it.
    #[tool(read_only, blocking)]
    fn count_books(shelf: Shelf) -> usize {
        shelf.count()
    }

    /// Reads a number as a clerk would.
    #[tool(idempotent, destructive = false)]
    fn read_number(r#type: u8, text: String) -> Result<i64, std::num::ParseIntError> {
        i64::from_str_radix(&text, u32::from(r#type))
    }
}

fn tools() -> Toolbox {
    let book = |title: &str, price, binding| Book { title: title.to_owned(), price, binding, author: None };
    let books = vec![
        book("Emma", 7.5, Binding::Paperback),
        book("Emma, annotated", 30.0, Binding::Hardcover),
        book("Emma, abridged", 3.0, Binding::Paperback),
    ];
    Toolbox::from_set(Bookshop { books: Mutex::new(books) }).unwrap()
}

#[test]
fn what_models_are_told() {
    insta::assert_json_snapshot!(tools().to_json());
}

async fn find(arguments: Value) -> Result<Vec<String>, ToolError> {
    let output = tools().call("find_books", arguments, &ToolContext::new("t")).await?;
    let books: Vec<Book> = serde_json::from_value(output.structured.unwrap()).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Value>>(&output.text).unwrap().len(), books.len());
    Ok(books.into_iter().map(|book| book.title).collect())
}

#[tokio::test]
async fn what_may_be_left_out_has_its_default() {
    let cheapest = ["Emma, abridged", "Emma"];
    for arguments in [
        json!({"word": "Emma"}),
        json!({"word": "Emma", "binding": null, "limit": null, "max_price": null, "before": null}),
        json!("{\"word\": \"Emma\"}"),
    ] {
        assert_eq!(find(arguments).await.unwrap(), cheapest);
    }
    let narrow = json!({"word": "Emma", "binding": "hardcover", "limit": 20, "max_price": 30});
    assert_eq!(find(narrow).await.unwrap(), ["Emma, annotated"]);
    assert_eq!(find(json!({"word": "Emma", "before": "Emma,"})).await.unwrap(), ["Emma"]);
}

#[tokio::test]
async fn malformed_calls_do_not_run() {
    let mut told = String::new();
    for arguments in [
        json!({}),
        json!({"word": 7}),
        json!({"word": "Emma", "limit": 0}),
        json!({"word": "Emma", "limit": 2.5, "max_price": 2000}),
        json!({"word": "Emma", "binding": "leather"}),
        json!({"word": "Emma", "author": "Austen"}),
    ] {
        let error = find(arguments).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::BadArguments);
        told.push_str(&format!("{}\n", error.message));
    }
    insta::assert_snapshot!(told);
}

#[tokio::test]
async fn nested_arguments_state_and_the_context() {
    let (tools, heard) = (tools(), std::sync::Arc::new(Mutex::new(Vec::new())));
    let listener = heard.clone();
    let context = ToolContext::new("shop").with_events(move |event| listener.lock().unwrap().push(event));
    let author = json!({"name": "Jane Austen", "born": null});
    let book = json!({"book": {"title": "Persuasion", "price": 5, "binding": "paperback", "author": author}});
    let added = tools.call("add-book", book, &context).await.unwrap();
    assert_eq!((added.text.as_str(), added.structured), ("Persuasion is on the shelf of shop", None));
    assert_eq!(*heard.lock().unwrap(), [Event::Step { what: added.text }]);
    let found = tools.call("find_books", json!({"word": "Per"}), &context).await.unwrap();
    assert_eq!(
        found.text,
        r#"[{"title":"Persuasion","price":5.0,"binding":"paperback","author":{"name":"Jane Austen","born":null}}]"#
    );
    let cleared = tools.call("clear", json!({}), &context).await.unwrap();
    assert_eq!(cleared.text, "nothing");
    assert_eq!(tools.call("find_books", json!({"word": ""}), &context).await.unwrap().text, "[]");
}

#[tokio::test]
async fn recursive_arguments_and_threads_of_their_own() {
    let book = json!({"title": "Emma", "price": 1, "binding": "hardcover"});
    let shelf = json!({"books": [book], "shelves": [{"books": [book, book]}]});
    let context = ToolContext::new("t");
    let counted = tools().call("count_books", json!({"shelf": shelf}), &context).await.unwrap();
    assert_eq!(counted.text, "3");
    let wrong = json!({"shelf": {"books": [], "shelves": [{"books": 1}]}});
    let error = tools().call("count_books", wrong, &context).await.unwrap_err();
    assert!(error.message.contains("at /shelf/shelves/0/books: 1 is not of type \"array\""), "{error}");
}

#[tokio::test]
async fn errors_are_told() {
    let call = async |name, arguments| tools().call(name, arguments, &ToolContext::new("t")).await;
    assert_eq!(call("read_number", json!({"type": 16, "text": "ff"})).await.unwrap().text, "255");
    let error = call("read_number", json!({"type": 10, "text": "ff"})).await.unwrap_err();
    assert_eq!(
        (error.kind, error.to_string().as_str()),
        (ToolErrorKind::Failed, "invalid digit found in string")
    );
    let book = json!({"book": {"title": "Emma", "price": -1, "binding": "hardcover"}});
    let error = call("add-book", book).await.unwrap_err();
    assert_eq!(error.to_string(), "a price is not negative\nHint: ask the customer");
}
