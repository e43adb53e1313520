//! Addresses without what opens the door behind them.

use std::{borrow::Cow, ops::Range};

/// What stands in the place of a secret.
const HIDDEN: &str = "***";

/// What a parameter is called that holds a secret, in part.
const SECRET_NAMES: [&str; 7] = ["pass", "pwd", "token", "key", "secret", "auth", "sig"];

/// Returns an address as it may be printed: without user and password, and without the values of
/// its parameters.
///
/// Of a text that is no address, such as the name of a folder, only the values of parameters that
/// are called as secrets are left out, and what looks like user and password.
///
/// ```
/// use graphwright_core::text::public_address;
///
/// assert_eq!(public_address("bolt://neo4j:pass@host:7687"), "bolt://***@host:7687");
/// assert_eq!(public_address("https://host/v1?token=abc"), "https://host/v1?token=***");
/// assert_eq!(public_address("host;password=abc"), "host;password=***");
/// ```
pub fn public_address(address: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut done = 0;
    for secret in secret_parts(address) {
        shown.push_str(&address[done..secret.start]);
        shown.push_str(HIDDEN);
        done = secret.end;
    }
    if done == 0 {
        return Cow::Borrowed(address);
    }
    shown.push_str(&address[done..]);
    Cow::Owned(shown)
}

/// Returns a message as it may be printed: each address in it as [`public_address`] writes it.
///
/// An address with a space or a quote in its password is not recognised as a whole, so who knows the
/// address uses [`public_address`].
///
/// ```
/// use graphwright_core::text::without_credentials;
///
/// let message = "cannot reach `http://me:word@host/v1`: timed out";
/// assert_eq!(without_credentials(message), "cannot reach `http://***@host/v1`: timed out");
/// ```
pub fn without_credentials(message: &str) -> Cow<'_, str> {
    if !message.contains([':', '=']) {
        return Cow::Borrowed(message);
    }
    let ends_word = |character: char| character.is_whitespace() || "\"'`".contains(character);
    let mut shown = String::with_capacity(message.len());
    for word in message.split_inclusive(ends_word) {
        let address = word.trim_end_matches(|end: char| ends_word(end) || ").,:;!?>]".contains(end));
        shown.push_str(&public_address(address));
        shown.push_str(&word[address.len()..]);
    }
    Cow::Owned(shown)
}

/// Returns the secrets in an address, for who must not let others repeat them: user and password
/// together, the password alone, and the values of parameters.
///
/// ```
/// use graphwright_core::text::secrets_of_address;
///
/// let secrets: Vec<_> = secrets_of_address("https://me:word@host/v1?token=abc").collect();
/// assert_eq!(secrets, ["me:word", "word", "abc"]);
/// ```
pub fn secrets_of_address(address: &str) -> impl Iterator<Item = &str> {
    secret_parts(address).flat_map(|part| {
        let part = &address[part];
        let password = part.split_once(':').map(|(_, password)| password);
        std::iter::once(part).chain(password).filter(|secret| !secret.is_empty())
    })
}

/// Finds the secrets in an address, first to last.
fn secret_parts(address: &str) -> impl Iterator<Item = Range<usize>> {
    let scheme = address.find("://").map(|at| at + "://".len());
    let begin = scheme.unwrap_or(0);
    // A password may hold any character, so the last @ ends it.
    let user = address[begin..].rfind('@').map(|at| begin..begin + at);
    let user = user.filter(|user| {
        let user = &address[user.clone()];
        !user.is_empty() && (scheme.is_some() || user.contains(':') && !user.contains(['/', '\\']))
    });
    let place = user.as_ref().map_or(begin, |user| user.end);
    let separators = address[place..].match_indices(['?', '&', ';', '#']);
    let parameters = separators.filter_map(move |(at, separator)| {
        let start = place + at + separator.len();
        let length = address[start..].find(['?', '&', ';', '#']);
        let parameter = &address[start..length.map_or(address.len(), |length| start + length)];
        let (name, value) = match parameter.split_once('=') {
            Some((name, value)) => (name, start + name.len() + 1..start + name.len() + 1 + value.len()),
            // A key may stand alone.
            None if separator == "?" => ("key", start..start + parameter.len()),
            None => return None,
        };
        let name = name.to_lowercase();
        let is_secret = scheme.is_some() || SECRET_NAMES.iter().any(|secret| name.contains(secret));
        let is_bare = value.start == start;
        (is_secret && !value.is_empty() && (scheme.is_some() || !is_bare)).then_some(value)
    });
    user.into_iter().chain(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_password_are_left_out_whatever_they_hold() {
        for (address, shown) in [
            ("bolt://host:7687", "bolt://host:7687"),
            ("neo4j+s://neo4j:p/a?s#s@w;o=r d@host", "neo4j+s://***@host"),
            ("http://key@host/v1/", "http://***@host/v1/"),
            ("neo4j:pass@host", "***@host"),
            ("graphs/ada@home", "graphs/ada@home"),
            ("https://host/@scope/x", "https://***@scope/x"),
        ] {
            assert_eq!(public_address(address), shown);
        }
    }

    #[test]
    fn values_of_parameters_are_left_out() {
        for (address, shown) in [
            ("neo4j://host?policy=eu&password=a", "neo4j://host?policy=***&password=***"),
            ("https://host/v1?abc123", "https://host/v1?***"),
            ("https://host;api_key=a#token=b", "https://host;api_key=***#token=***"),
            ("https://host/page#part", "https://host/page#part"),
            ("host?api_key=a", "host?api_key=***"),
            ("what?", "what?"),
            ("a folder; b=c", "a folder; b=c"),
        ] {
            assert_eq!(public_address(address), shown);
        }
    }

    #[test]
    fn addresses_within_a_message_are_found() {
        for (message, shown) in [
            ("no store at \"bolt://u:p@h?password=x\".", "no store at \"bolt://***@h?password=***\"."),
            ("sending (https://h/v1?key=a) failed", "sending (https://h/v1?key=***) failed"),
            ("is it right? a=b; c=d", "is it right? a=b; c=d"),
            ("line 1: two\n  lines", "line 1: two\n  lines"),
        ] {
            assert_eq!(without_credentials(message), shown);
        }
    }
}
