//! The faults and the replies.

/// What the model does.
#[derive(Clone, Copy)]
pub(crate) enum Reply {
    Says(&'static str),
    /// Reaches the limit of tokens.
    Cut(&'static str),
    /// The provider's filter stops it.
    Filtered,
    /// The request is longer than its context.
    TooLong,
    /// The provider refuses the request.
    Refused,
}

pub(crate) struct Case {
    pub(crate) fault: &'static str,
    pub(crate) replies: &'static [Reply],
}

use Reply::{Cut, Filtered, Refused, Says, TooLong};

const fn one(fault: &'static str, reply: &'static [Reply]) -> Case {
    Case { fault, replies: reply }
}

/// The sentences are: 1 Lighthouse, 2 Moira Lind, 3 in 1911, 4 Dynamo B, 5 Dynamo A, 6 Jon Berg.
pub(crate) const CASES: &[Case] = &[
    one(
        "none",
        &[Says(
            r#"{"entities":[{"id":"e1","type":"Room","name":"lamp-room"},{"id":"e2","type":"Keeper","name":"Moira Lind"}],"facts":[{"id":"f1","from":"e1","type":"KEPT_BY","to":"e2","in":[2]}],"details":[]}"#,
        )],
    ),
    one(
        "confidence as text",
        &[Says(
            r#"{"entities":[],"facts":[{"from":"lamp-room","from_type":"Room","type":"KEPT_BY","to":"Moira Lind","to_type":"Keeper","in":[2],"confidence":"1.0","status":"HOLDS"}]}"#,
        )],
    ),
    one(
        "confidence as a word",
        &[Says(
            r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2],"confidence":"High"},{"from":"lamp-room","type":"DRAWS_POWER_FROM","to":"Dynamo B","in":[4],"confidence":"low"}]}"#,
        )],
    ),
    one(
        "confidence as a percentage",
        &[Says(
            r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2],"confidence":95},{"from":"lamp-room","type":"DRAWS_POWER_FROM","to":"Dynamo B","in":[4],"confidence":"80%"}]}"#,
        )],
    ),
    one(
        "status in capitals and other words",
        &[Says(
            r#"{"entities":[],"facts":[{"from":"lamp-room","type":"DRAWS_POWER_FROM","to":"Dynamo B","in":[4],"status":"Current"},{"from":"lamp-room","type":"DRAWS_POWER_FROM","to":"Dynamo A","in":[5],"status":"NOT_CURRENT"},{"from":"fog horn","type":"KEPT_BY","to":"Moira Lind","in":[6],"status":"Denied"}]}"#,
        )],
    ),
    one(
        "status that nobody knows, twice",
        &[
            Says(
                r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2],"status":"green"}]}"#,
            ),
            Says(
                r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2],"status":"green"}]}"#,
            ),
        ],
    ),
    one(
        "an end with its date",
        &[Says(
            r#"{"entities":[{"id":"e1","type":"Room","name":"lamp-room"},{"id":"e2","type":"Machine","name":"Dynamo A"}],"facts":[{"id":"f1","from":"e1","type":"DRAWS_POWER_FROM","to":"e2","in":[5]}],"details":[{"of":"f1","name":"status","value":"ended","in":[5]},{"of":"f1","name":"valid_to","value":"1911","in":[5]}]}"#,
        )],
    ),
    one(
        "single quotes and Python's words",
        &[Says(
            "{'entities': [{'id': 'e1', 'type': 'Room', 'name': 'lamp-room'}, {'id': 'e2', 'type': 'Keeper', 'name': 'Moira Lind'}], 'facts': [{'id': 'f1', 'from': 'e1', 'type': 'KEPT_BY', 'to': 'e2', 'in': [2], 'confidence': None}], 'details': []}",
        )],
    ),
    one(
        "trailing commas and comments",
        &[Says(
            "{\"entities\": [], // none\n \"facts\": [{\"from\": \"lamp-room\", \"type\": \"KEPT_BY\", \"to\": \"Moira Lind\", \"in\": [2,],},],}",
        )],
    ),
    one(
        "thoughts, a fence and prose",
        &[Says(
            "<think>{\"facts\": []} hm</think>Here is what I found [1]:\n```json\n{\"entities\": [], \"facts\": [{\"from\": \"lamp-room\", \"type\": \"KEPT_BY\", \"to\": \"Moira Lind\", \"in\": [2]}]}\n```\nShall I go on?",
        )],
    ),
    one(
        "two blocks",
        &[Says(
            "Entities:\n```json\n{\"entities\": [{\"id\": \"1\", \"type\": \"Room\", \"name\": \"lamp-room\"}, {\"id\": \"2\", \"type\": \"Keeper\", \"name\": \"Moira Lind\"}]}\n```\nFacts:\n```json\n{\"facts\": [{\"from\": \"1\", \"type\": \"KEPT_BY\", \"to\": \"2\", \"in\": 2}]}\n```",
        )],
    ),
    one(
        "one object a line",
        &[Says(
            "{\"type\": \"Room\", \"name\": \"lamp-room\"}\n{\"type\": \"Keeper\", \"name\": \"Moira Lind\"}\n{\"from\": \"lamp-room\", \"type\": \"KEPT_BY\", \"to\": \"Moira Lind\", \"in\": \"S2\"}",
        )],
    ),
    one(
        "the arguments of a tool call",
        &[Says(
            r#"{"name": "knowledge", "arguments": {"entities": [], "facts": [{"from": "lamp-room", "type": "KEPT_BY", "to": "Moira Lind", "in": ["2"]}]}}"#,
        )],
    ),
    one(
        "the words of other graph builders",
        &[Says(
            r#"{"nodes": [{"id": "0", "label": "Room", "properties": {"name": "lamp-room", "floor": 3}}, {"id": "Moira Lind", "label": "Keeper"}], "relationships": [{"head": "lamp-room", "head_type": "Room", "relation": "kept by", "tail": "Moira Lind", "tail_type": "Keeper", "evidence": "is kept by Moira Lind"}]}"#,
        )],
    ),
    one(
        "triples",
        &[Says(r#"[["lamp-room", "KEPT_BY", "Moira Lind"], ["lamp-room", "DRAWS_POWER_FROM", "Dynamo B"]]"#)],
    ),
    one(
        "lines in place of JSON",
        &[Says(
            "The facts are:\n1. kept\\_by(lamp-room, Moira Lind)\n- draws_power_from(lamp-room, machine)\n* eats(lamp-room, Dynamo B)",
        )],
    ),
    one(
        "turned round",
        &[Says(
            r#"{"entities":[{"id":"e1","type":"Keeper","name":"Moira Lind"},{"id":"e2","type":"Room","name":"lamp-room"}],"facts":[{"id":"f1","from":"e1","type":"KEPT_BY","to":"e2","in":[2]}],"details":[]}"#,
        )],
    ),
    one(
        "a relationship as a property",
        &[Says(
            r#"{"entities":[{"id":"e1","type":"Room","name":"lamp-room","properties":{"kept_by":"Moira Lind"}}],"facts":[]}"#,
        )],
    ),
    one(
        "a type in place of a name, and a pronoun",
        &[Says(
            r#"{"entities":[{"id":"e1","type":"Room","name":"room"},{"id":"e2","type":"Keeper","name":"She"},{"id":"e3","type":"Room","name":"the room"}],"facts":[],"details":[]}"#,
        )],
    ),
    one(
        "invented names, types and values",
        &[Says(
            r#"{"entities":[{"id":"e1","type":"Keeper","name":"Ada Low"},{"id":"e2","type":"Ship","name":"Dynamo B"},{"id":"e3","type":"Room","name":"lamp-room"}],"facts":[{"id":"f1","from":"e3","type":"KEPT_BY","to":"e1","in":[2]}],"details":[{"of":"e3","name":"colour","value":"red","in":[2]},{"of":"e3","name":"floor","value":"high","in":[2]}]}"#,
        )],
    ),
    one(
        "wrong numbers of sentences",
        &[Says(
            r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[99]},{"from":"fog horn","type":"KEPT_BY","to":"Jon Berg","in":[0,3]}]}"#,
        )],
    ),
    one(
        "elided and paraphrased evidence",
        &[Says(
            r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","evidence":"The lamp-room ... Moira Lind"},{"from":"fog horn","type":"KEPT_BY","to":"Jon Berg","evidence":"the fog horn is looked after by Jon Berg"}]}"#,
        )],
    ),
    one(
        "names in another spelling",
        &[Says(
            r#"{"entities":[],"facts":[{"from":"Lamp Room","type":"KEPT_BY","to":"MOIRA LIND","in":[2]},{"from":"foghorn","type":"KEPT_BY","to":"Jon  Berg","in":[6]}]}"#,
        )],
    ),
    one(
        "no JSON, then JSON",
        &[
            Says("I found that Moira Lind keeps the lamp-room."),
            Says(
                r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2]}],"details":[]}"#,
            ),
        ],
    ),
    one("no JSON, twice", &[Says("I cannot do that."), Says("Still no.")]),
    one("nothing, twice", &[Says(""), Says("  ")]),
    one("thoughts without end, twice", &[Says("<think>Let me see"), Says("<think>Let me see")]),
    one(
        "mostly faulty items, then mended",
        &[
            Says(
                r#"{"entities":["lamp-room",{"name":"lamp-room"},5],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2]}]}"#,
            ),
            Says(
                r#"{"entities":[{"id":"e1","type":"Room","name":"fog horn"},{"id":"e2","type":"Keeper","name":"Jon Berg"}],"facts":[{"id":"f1","from":"e1","type":"KEPT_BY","to":"e2","in":[6]}],"details":[]}"#,
            ),
        ],
    ),
    one(
        "cut off, the halves whole",
        &[
            Cut(
                r#"{"entities":[{"id":"e1","type":"Room","name":"lamp-room"},{"id":"e2","type":"Keeper","name":"Moira Lind"}],"facts":[{"id":"f1","from":"e1","type":"KEPT_BY","to":"e2","in":[2]},{"id":"f2","from":"e1","ty"#,
            ),
            Says(
                r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2]}],"details":[]}"#,
            ),
            Says(
                r#"{"entities":[],"facts":[{"from":"fog horn","type":"KEPT_BY","to":"Jon Berg","in":[3]}],"details":[]}"#,
            ),
        ],
    ),
    one(
        "cut off without being told so",
        &[
            Says(
                r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2]},{"from":"fog"#,
            ),
            Says(r#"{"entities":[],"facts":[],"details":[]}"#),
            Says(r#"{"entities":[],"facts":[],"details":[]}"#),
        ],
    ),
    one(
        "cut off again and again",
        &[
            Cut(r#"{"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2]},{"#),
            Cut("{"),
            Cut("{"),
            Cut("{"),
            Cut("{"),
            Cut("{"),
            Cut("{"),
        ],
    ),
    one(
        "the context is too short",
        &[
            TooLong,
            Says(
                r#"{"entities":[],"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2]}],"details":[]}"#,
            ),
            Says(r#"{"entities":[],"facts":[],"details":[]}"#),
        ],
    ),
    one("stopped by a filter, twice", &[Filtered, Filtered]),
    one("refused", &[Refused]),
    one("an empty list", &[Says("[]")]),
    one(
        "an empty object, then empty lists",
        &[Says("{}"), Says(r#"{"entities":[],"facts":[],"details":[]}"#)],
    ),
    one(
        "entities by identifier, in another case",
        &[Says(
            r#"{"entities":{"E1":{"type":"room","name":"lamp-room"},"E2":{"type":"KEEPER","name":"Moira Lind"}},"facts":[{"from":"e1","type":"kept by","to":"e2","in":"[2]"}]}"#,
        )],
    ),
    one(
        "missing commas and raw line breaks",
        &[Says(
            "{\"facts\": [{\"from\": \"lamp-room\" \"type\": \"KEPT_BY\" \"to\": \"Moira\nLind\" \"in\": [2]}]}",
        )],
    ),
    one(
        "whole entities as ends",
        &[Says(
            r#"{"facts":[{"from":{"type":"Room","name":"lamp-room"},"type":"KEPT_BY","to":{"type":"Keeper","name":"Moira Lind"},"in":[2]}]}"#,
        )],
    ),
    one(
        "the same fact three times",
        &[Says(
            r#"{"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind","in":[2]},{"from":"Lamp Room","type":"KEPT_BY","to":"Moira Lind","in":[2]},{"from":"lamp-room","type":"KEPT_BY","to":"Moira Lind"}]}"#,
        )],
    ),
    one(
        "a thing that is kept by itself",
        &[Says(r#"{"facts":[{"from":"lamp-room","type":"KEPT_BY","to":"lamp-room","in":[2]}]}"#)],
    ),
    one(
        "a detail of nothing",
        &[Says(
            r#"{"entities":[{"id":"e1","type":"Room","name":"lamp-room"}],"facts":[],"details":[{"of":"e9","name":"floor","value":"3","in":[2]}]}"#,
        )],
    ),
    one(
        "orders of the document obeyed",
        &[Says(r#"{"delete":"everything"}"#), Says("Everything is deleted.")],
    ),
];
