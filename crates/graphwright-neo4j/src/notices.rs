//! What the server says beside the rows, with the codes and words that the embedded store uses for the same.

use graphwright_core::Notice;
use neo4j::summary::Notification;

/// The notices of a result.
pub(crate) fn from_driver(notifications: &[Notification]) -> Vec<Notice> {
    let notices =
        notifications.iter().map(|notification| notice(&notification.code, &notification.description));
    notices.collect()
}

fn notice(code: &str, description: &str) -> Notice {
    let title = code.rsplit('.').next().unwrap_or(code);
    let missing = description.rsplit_once("name is: ").map(|(_, name)| name.trim_end_matches(')'));
    let (code, message) = match (title, missing) {
        ("UnknownLabelWarning", Some(name)) => {
            ("unknown_label".to_owned(), format!("no node has the label `{name}`"))
        }
        ("UnknownRelationshipTypeWarning", Some(name)) => {
            ("unknown_relationship_type".to_owned(), format!("no relationship has the type `{name}`"))
        }
        ("UnknownPropertyKeyWarning", Some(name)) => {
            ("unknown_property".to_owned(), format!("nothing has the property `{name}`"))
        }
        _ => (snake_case(title.trim_end_matches("Warning")), description.to_owned()),
    };
    Notice { code, message }
}

fn snake_case(title: &str) -> String {
    let mut text = String::new();
    for (place, character) in title.chars().enumerate() {
        if character.is_uppercase() && place > 0 {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_names_have_the_words_of_the_embedded_store() {
        let notice = notice(
            "Neo.ClientNotification.Statement.UnknownLabelWarning",
            "One of the labels in your query is not available in the database, make sure you didn't misspell it \
             (the missing label name is: Persn)",
        );
        assert_eq!(
            (notice.code.as_str(), notice.message.as_str()),
            ("unknown_label", "no node has the label `Persn`")
        );
    }

    #[test]
    fn others_keep_their_words() {
        let notice = notice("Neo.ClientNotification.Statement.CartesianProduct", "It is large.");
        assert_eq!((notice.code.as_str(), notice.message.as_str()), ("cartesian_product", "It is large."));
    }
}
