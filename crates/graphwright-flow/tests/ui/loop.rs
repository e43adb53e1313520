use graphwright_flow::{Event, OneOf, flow};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize, Event)]
struct Order;
#[derive(Clone, Serialize, Deserialize, Event)]
struct Draft;
#[derive(Clone, Serialize, Deserialize, Event)]
struct Receipt;

#[derive(OneOf)]
enum Review {
    Again(Draft),
    Good(Receipt),
}

struct Editor;

#[flow(start = Order, stop = Receipt)]
impl Editor {
    #[step]
    async fn write(&self, _: Order) -> Draft {
        Draft
    }

    #[step]
    async fn review(&self, draft: Draft) -> Review {
        draft.into()
    }
}

fn main() {}
