//! Names in the text of our own queries.

use graphwright_core::names;

use crate::rewrite::reserved;

/// Returns the name under which the engine keeps our identifier.
pub(crate) fn id_property() -> String {
    reserved::property_to_engine(names::ID).into_owned()
}

/// Quotes a name for a query.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
