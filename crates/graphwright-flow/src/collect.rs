//! What a step keeps until it has all that belongs together.

use std::{any::Any, collections::BTreeMap, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use crate::lineage::{Lineage, Member};

/// What [`Context::collect`](crate::Context::collect) gives: `[T; N]` for any `N` of them, `Vec<T>` for a whole batch.
pub trait Collection: Sized {
    /// What is collected.
    type Item: Clone + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// How many there must be; `None` for all of the batch.
    #[doc(hidden)]
    const SIZE: Option<usize>;

    #[doc(hidden)]
    fn from_items(items: Vec<Self::Item>) -> Option<Self>;
}

impl<T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static, const N: usize> Collection for [T; N] {
    type Item = T;

    const SIZE: Option<usize> = Some(N);

    fn from_items(items: Vec<T>) -> Option<Self> {
        items.try_into().ok()
    }
}

impl<T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static> Collection for Vec<T> {
    type Item = T;

    const SIZE: Option<usize> = None;

    fn from_items(items: Vec<T>) -> Option<Self> {
        Some(items)
    }
}

/// What a step keeps, by delivery. Only one attempt at a time has it.
#[derive(Default)]
pub(crate) struct Collector {
    pub(crate) kept: BTreeMap<u64, Kept>,
}

/// A value that is kept.
pub(crate) struct Kept {
    pub(crate) lineage: Lineage,
    pub(crate) value: KeptValue,
}

pub(crate) enum KeptValue {
    /// As the step gave it, and how to write it.
    Live { value: Arc<dyn Any + Send + Sync>, encode: fn(&dyn Any) -> serde_json::Result<Value> },
    /// As it stands in a checkpoint.
    Written(Value),
}

impl KeptValue {
    pub(crate) fn live<T: Serialize + Send + Sync + 'static>(value: T) -> Self {
        let encode = |value: &dyn Any| match value.downcast_ref::<T>() {
            Some(value) => serde_json::to_value(value),
            None => Err(serde::ser::Error::custom("another type")),
        };
        Self::Live { value: Arc::new(value), encode }
    }

    pub(crate) fn encode(&self) -> serde_json::Result<Value> {
        match self {
            Self::Live { value, encode } => encode(&**value),
            Self::Written(value) => Ok(value.clone()),
        }
    }

    fn read<T: Clone + DeserializeOwned + 'static>(&self) -> Result<T, String> {
        match self {
            Self::Live { value, .. } => value
                .downcast_ref()
                .cloned()
                .ok_or_else(|| "what it kept before is of another type".to_owned()),
            Self::Written(value) => {
                T::deserialize(value).map_err(|error| format!("what it kept before cannot be read: {error}"))
            }
        }
    }
}

/// What an attempt did with its collector. It keeps others away until it is carried out or given up.
pub(crate) struct Collected {
    pub(crate) collector: OwnedMutexGuard<Collector>,
    pub(crate) change: Change,
}

impl Collected {
    /// The lineage of what the step sends, if it has all now.
    pub(crate) fn lineage(&self) -> Option<&Lineage> {
        match &self.change {
            Change::Keep(_) => None,
            Change::Release { lineage, .. } => Some(lineage),
        }
    }
}

pub(crate) enum Change {
    Keep(Kept),
    Release {
        deliveries: Vec<u64>,
        /// Of what the step makes of all of them.
        lineage: Lineage,
    },
}

impl Collector {
    /// Adds a value to what is kept, in thought: the values, if all are there, and the change to carry out.
    pub(crate) fn add<C: Collection>(
        &self,
        delivery: u64,
        lineage: &Lineage,
        value: C::Item,
    ) -> Result<(Option<C>, Change), String> {
        let (size, batch) = match (C::SIZE, lineage.member()) {
            (Some(size), _) => (size, None),
            (None, Some(member)) => (member.size as usize, Some(member)),
            (None, None) => {
                return Err(
                    "it collects a batch, and this event is of none: send it with `ctx.send_all`".to_owned()
                );
            }
        };
        let others = self.of_batch(batch)?;
        if others.len() + 1 < size {
            let kept = Kept { lineage: lineage.clone(), value: KeptValue::live(value) };
            return Ok((None, Change::Keep(kept)));
        }
        let mut values = Vec::with_capacity(size);
        for (other, kept) in &others {
            values.push((order(**other, &kept.lineage, batch), kept.value.read::<C::Item>()?));
        }
        values.push((order(delivery, lineage, batch), value));
        values.sort_by_key(|(order, _)| *order);
        let common = Lineage::common(others.iter().map(|(_, kept)| &kept.lineage).chain([lineage]));
        let is_alone = batch.is_some() && common.batches().len() == lineage.batches().len();
        let lineage = if is_alone { common.outside() } else { common };
        let deliveries = others.iter().map(|(delivery, _)| **delivery).collect();
        let collection = C::from_items(values.into_iter().map(|(_, value)| value).collect())
            .ok_or("it collects an array of no events")?;
        Ok((Some(collection), Change::Release { deliveries, lineage }))
    }

    /// What is kept of a batch, or all that is kept.
    fn of_batch(&self, batch: Option<Member>) -> Result<Vec<(&u64, &Kept)>, String> {
        let Some(batch) = batch else { return Ok(self.kept.iter().collect()) };
        let mut found = Vec::new();
        for (delivery, kept) in &self.kept {
            let Some(member) = kept.lineage.member().filter(|member| member.batch == batch.batch) else {
                continue;
            };
            if member.index == batch.index {
                let place = member.index + 1;
                return Err(format!("member {place} of a batch of {} came twice", member.size));
            }
            found.push((delivery, kept));
        }
        Ok(found)
    }
}

/// Values stand in the order in which their events were sent.
fn order(delivery: u64, lineage: &Lineage, batch: Option<Member>) -> u64 {
    match (batch, lineage.member()) {
        (Some(_), Some(member)) => member.index.into(),
        _ => delivery,
    }
}
