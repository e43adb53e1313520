//! The keywords of Cypher and the places in which they are reserved.

/// A keyword of Cypher.
///
/// Whether a word is a keyword depends on its place: nearly every keyword may also be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each stands for the word that it is named after")]
#[rustfmt::skip]
pub enum Keyword {
    All, AllShortestPaths, Alter, And, Any, As, Asc, Ascending, Both, Break, By, Call, Case, Collect,
    Concurrent, Contains, Continue, Count, Create, Csv, Cypher, Deallocate, Delete, Deny, Desc, Descending, Detach,
    Different, Disable, Distinct, Drop, DryRun, Element, Elements, Else, Enable, End, Ends, Error, Exists, Explain,
    Fail, False, FieldTerminator, Finish, ForEach, From, Grant, Graph, Group, Groups, Headers, In, Index, Inf,
    Infinity, Insert, Is, Join, Leading, Limit, List, Load, Match, Merge, Nan, Nfc, Nfd, Nfkc, Nfkd, NoDetach,
    None, Normalize, Normalized, Not, Null, Of, Offset, On, Optional, Or, Order, Path, Paths, Profile,
    Range, Reallocate, Reduce, Relationship, Relationships, Remove, Rename, Repeatable, Replace, Report, Return,
    Revoke, Row, Rows, Scan, Seek, Set, Shortest, ShortestPath, Show, Single, Skip, Start, Starts, Status, Stop,
    Terminate, Text, Then, Trailing, Transactions, Trim, True, Typed, Union, Unwind, Use, Using, When,
    Where, With, Xor, Yield,
}

/// The keywords by their text, sorted: [`Keyword::from_word`] searches by halves, and
/// [`Keyword::as_str`] relies on the variants having this order.
#[rustfmt::skip]
const KEYWORDS: [(&str, Keyword); 128] = [
    ("ALL", Keyword::All), ("ALLSHORTESTPATHS", Keyword::AllShortestPaths), ("ALTER", Keyword::Alter),
    ("AND", Keyword::And), ("ANY", Keyword::Any), ("AS", Keyword::As), ("ASC", Keyword::Asc),
    ("ASCENDING", Keyword::Ascending), ("BOTH", Keyword::Both),
    ("BREAK", Keyword::Break), ("BY", Keyword::By), ("CALL", Keyword::Call), ("CASE", Keyword::Case),
    ("COLLECT", Keyword::Collect), ("CONCURRENT", Keyword::Concurrent), ("CONTAINS", Keyword::Contains),
    ("CONTINUE", Keyword::Continue), ("COUNT", Keyword::Count), ("CREATE", Keyword::Create), ("CSV", Keyword::Csv),
    ("CYPHER", Keyword::Cypher), ("DEALLOCATE", Keyword::Deallocate), ("DELETE", Keyword::Delete),
    ("DENY", Keyword::Deny), ("DESC", Keyword::Desc), ("DESCENDING", Keyword::Descending),
    ("DETACH", Keyword::Detach), ("DIFFERENT", Keyword::Different), ("DISABLE", Keyword::Disable),
    ("DISTINCT", Keyword::Distinct), ("DROP", Keyword::Drop), ("DRYRUN", Keyword::DryRun),
    ("ELEMENT", Keyword::Element), ("ELEMENTS", Keyword::Elements), ("ELSE", Keyword::Else),
    ("ENABLE", Keyword::Enable), ("END", Keyword::End), ("ENDS", Keyword::Ends), ("ERROR", Keyword::Error),
    ("EXISTS", Keyword::Exists), ("EXPLAIN", Keyword::Explain), ("FAIL", Keyword::Fail), ("FALSE", Keyword::False),
    ("FIELDTERMINATOR", Keyword::FieldTerminator), ("FINISH", Keyword::Finish), ("FOREACH", Keyword::ForEach),
    ("FROM", Keyword::From), ("GRANT", Keyword::Grant), ("GRAPH", Keyword::Graph), ("GROUP", Keyword::Group),
    ("GROUPS", Keyword::Groups), ("HEADERS", Keyword::Headers), ("IN", Keyword::In), ("INDEX", Keyword::Index),
    ("INF", Keyword::Inf), ("INFINITY", Keyword::Infinity), ("INSERT", Keyword::Insert), ("IS", Keyword::Is),
    ("JOIN", Keyword::Join), ("LEADING", Keyword::Leading), ("LIMIT", Keyword::Limit), ("LIST", Keyword::List),
    ("LOAD", Keyword::Load), ("MATCH", Keyword::Match), ("MERGE", Keyword::Merge), ("NAN", Keyword::Nan),
    ("NFC", Keyword::Nfc), ("NFD", Keyword::Nfd), ("NFKC", Keyword::Nfkc), ("NFKD", Keyword::Nfkd),
    ("NODETACH", Keyword::NoDetach), ("NONE", Keyword::None), ("NORMALIZE", Keyword::Normalize),
    ("NORMALIZED", Keyword::Normalized), ("NOT", Keyword::Not), ("NULL", Keyword::Null), ("OF", Keyword::Of),
    ("OFFSET", Keyword::Offset), ("ON", Keyword::On), ("OPTIONAL", Keyword::Optional), ("OR", Keyword::Or),
    ("ORDER", Keyword::Order), ("PATH", Keyword::Path), ("PATHS", Keyword::Paths), 
    ("PROFILE", Keyword::Profile), ("RANGE", Keyword::Range), ("REALLOCATE", Keyword::Reallocate),
    ("REDUCE", Keyword::Reduce), ("RELATIONSHIP", Keyword::Relationship),
    ("RELATIONSHIPS", Keyword::Relationships), ("REMOVE", Keyword::Remove), ("RENAME", Keyword::Rename),
    ("REPEATABLE", Keyword::Repeatable), ("REPLACE", Keyword::Replace), ("REPORT", Keyword::Report),
    ("RETURN", Keyword::Return), ("REVOKE", Keyword::Revoke), ("ROW", Keyword::Row), ("ROWS", Keyword::Rows),
    ("SCAN", Keyword::Scan), ("SEEK", Keyword::Seek), ("SET", Keyword::Set), ("SHORTEST", Keyword::Shortest),
    ("SHORTESTPATH", Keyword::ShortestPath), ("SHOW", Keyword::Show), ("SINGLE", Keyword::Single),
    ("SKIP", Keyword::Skip), ("START", Keyword::Start), ("STARTS", Keyword::Starts), ("STATUS", Keyword::Status),
    ("STOP", Keyword::Stop), ("TERMINATE", Keyword::Terminate), ("TEXT", Keyword::Text), ("THEN", Keyword::Then),
    ("TRAILING", Keyword::Trailing), 
    ("TRANSACTIONS", Keyword::Transactions), ("TRIM", Keyword::Trim), ("TRUE", Keyword::True),
    ("TYPED", Keyword::Typed), ("UNION", Keyword::Union), ("UNWIND", Keyword::Unwind), ("USE", Keyword::Use),
    ("USING", Keyword::Using), ("WHEN", Keyword::When), ("WHERE", Keyword::Where), ("WITH", Keyword::With),
    ("XOR", Keyword::Xor), ("YIELD", Keyword::Yield),
];

