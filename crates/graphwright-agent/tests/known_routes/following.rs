//! How a route is followed, and when it is not.

use std::sync::Arc;

use graphwright_agent::{MemoryThreads, RouteVerdict, ThreadStore};
use graphwright_answer::{AnswerStatus, Event};
use graphwright_core::{NodeKey, Properties, store::ChangeSet};
use graphwright_llm::ScriptedModel;

use crate::{
    platform::{Platform, SERVICES, Told, libraries},
    player::{Manner, player},
};

fn question(service: &str) -> String {
    format!("Which libraries does {service} depend on?")
}

/// A graph whose agent has answered this many questions of one kind.
async fn after(count: usize) -> Platform {
    let platform = Platform::new().await;
    for service in &SERVICES[..count] {
        platform.ask(&question(service), Arc::new(player(Manner::Follows)), None).await;
    }
    platform
}

async fn ask(platform: &Platform, service: &str) -> (Told, ScriptedModel) {
    let model = player(Manner::Follows);
    (platform.ask(&question(service), Arc::new(model.clone()), None).await, model)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_offered_with_its_slots_filled() {
    let platform = after(2).await;
    let (told, model) = ask(&platform, SERVICES[2]).await;
    let offered = model.requests()[0].messages.last().unwrap().text();
    assert!(offered.contains("2 of 2 times by these calls"), "{offered}");
    assert!(offered.contains(r#"1. lookup_entity {"name":"mail-courier"}"#), "{offered}");
    assert!(offered.contains("{name: 'mail-courier'}") && !offered.contains("ledger"), "{offered}");
    assert!(offered.ends_with(&question(SERVICES[2])));
    let routes = platform.routes();
    assert_eq!(told.answer.followed.as_deref(), Some(routes[1].id.as_str()));
    assert_eq!(told.answer.steps, [format!("Followed the calls of route {}.", routes[1].id)]);
    assert_eq!((routes[0].steps, routes[2].steps), (3, 1));
    assert!(told.steps()[0].starts_with("offering the agent route "), "{:?}", told.steps());
    assert_eq!(routes[2].follows, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_route_that_has_proved_itself_needs_no_model() {
    let platform = after(5).await;
    let model = ScriptedModel::replies(Vec::<&str>::new());
    let told = platform.ask(&question(SERVICES[5]), Arc::new(model.clone()), None).await;
    let answer = &told.answer;
    assert_eq!((answer.status, &answer.model), (AnswerStatus::Answered, &None));
    let mut said: Vec<&str> = answer.answer.split(", ").collect();
    said.sort_unstable();
    let mut gold = libraries(5);
    gold.sort_unstable();
    assert_eq!(said, gold);
    let kinds: Vec<&str> = answer.paths.iter().map(|path| path.relationships[0].kind.as_str()).collect();
    assert_eq!(kinds, ["DEPENDS_ON"; 3]);
    assert_eq!(answer.entities.len(), 3);
    assert!(answer.cypher.as_ref().unwrap().contains("search-relay"));
    assert!(answer.steps[0].ends_with("which answered 5 of 5 questions of this kind; no model was asked."));
    assert_eq!((model.requests().len(), answer.usage.tokens()), (0, 0));
    assert!(matches!(told.events.last(), Some(Event::Done { answer }) if **answer == told.answer));
    let routes = platform.routes();
    let (route, before) = (&routes[5], &routes[4]);
    assert_eq!((route.follows.as_ref(), route.model.as_str()), (Some(&before.id), ""));
    assert_eq!((&answer.route, &answer.followed), (&Some(route.id.clone()), &Some(before.id.clone())));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_is_asked_where_the_route_finds_nothing() {
    let platform = after(5).await;
    let (told, model) = ask(&platform, "orphan").await;
    assert!(told.steps().iter().any(|step| step.ends_with("finds nothing here: asking the agent")));
    assert!(!model.requests().is_empty());
    assert_eq!((told.answer.status, &told.answer.followed), (AnswerStatus::NotInGraph, &None));
    // What failed is not offered to it either.
    assert!(!model.requests()[0].messages.last().unwrap().text().contains("by these calls"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_verdict_sends_the_question_back_to_the_agent() {
    let platform = after(5).await;
    let (told, _) = ask(&platform, SERVICES[5]).await;
    assert_eq!(told.answer.model, None);
    // A verdict on the run that followed counts like one on a run of its own.
    platform.book.judge(told.answer.route.as_ref().unwrap(), RouteVerdict::Wrong).unwrap();
    let (told, model) = ask(&platform, SERVICES[6]).await;
    assert!(told.answer.model.is_some() && told.answer.followed.is_some());
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_schema_or_kind_has_no_route_yet() {
    let platform = after(5).await;
    let words = "What does search-relay depend on?";
    let told = platform.ask(words, Arc::new(player(Manner::Follows)), None).await;
    assert_eq!(told.answer.followed, None);
    let mut changes = ChangeSet::new();
    changes.upsert_node(NodeKey::new("Region", "eu"), &[], Properties::from([("name".into(), "eu".into())]));
    platform.store.apply(changes).await.unwrap();
    let (told, model) = ask(&platform, SERVICES[5]).await;
    assert_eq!((told.answer.followed, model.requests().len()), (None, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_routes_nothing_is_followed_or_recorded() {
    let platform = Platform { has_routes: false, ..after(5).await };
    let (told, model) = ask(&platform, SERVICES[5]).await;
    assert_eq!((told.answer.followed, told.answer.route, model.requests().len()), (None, None, 4));
    assert_eq!(platform.routes().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_keeps_what_a_route_answered_and_is_only_offered_plans_after() {
    let platform = after(5).await;
    let threads: Arc<dyn ThreadStore> = Arc::new(MemoryThreads::new());
    let nobody = Arc::new(ScriptedModel::replies(Vec::<&str>::new()));
    let told = platform.ask(&question(SERVICES[5]), nobody, Some(Arc::clone(&threads))).await;
    let kept = threads.load("t").await.unwrap().messages;
    assert_eq!(kept.len(), 2);
    assert_eq!((kept[0].text(), kept[1].text()), (question(SERVICES[5]), told.answer.answer));

    let model = Arc::new(player(Manner::Follows));
    let told = platform.ask(&question(SERVICES[6]), model, Some(threads)).await;
    assert!(told.answer.model.is_some() && told.answer.followed.is_some(), "{:#?}", told.answer);
    assert!(platform.routes().last().unwrap().in_conversation);
}
