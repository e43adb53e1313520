//! Converts a mail to text: its subject, who wrote it to whom and when, and what it says.

use graphwright_core::document::TextFormat;
use mail_parser::{Addr, Address, Message, MessageParser};

use super::html;

/// A mail as text.
#[derive(Debug)]
pub(super) struct Mail {
    pub(super) format: TextFormat,
    pub(super) text: String,
    pub(super) subject: Option<String>,
    /// What was left out.
    pub(super) remark: Option<String>,
}

/// The line before a signature (RFC 3676). The space at its end may be lost on the way.
const SIGNATURES: [&str; 2] = ["\n-- \n", "\n--\n"];

pub(super) fn to_text(bytes: &[u8]) -> Result<Mail, String> {
    let read =
        MessageParser::default().parse(bytes).filter(|mail| mail.from().is_some() || mail.date().is_some());
    let Some(mail) = read else {
        return Err("cannot be read as a mail: it has neither a sender nor a date".to_owned());
    };
    let (format, body) = body(&mail)?;
    let subject = mail.subject().map(one_line).filter(|subject| !subject.is_empty());
    let heading = subject.iter().map(|subject| format!("# {subject}\n\n"));
    let mut text: String = heading.collect();
    for (key, value) in fields(&mail) {
        text.push_str(&format!("{key}: {value}\n"));
    }
    text.push_str(&format!("\n{}\n", body.trim()));
    let remark = match mail.attachment_count() {
        0 => None,
        1 => Some("its attachment was left out; save it to a file of its own".to_owned()),
        count => Some(format!("its {count} attachments were left out; save them to files of their own")),
    };
    Ok(Mail { format, text, subject, remark })
}

/// Returns the text without its signature; that of HTML where the mail has no other.
fn body(mail: &Message<'_>) -> Result<(TextFormat, String), String> {
    let plain = mail.text_bodies().any(|part| !part.is_text_html());
    if !plain && let Some(page) = mail.body_html(0) {
        return Ok((TextFormat::Markdown, html::convert(&page)?));
    }
    let text = mail.body_text(0).unwrap_or_default().replace("\r\n", "\n");
    let end = SIGNATURES.iter().filter_map(|signature| text.find(signature)).min();
    Ok((TextFormat::Plain, text[..end.unwrap_or(text.len())].to_owned()))
}

fn fields(mail: &Message<'_>) -> Vec<(&'static str, String)> {
    let people = [("From", mail.from()), ("To", mail.to()), ("Cc", mail.cc())];
    let mut fields: Vec<_> =
        people.into_iter().filter_map(|(key, address)| Some((key, names(address?)))).collect();
    if let Some(date) = mail.date() {
        fields.push(("Date", format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)));
    }
    fields.retain(|(_, value)| !value.is_empty());
    fields
}

fn names(address: &Address<'_>) -> String {
    address.iter().filter_map(name).collect::<Vec<_>>().join(", ")
}

/// Returns the name of a person, else the address. `Lunt, Ada` is `Ada Lunt`.
fn name(person: &Addr<'_>) -> Option<String> {
    let name = person.name.as_deref().map(one_line).filter(|name| !name.is_empty());
    let Some(name) = name else { return person.address.as_deref().map(str::to_owned) };
    Some(match name.split(", ").collect::<Vec<_>>().as_slice() {
        [last, first] => format!("{first} {last}"),
        _ => name.replace(", ", " "),
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mail: &str) -> (String, Option<String>) {
        let mail = to_text(mail.replace('\n', "\r\n").as_bytes()).unwrap();
        (mail.text, mail.remark)
    }

    #[test]
    fn a_mail_tells_who_wrote_what_to_whom_and_when() {
        let mail = "Received: by quay\nFrom: \"Lunt, Ada\" <ada@example.org>\nTo: Bo Marsh <bo@example.org>,\n cy@example.org\n\
                    Date: Fri, 1 Mar 2024 23:30:00 +0100\nSubject: =?utf-8?q?M=C3=B6wen?= at the\n quay\n\
                    Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n\
                    The caf=E9 feeds=\n them.\n\n-- \nAda\n";
        let text = "# Möwen at the quay\n\nFrom: Ada Lunt\nTo: Bo Marsh, cy@example.org\nDate: 2024-03-01\n\nThe café feeds them.\n";
        assert_eq!(read(mail), (text.to_owned(), None));
    }

    #[test]
    fn the_text_of_a_page_is_read_and_attachments_are_counted() {
        let mail = "From: Ada <a@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n\
                    --x\nContent-Type: text/html\n\n<p>Tern is <b>moored</b>.</p>\n--x\nContent-Type: application/pdf\n\
                    Content-Disposition: attachment; filename=a.pdf\nContent-Transfer-Encoding: base64\n\nJVBERg==\n--x--\n";
        let (text, remark) = read(mail);
        assert_eq!(text, "From: Ada\n\nTern is **moored**.\n");
        assert_eq!(remark.as_deref(), Some("its attachment was left out; save it to a file of its own"));
    }

    #[test]
    fn what_is_no_mail_is_refused() {
        let reason = "cannot be read as a mail: it has neither a sender nor a date";
        assert_eq!(to_text(b"Nothing here.\n").unwrap_err(), reason);
    }
}
