//! Events go to every step that takes their type.

use graphwright_flow::{Context, Event, FlowError, OneOf, Runner, flow};
use serde::{Deserialize, Serialize};

use crate::{Begin, End};

#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Even(u32);
#[derive(Clone, Debug, Serialize, Deserialize, Event)]
struct Odd(u32);

#[derive(OneOf)]
enum Parity {
    Even(Even),
    Odd(Odd),
}

struct Sorter;

#[flow(start = Begin, stop = End)]
impl Sorter {
    #[step]
    fn sort(&self, begin: Begin) -> Parity {
        if begin.0.is_multiple_of(2) { Even(begin.0).into() } else { Parity::Odd(Odd(begin.0)) }
    }

    /// A step takes one of several events too.
    #[step]
    async fn name(parity: Parity) -> End {
        End(match parity {
            Parity::Even(Even(number)) => format!("{number} is even"),
            Parity::Odd(Odd(number)) => format!("{number} is odd"),
        })
    }
}

#[tokio::test]
async fn an_enum_sends_and_takes_one_of_several_events() {
    let runner = Runner::new(Sorter);
    assert_eq!(runner.run(Begin(4)).await.unwrap().0, "4 is even");
    assert_eq!(runner.run(Begin(7)).await.unwrap().0, "7 is odd");
}

/// Both steps take the start; what they send is collected.
struct Twofold;

#[flow(start = Begin, stop = End)]
impl Twofold {
    #[step]
    async fn one(&self, begin: Begin) -> Even {
        Even(begin.0)
    }

    #[step]
    async fn other(&self, begin: Begin, ctx: &Context<Self>) -> (Even, Even) {
        assert_eq!(ctx.step(), "other");
        (Even(begin.0 + 1), Even(begin.0 + 2))
    }

    #[step]
    async fn together(&self, even: Even, ctx: &Context<Self>) -> Option<End> {
        let [one, two, three] = ctx.collect::<[_; 3]>(even).await?;
        Some(End(format!("{} {} {}", one.0, two.0, three.0)))
    }
}

#[tokio::test]
async fn an_event_goes_to_all_who_take_it_and_a_tuple_sends_all_its_parts() {
    assert_eq!(Runner::new(Twofold).run(Begin(1)).await.unwrap().0.split(' ').count(), 3);
}

mod elsewhere {
    use super::{Deserialize, Event, Serialize};

    /// Another type of the same name.
    #[derive(Clone, Debug, Serialize, Deserialize, Event)]
    pub(super) struct Even(pub(super) u32);
}

struct Ambiguous;

#[flow(start = Begin, stop = End)]
impl Ambiguous {
    #[step]
    async fn split(&self, begin: Begin) -> (Even, elsewhere::Even) {
        (Even(begin.0), elsewhere::Even(begin.0))
    }

    #[step]
    async fn one(&self, even: Even) -> End {
        End(even.0.to_string())
    }

    #[step]
    async fn other(&self, even: elsewhere::Even) {
        assert!(even.0 > 0);
    }
}

#[tokio::test]
async fn two_events_of_one_name_are_refused_at_the_start() {
    let error = Runner::new(Ambiguous).run(Begin(1)).await.unwrap_err();
    assert!(matches!(error, FlowError::SameName { .. }));
    assert_eq!(
        error.to_string(),
        "two events of the flow `Ambiguous` are named `Even`: flows::routing::Even and flows::routing::elsewhere::Even"
    );
    assert_eq!(error.hint(), Some("give one another name: `#[event(name = \"…\")]`"));
}
