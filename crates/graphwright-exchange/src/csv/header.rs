//! Parses the header of a CSV file: `name:string`, `:ID(Person)`, `score:int[]`,
//! `born:datetime{timezone:Europe/Oslo}`.

use super::{
    super::{InputProblem, ProblemKind, item::Place},
    ColumnType, Row,
};

/// Role of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Role {
    Property,
    /// The node's identifier in a space. Also a property if the column has a name.
    Id(String),
    StartId(String),
    EndId(String),
    Label,
    Type,
    Ignore,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Column {
    /// Name of the property; may be empty for other roles.
    pub(in super::super) name: String,
    pub(in super::super) role: Role,
    pub(in super::super) kind: ColumnType,
    /// The column as the header writes it, for messages.
    pub(in super::super) heading: String,
    /// Label from the options of an `:ID` column.
    pub(in super::super) label: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Header {
    pub(in super::super) columns: Vec<Column>,
}

/// Space of identifiers for columns that name none.
const SHARED_SPACE: &str = "csv";

impl Header {
    pub(in super::super) fn parse(row: &Row, file: &str) -> Result<Self, InputProblem> {
        let place = Place { file, line: row.line };
        let columns = row.cells().iter().enumerate().map(|(index, cell)| {
            let column = Column::parse(cell.text.trim());
            column.map_err(|message| {
                let hint = "write name:type, or :ID, :LABEL, :START_ID, :END_ID, :TYPE, :IGNORE";
                let mut problem = place.problem(ProblemKind::Form, message, hint);
                problem.column = Some((index + 1).to_string());
                problem
            })
        });
        let header = Self { columns: columns.collect::<Result<Vec<_>, _>>()? };
        header.check().map_err(|message| {
            place.problem(ProblemKind::Form, message, "each column may stand in the header once")
        })?;
        Ok(header)
    }

    pub(in super::super) fn is_of_relationships(&self) -> bool {
        self.columns.iter().any(|column| matches!(column.role, Role::StartId(_) | Role::EndId(_)))
    }

    /// Returns the index of the first column whose role matches.
    pub(in super::super) fn find(&self, role: impl Fn(&Role) -> bool) -> Option<usize> {
        self.columns.iter().position(|column| role(&column.role))
    }

    fn check(&self) -> Result<(), String> {
        for (index, column) in self.columns.iter().enumerate() {
            let twin = |other: &Column| match (&other.role, &column.role) {
                (Role::Ignore, _) | (_, Role::Ignore) => false,
                (Role::Property, Role::Property) => other.name == column.name,
                // Two `:ID` columns are twins even if they name different spaces, so only the
                // variants count.
                (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
            };
            if self.columns.iter().skip(index + 1).any(twin) {
                return Err(format!("the column `{}` is there twice", column.heading));
            }
        }
        Ok(())
    }
}

impl Column {
    fn parse(heading: &str) -> Result<Self, String> {
        let (rest, options) = match heading.split_once('{') {
            Some((rest, options)) if options.ends_with('}') => (rest, options.trim_end_matches('}')),
            _ => (heading, ""),
        };
        let (name, kind) = rest.rsplit_once(':').unwrap_or((rest, ""));
        let (word, space) = match kind.split_once('(') {
            Some((word, space)) => {
                let space = space.strip_suffix(')').ok_or_else(|| format!("`{heading}` lacks a `)`"))?;
                (word, space)
            }
            None => (kind, SHARED_SPACE),
        };
        let space = if space.is_empty() { SHARED_SPACE } else { space }.to_owned();
        let role = match word.to_uppercase().as_str() {
            "ID" => Role::Id(space),
            "START_ID" => Role::StartId(space),
            "END_ID" => Role::EndId(space),
            "LABEL" => Role::Label,
            "TYPE" => Role::Type,
            "IGNORE" => Role::Ignore,
            _ => Role::Property,
        };
        let kind = match role {
            Role::Property => ColumnType::parse(kind, option(options, "timezone"))
                .ok_or_else(|| format!("`{kind}` in `{heading}` is not a type"))?,
            Role::Id(_) => ColumnType::parse(option(options, "id-type").unwrap_or_default(), None)
                .ok_or_else(|| format!("the id-type of `{heading}` is not a type"))?,
            _ => ColumnType::text(),
        };
        if role == Role::Property && name.is_empty() {
            return Err(format!("`{heading}` has no name"));
        }
        let label = option(options, "label").map(str::to_owned);
        Ok(Self { name: name.to_owned(), role, kind, heading: heading.to_owned(), label })
    }
}

/// Returns the value of `key` among comma-separated `key:value` options.
fn option<'a>(options: &'a str, key: &str) -> Option<&'a str> {
    options.split(',').find_map(|option| {
        let (name, value) = option.split_once(':')?;
        (name.trim() == key).then(|| value.trim().trim_matches(['"', '\'']))
    })
}
