//! Reads the rows of a table one at a time: `<posts><row Id="1" …/><row Id="2" …/></posts>`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use graphwright::exchange::{InputProblem, ProblemKind};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

/// Maximum bytes of a row. The longest post of any site has a few hundred thousand bytes.
const LONGEST_ROW: u64 = 16 << 20;
const BUFFER: usize = 1 << 16;

/// A reader of a table, which holds one row at a time.
pub(super) struct Rows {
    file: String,
    reader: Reader<Input>,
    buffer: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    After,
}

/// A row with its attributes.
pub(super) struct Row<'a> {
    pub(super) file: &'a str,
    /// Line of the row, from 1.
    pub(super) line: u64,
    attributes: Vec<(String, String)>,
}

impl Rows {
    pub(super) fn open(path: &Path) -> Result<Self, InputProblem> {
        let file = path
            .file_name()
            .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        let input = File::open(path).map_err(|error| {
            let (message, hint) =
                (format!("it cannot be read: {error}"), "check that it exists and you may read it");
            problem(&path.display().to_string(), 0, ProblemKind::Form, message, hint)
        })?;
        let input = Input { inner: BufReader::with_capacity(BUFFER, input), lines: 1, since: 0 };
        Ok(Self { file, reader: Reader::from_reader(input), buffer: Vec::new(), state: State::Before })
    }

    /// Reads the next row. Returns `None` after the last.
    ///
    /// # Errors
    /// A problem of the kind [`Form`](ProblemKind::Form) ends the reading. After any other problem,
    /// the next row can be read.
    pub(super) fn next_row(&mut self) -> Result<Option<Row<'_>>, InputProblem> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().since = 0;
            let line = self.reader.get_ref().lines;
            let form =
                |message: String, hint: &str| problem(&self.file, line, ProblemKind::Form, message, hint);
            let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| {
                let message = match &error {
                    quick_xml::Error::Syntax(_) => format!(
                        "the file ends in the middle of what begins here, or a quote is missing ({error})"
                    ),
                    quick_xml::Error::Io(error) => error.to_string(),
                    error => format!("this is not XML: {error}"),
                };
                form(message, "download or unpack the dump again")
            })?;
            match (event, self.state) {
                (Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_), _) => {}
                (Event::Text(text), _) if text.trim().is_empty() => {}
                (Event::Start(_), State::Before) => self.state = State::Inside,
                (Event::Empty(row), State::Inside) if row.name().as_ref() == "row" => {
                    let attributes = attributes(&row).map_err(|fault| fault.at(&self.file, line))?;
                    return Ok(Some(Row { file: &self.file, line, attributes }));
                }
                (Event::Empty(_), State::Before) | (Event::End(_), State::Inside) => {
                    self.state = State::After;
                }
                (Event::Eof, State::After) => return Ok(None),
                (Event::Eof, State::Before) => {
                    return Err(form("the file holds no table".to_owned(), "unpack the dump again"));
                }
                (Event::Eof, State::Inside) => {
                    let message = "the file ends before the end of its table: it was cut".to_owned();
                    return Err(form(message, "download or unpack the dump again"));
                }
                (other, _) => {
                    let message = format!("there is {} where a row should be", named(&other));
                    return Err(form(message, "a table holds nothing but `<row …/>`; see README.md"));
                }
            }
        }
    }
}

impl Row<'_> {
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns a text that the row must have.
    pub(super) fn wanted(&self, name: &str) -> Result<&str, InputProblem> {
        self.text(name).ok_or_else(|| self.bad(format!("the row has no `{name}`")))
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<i64>, InputProblem> {
        let number = |text: &str| {
            text.trim()
                .parse()
                .map_err(|_| self.bad(format!("`{name}` is not a whole number: {:?}", shortened(text))))
        };
        self.text(name).map(number).transpose()
    }

    /// Returns the row's `Id`.
    pub(super) fn id(&self) -> Result<i64, InputProblem> {
        self.number("Id")?
            .ok_or_else(|| self.problem(ProblemKind::MissingId, "the row has no `Id`".to_owned()))
    }

    /// Creates a problem with a value of this row.
    pub(super) fn bad(&self, message: String) -> InputProblem {
        self.problem(ProblemKind::BadValue, message)
    }

    fn problem(&self, kind: ProblemKind, message: String) -> InputProblem {
        problem(self.file, self.line, kind, message, LEAVE_OUT)
    }
}

const LEAVE_OUT: &str = "correct the row, or leave such rows out with --skip-bad";

pub(super) fn problem(
    file: &str,
    line: u64,
    kind: ProblemKind,
    message: impl Into<String>,
    hint: &str,
) -> InputProblem {
    InputProblem {
        file: file.to_owned(),
        line,
        column: None,
        kind,
        message: message.into(),
        hint: hint.to_owned(),
    }
}

/// A problem in a well-formed row.
enum Fault {
    /// A value runs into what follows it.
    Quote,
    Attribute(String),
}

impl Fault {
    fn at(self, file: &str, line: u64) -> InputProblem {
        match self {
            // The following rows may be lost in the value, so the rest cannot be trusted.
            Self::Quote => {
                let message = "a value has a `<` in it: a quote is missing in this row or before it";
                problem(file, line, ProblemKind::Form, message, "download or unpack the dump again")
            }
            Self::Attribute(message) => problem(file, line, ProblemKind::BadValue, message, LEAVE_OUT),
        }
    }
}

fn attributes(row: &BytesStart<'_>) -> Result<Vec<(String, String)>, Fault> {
    if row.contains('<') {
        return Err(Fault::Quote);
    }
    let bad =
        |error: &dyn std::fmt::Display| Fault::Attribute(format!("an attribute cannot be read: {error}"));
    let mut attributes = Vec::new();
    for attribute in row.attributes() {
        let attribute = attribute.map_err(|error| bad(&error))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| bad(&error))?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(attributes)
}

fn named(event: &Event<'_>) -> String {
    match event {
        Event::Start(tag) | Event::Empty(tag) => format!("<{}>", tag.name().as_ref()),
        Event::End(tag) => format!("</{}>", tag.name().as_ref()),
        Event::Text(text) => format!("the text {:?}", shortened(text)),
        _ => "something".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// A file that counts its lines and limits its rows to [`LONGEST_ROW`].
struct Input {
    inner: BufReader<File>,
    /// The current line.
    lines: u64,
    /// Bytes since the last row.
    since: u64,
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.since > LONGEST_ROW {
            let message = format!("a row is longer than {} MB, so this is no table", LONGEST_ROW >> 20);
            return Err(io::Error::other(message));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        let consumed = self.inner.buffer().get(..amount).unwrap_or_default();
        self.lines += consumed.split(|byte| *byte == b'\n').skip(1).count() as u64;
        self.since += amount as u64;
        self.inner.consume(amount);
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let read = available.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
