//! The address of a server, and the way to speak to it.

use std::{fmt, str::FromStr};

use graphwright_core::{StoreError, text::public_address};

/// The port of Bolt when an address names none.
const DEFAULT_PORT: u16 = 7687;

/// The protection of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Encryption {
    /// No encryption.
    None,
    /// Encryption, with a certificate that an authority has signed (`+s`).
    Verified,
    /// Encryption, with any certificate (`+ssc`).
    AnyCertificate,
}

/// The address of a server.
///
/// `bolt://` speaks to that server alone, `neo4j://` asks it for its cluster. `+s` encrypts, `+ssc`
/// encrypts and takes any certificate. What stands behind `?` goes to the cluster's routing.
///
/// ```
/// use graphwright_neo4j::Address;
///
/// let address: Address = "neo4j+s://graph.example.org".parse()?;
/// assert_eq!(address.to_string(), "neo4j+s://graph.example.org:7687");
/// assert!("bolt://user:secret@localhost".parse::<Address>().is_err());
/// # Ok::<_, graphwright_core::StoreError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    pub(crate) routing: bool,
    pub(crate) encryption: Encryption,
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) routing_context: Vec<(String, String)>,
}

impl Address {
    /// Returns the host's name or number.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

fn scheme_of(scheme: &str) -> Option<(bool, Encryption)> {
    let (protocol, security) = scheme.split_once('+').unwrap_or((scheme, ""));
    let routing = match protocol {
        "bolt" => false,
        "neo4j" => true,
        _ => return None,
    };
    let encryption = match security {
        "" if !scheme.contains('+') => Encryption::None,
        "s" => Encryption::Verified,
        "ssc" => Encryption::AnyCertificate,
        _ => return None,
    };
    Some((routing, encryption))
}

impl FromStr for Address {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        parse(text).map_err(|message| StoreError::Unavailable {
            address: public_address(text).into_owned(),
            message: message.to_owned(),
            hint: "an address is bolt://host:port, or neo4j:// for a cluster, with +s to encrypt \
                   (neo4j+s://… for Aura)"
                .to_owned(),
        })
    }
}

fn parse(text: &str) -> Result<Address, &'static str> {
    let (scheme, rest) = text.split_once("://").ok_or("it is no address")?;
    let (routing, encryption) =
        scheme_of(scheme).ok_or("the scheme is not bolt, bolt+s, bolt+ssc, neo4j, neo4j+s or neo4j+ssc")?;
    if rest.contains('@') {
        return Err("user and password are settings of their own, not part of the address");
    }
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let place = place.strip_suffix('/').unwrap_or(place);
    if place.contains(['/', '#']) {
        return Err("it has a path; the database is a setting of its own");
    }
    let (host, port) = match place.strip_prefix('[') {
        Some(inner) => {
            let (host, rest) = inner.split_once(']').ok_or("the bracket of the host is not closed")?;
            (host, rest.strip_prefix(':'))
        }
        None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
    };
    if host.is_empty() {
        return Err("it has no host");
    }
    let port = match port {
        Some(port) => port.parse().map_err(|_| "the port is no number up to 65535")?,
        None => DEFAULT_PORT,
    };
    if !routing && !query.is_empty() {
        return Err("only neo4j:// addresses take settings of routing");
    }
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let routing_context = pairs
        .map(|pair| {
            let (key, value) = pair.split_once('=').ok_or("a setting of routing has no value")?;
            if key == "address" {
                Err("routing sets `address` itself")
            } else {
                Ok((key.into(), value.into()))
            }
        })
        .collect::<Result<_, _>>()?;
    Ok(Address { routing, encryption, host: host.to_owned(), port, routing_context })
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = if self.routing { "neo4j" } else { "bolt" };
        let security = match self.encryption {
            Encryption::None => "",
            Encryption::Verified => "+s",
            Encryption::AnyCertificate => "+ssc",
        };
        if self.host.contains(':') {
            write!(formatter, "{protocol}{security}://[{}]:{}", self.host, self.port)
        } else {
            write!(formatter, "{protocol}{security}://{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        text.parse::<Address>().unwrap_err().to_string()
    }

    #[test]
    fn all_schemes_are_read() {
        for (text, routing, encryption) in [
            ("bolt://h", false, Encryption::None),
            ("bolt+s://h", false, Encryption::Verified),
            ("bolt+ssc://h", false, Encryption::AnyCertificate),
            ("neo4j://h", true, Encryption::None),
            ("neo4j+s://h", true, Encryption::Verified),
            ("neo4j+ssc://h", true, Encryption::AnyCertificate),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!((address.routing, address.encryption, address.port), (routing, encryption, 7687));
            assert_eq!(address.to_string(), format!("{text}:7687"));
        }
        for wrong in ["http://h", "bolt+://h", "bolt+x://h", "h"] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn hosts_ports_and_routing_are_read() {
        let address: Address = "neo4j://[::1]:7688/?policy=eu&region=a".parse().unwrap();
        assert_eq!((address.host.as_str(), address.port), ("::1", 7688));
        assert_eq!(address.routing_context.len(), 2);
        assert_eq!(address.to_string(), "neo4j://[::1]:7688");
    }

    #[test]
    fn what_is_wrong_is_said_without_the_password() {
        assert_eq!(
            message("bolt://neo4j:pass@host"),
            "cannot open bolt://***@host: user and password are settings of their own, not part of the address"
        );
        assert!(message("bolt://host:port").ends_with("the port is no number up to 65535"));
        assert!(message("bolt://host/movies").ends_with("the database is a setting of its own"));
        assert!(message("bolt://host?a=b").ends_with("only neo4j:// addresses take settings of routing"));
        assert!(message("bolt://").ends_with("it has no host"));
        assert!(message("ftp://host").contains("the scheme is not bolt"));
    }
}
