//! The server's remarks beside the rows, with the codes and words of the embedded store.

use graphwright_core::Notice;
use neo4j::summary::Notification;

/// Translates the notices of a result.
///
/// The server tells each place of the text; here each thing is told once.
pub(crate) fn from_driver(notifications: &[Notification]) -> Vec<Notice> {
    let all = notifications.iter().map(|notification| notice(&notification.code, &notification.description));
    once(all)
}

fn once(all: impl Iterator<Item = Notice>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    for notice in all {
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }
    notices
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
        ("CartesianProduct", _) => (
            "cartesian_product".to_owned(),
            "the patterns are not connected, so each row of one is put with each row of the other".to_owned(),
        ),
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
        let notice = notice("Neo.ClientNotification.Statement.ExhaustiveShortestPath", "It is slow.");
        assert_eq!(
            (notice.code.as_str(), notice.message.as_str()),
            ("exhaustive_shortest_path", "It is slow.")
        );
    }

    #[test]
    fn each_thing_is_told_once() {
        let say = |text: &str| notice("Neo.ClientNotification.Statement.Slow", text);
        assert_eq!(once([say("a"), say("b"), say("a")].into_iter()), [say("a"), say("b")]);
    }
}