/// The length of the longest keyword, in bytes.
const LONGEST: usize = 16;

impl Keyword {
    /// Returns the keyword that `word` spells, in any case.
    pub fn from_word(word: &str) -> Option<Self> {
        // A buffer on the stack: the scanner asks for every word, so this must not allocate.
        let mut buffer = [0; LONGEST];
        let upper = buffer.get_mut(..word.len())?;
        upper.copy_from_slice(word.as_bytes());
        upper.make_ascii_uppercase();
        let found = KEYWORDS.binary_search_by(|(text, _)| text.as_bytes().cmp(upper)).ok()?;
        KEYWORDS.get(found).map(|(_, keyword)| *keyword)
    }

    /// Returns the keyword in capitals.
    pub fn as_str(self) -> &'static str {
        // The table and the variants have one order.
        KEYWORDS.get(self as usize).map_or("", |(text, _)| text)
    }

    /// Returns whether a name with this spelling needs back-ticks to be read as a name.
    pub(crate) fn is_reserved(self) -> bool {
        RESERVED.binary_search(&self).is_ok()
    }

    /// Returns whether a clause can begin with the keyword.
    pub(crate) fn begins_clause(self) -> bool {
        use Keyword::{
            Call, Create, Delete, Detach, Finish, ForEach, Insert, Limit, Load, Match, Merge, NoDetach,
            Offset, Optional, Order, Remove, Return, Set, Skip, Unwind, Use, With,
        };
        matches!(
            self,
            Call | Create
                | Delete
                | Detach
                | Finish
                | ForEach
                | Insert
                | Limit
                | Load
                | Match
                | Merge
                | NoDetach
                | Offset
                | Optional
                | Order
                | Remove
                | Return
                | Set
                | Skip
                | Unwind
                | Use
                | With
        )
    }
}

/// The keywords that begin or join parts of a query where a variable may stand too, sorted.
#[rustfmt::skip]
const RESERVED: [Keyword; 56] = [
    Keyword::All, Keyword::AllShortestPaths, Keyword::And, Keyword::Any, Keyword::As, Keyword::Asc,
    Keyword::Ascending, Keyword::By, Keyword::Call, Keyword::Case, Keyword::Contains, Keyword::Create,
    Keyword::Delete, Keyword::Desc, Keyword::Descending, Keyword::Detach, Keyword::Distinct, Keyword::Else,
    Keyword::End, Keyword::Ends, Keyword::Exists, Keyword::False, Keyword::ForEach, Keyword::In, Keyword::Inf,
    Keyword::Infinity, Keyword::Insert, Keyword::Is, Keyword::Limit, Keyword::Match, Keyword::Merge, Keyword::Nan,
    Keyword::None, Keyword::Not, Keyword::Null, Keyword::On, Keyword::Optional, Keyword::Or, Keyword::Order,
    Keyword::Remove, Keyword::Return, Keyword::Set, Keyword::ShortestPath, Keyword::Single, Keyword::Skip,
    Keyword::Starts, Keyword::Then, Keyword::True, Keyword::Union, Keyword::Unwind, Keyword::Use, Keyword::Using,
    Keyword::When, Keyword::Where, Keyword::With, Keyword::Xor,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_by_its_word() {
        for (index, (text, keyword)) in KEYWORDS.into_iter().enumerate() {
            assert_eq!(Keyword::from_word(&text.to_lowercase()), Some(keyword));
            assert_eq!((keyword as usize, keyword.as_str()), (index, text));
            assert!(text.len() <= LONGEST);
        }
        assert!(RESERVED.is_sorted() && KEYWORDS.is_sorted());
        assert_eq!(Keyword::from_word("matches"), None);
        assert_eq!(Keyword::from_word("a very long name, not a keyword"), None);
    }
}
