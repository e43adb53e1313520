//! Rewrites functions of points, which the engine lacks or computes on an ellipsoid.

use graphwright_cypher::syntax::tree::Expression;

use super::{Context, refuses, template::cypher};

pub(super) fn is_one(name: &str) -> bool {
    matches!(name, "point.distance" | "point.withinbbox")
}

pub(super) fn replacement(
    name: &str,
    arguments: &[Expression],
    context: &mut Context<'_>,
) -> Option<Expression> {
    Some(match (name, arguments) {
        ("point.distance", [from, to]) => context.bind([from.clone(), to.clone()], |[from, to]| {
            on_earth(
                &[from, to],
                distance(from, to),
                "the distance of points that are not on the surface of the Earth",
            )
        }),
        ("point.withinbbox", [point, low, high]) => {
            context.bind([point.clone(), low.clone(), high.clone()], |[point, low, high]| {
                let construct = "boxes around points that are not on the surface of the Earth";
                on_earth(&[point, low, high], within(point, low, high), construct)
            })
        }
        _ => return None,
    })
}

/// Gives a value if all points have latitude and longitude; other points are kept as maps. Gives
/// null if one is no point.
fn on_earth(points: &[&Expression], value: Expression, construct: &str) -> Expression {
    let all = |test: fn(&Expression) -> Expression| points.iter().map(|point| test(point)).collect();
    let are_points = Expression::all_of(all(|point| cypher!("$point IS :: POINT NOT NULL", point = point)));
    let is_map = Expression::any_of(all(|point| cypher!("$point IS :: MAP NOT NULL", point = point)));
    cypher!(
        "CASE WHEN $are_points THEN $value WHEN $is_map THEN $refusal ELSE null END",
        are_points = are_points.unwrap_or_default(),
        value = value,
        is_map = is_map.unwrap_or_default(),
        refusal = refuses(construct),
    )
}

/// Computes the distance in metres along a great circle, by the haversine formula.
///
/// The sphere has a radius of 6378140 m, as in Neo4j 5
/// (`org.neo4j.values.storable.CRSCalculator.GeographicCalculator`).
fn distance(from: &Expression, to: &Expression) -> Expression {
    let angle = cypher!(
        "sin((radians($to.latitude) - radians($from.latitude)) / 2.0) ^ 2 \
         + cos(radians($from.latitude)) * cos(radians($to.latitude)) \
         * sin((radians($to.longitude) - radians($from.longitude)) / 2.0) ^ 2",
        from = from,
        to = to,
    );
    cypher!(
        "head([_gw_a IN [$angle] | 6378140.0 * 2.0 * atan2(sqrt(_gw_a), sqrt(1.0 - _gw_a))])",
        angle = angle
    )
}

/// Tests whether a point lies in a box. The box may span the date line: then its western edge lies
/// east of its eastern one.
fn within(point: &Expression, low: &Expression, high: &Expression) -> Expression {
    cypher!(
        "$low.latitude <= $point.latitude AND $point.latitude <= $high.latitude \
         AND CASE WHEN $low.longitude <= $high.longitude \
         THEN $low.longitude <= $point.longitude AND $point.longitude <= $high.longitude \
         ELSE $low.longitude <= $point.longitude OR $point.longitude <= $high.longitude END",
        point = point,
        low = low,
        high = high,
    )
}
