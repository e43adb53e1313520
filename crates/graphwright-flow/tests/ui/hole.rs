use graphwright_flow::{Event, flow};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize, Event)]
struct Order;
#[derive(Clone, Serialize, Deserialize, Event)]
struct Line;
#[derive(Clone, Serialize, Deserialize, Event)]
struct Receipt;

struct Shop;

#[flow(start = Order, stop = Receipt)]
impl Shop {
    #[step]
    async fn split(&self, _: Order) -> (Line, Receipt) {
        (Line, Receipt)
    }
}

fn main() {}
