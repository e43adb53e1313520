use graphwright_flow::{Event, flow};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize, Event)]
struct Order;
#[derive(Clone, Serialize, Deserialize, Event)]
struct Receipt;

struct NoEvent;

struct Shop;

#[flow(start = Order, stop = Receipt)]
impl Shop {
    #[step]
    async fn split(&self, _: Order) -> Vec<Order> {
        Vec::new()
    }

    #[step]
    async fn total(&self, _: NoEvent) -> Receipt {
        Receipt
    }
}

fn main() {}
