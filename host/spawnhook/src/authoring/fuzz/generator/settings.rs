use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value};

use super::super::case::CaseSettings;

/// One change of a value.
#[derive(Clone, Debug)]
enum Mutation {
    Remove,
    Replace(Value),
    Add(String, Value),
}

/// The author's settings, or now and then some that were changed. A hook without settings keeps
/// its empty ones.
pub(super) fn settings(authored: &[Value]) -> BoxedStrategy<CaseSettings> {
    let authored = authored.to_vec();
    let count = authored.len();
    let chosen = (0..count).prop_map(CaseSettings::Authored);
    let takes_settings = authored
        .iter()
        .any(|value| value.as_object().is_some_and(|members| !members.is_empty()));
    if !takes_settings {
        return chosen.boxed();
    }
    let mutations = vec((any::<Index>(), mutation()), 1..4);
    let made_up = (0..count, mutations).prop_map(move |(index, mutations)| {
        let mut value = authored[index].clone();
        for (place, mutation) in &mutations {
            let place = place.index(places(&value));
            mutate(&mut value, place, mutation);
        }
        CaseSettings::MadeUp(value)
    });
    prop_oneof![7 => chosen, 1 => made_up].boxed()
}

fn mutation() -> BoxedStrategy<Mutation> {
    prop_oneof![
        Just(Mutation::Remove),
        value().prop_map(Mutation::Replace),
        ("[a-z_]{0,8}", value()).prop_map(|(name, value)| Mutation::Add(name, value)),
    ]
    .boxed()
}

/// A value that TOML can write, since it is kept in a file of fixtures.
fn value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-9_i64..99).prop_map(Value::from),
        "[ -~]{0,16}".prop_map(Value::from),
        "[^\0]{0,16}".prop_map(Value::from),
        "[(\\[\\\\*+?|)$a-c]{1,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,8}", inner, 0..4)
                .prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
    .boxed()
}

/// How many values there are in a value, itself included.
fn places(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(places).sum(),
        Value::Object(members) => members.values().map(places).sum(),
        _ => 0_usize,
    }
}

/// Changes the value at a place, in the order of [`places`]. The whole stays an object.
fn mutate(value: &mut Value, place: usize, mutation: &Mutation) {
    if place == 0 {
        if let (Value::Object(members), Mutation::Add(name, new)) = (value, mutation) {
            members.insert(name.clone(), new.clone());
        }
        return;
    }
    match value {
        Value::Array(values) => {
            let removed = descend(values.iter_mut().enumerate(), place, mutation);
            removed.map(|index| values.remove(index));
        }
        Value::Object(members) => {
            let named = members
                .iter_mut()
                .map(|(name, value)| (name.clone(), value));
            let removed = descend(named, place, mutation);
            removed.and_then(|name| members.remove(&name));
        }
        _ => {}
    }
}

/// Finds the place among the members of a value; returns the key of the one to be removed.
fn descend<'a, K>(
    members: impl Iterator<Item = (K, &'a mut Value)>,
    place: usize,
    mutation: &Mutation,
) -> Option<K> {
    let mut place = place - 1;
    for (key, member) in members {
        let inside = places(member);
        if place >= inside {
            place -= inside;
            continue;
        }
        match mutation {
            Mutation::Remove if place == 0 => return Some(key),
            Mutation::Replace(new) if place == 0 => member.clone_from(new),
            _ => mutate(member, place, mutation),
        }
        return None;
    }
    None
}
