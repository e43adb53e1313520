use graphwright_flow::{Event, OneOf, flow};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize, Event)]
struct Order;
#[derive(Clone, Serialize, Deserialize, Event)]
struct Receipt;

#[derive(OneOf)]
enum Next {
    Order,
}

struct Shop;

#[flow(start = Order, stop = Receipt)]
impl Shop {
    #[step(worker = 3)]
    async fn split(&mut self, _: &Order) {}

    #[step]
    async fn total(&mut self, order: Order, receipt: Receipt) {}
}

fn main() {}
