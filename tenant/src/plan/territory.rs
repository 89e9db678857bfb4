//! Which territories jobs lie in (S-20). A point on the border belongs to the territory; holes do not.

use std::collections::HashMap;

use routewright_core::Result;
use serde::Deserialize;
use sqlx::postgres::PgConnection;
use sqlx::types::Json;

/// GeoJSON, longitude first.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Polygon(Vec<Ring>),
    MultiPolygon(Vec<Vec<Ring>>),
}

type Ring = Vec<Vec<f64>>;

impl Geometry {
    fn contains(&self, lon: f64, lat: f64) -> bool {
        match self {
            Self::Polygon(rings) => inside(rings, lon, lat),
            Self::MultiPolygon(polygons) => polygons.iter().any(|rings| inside(rings, lon, lat)),
        }
    }
}

/// Inside the outer ring and in no hole, borders counted in.
fn inside(rings: &[Ring], lon: f64, lat: f64) -> bool {
    let Some((outer, holes)) = rings.split_first() else { return false };
    let place = |ring: &Ring| position(ring, lon, lat);
    place(outer) != Position::Outside && holes.iter().all(|hole| place(hole) != Position::Inside)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Inside,
    Border,
    Outside,
}

/// Even-odd rule along a ray to the east.
fn position(ring: &Ring, x: f64, y: f64) -> Position {
    let mut inside = false;
    for pair in ring.windows(2) {
        let ([x1, y1], [x2, y2]) = (point(&pair[0]), point(&pair[1]));
        let cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
        let between = x >= x1.min(x2) && x <= x1.max(x2) && y >= y1.min(y2) && y <= y1.max(y2);
        if cross == 0.0 && between {
            return Position::Border;
        }
        if (y1 > y) != (y2 > y) && x < (x2 - x1) * (y - y1) / (y2 - y1) + x1 {
            inside = !inside;
        }
    }
    if inside { Position::Inside } else { Position::Outside }
}

fn point(coordinates: &[f64]) -> [f64; 2] {
    match coordinates {
        [x, y, ..] => [*x, *y],
        _ => [f64::NAN, f64::NAN],
    }
}

/// The territories of each place, by job. Those of the scenario's groups when it has any, else all.
pub(crate) async fn of_jobs(
    connection: &mut PgConnection,
    scenario: i64,
    places: impl IntoIterator<Item = (i64, f64, f64)>,
) -> Result<HashMap<i64, Vec<i64>>> {
    let rows: Vec<(i64, Json<Geometry>)> = sqlx::query_as(
        "select t.id, t.geometry from territories t
         where not exists (select from scenario_territory_groups g where g.scenario_id = $1)
             or exists (
                 select from scenario_territory_groups g
                 join territory_group_territories m on m.territory_group_id = g.territory_group_id
                 where g.scenario_id = $1 and m.territory_id = t.id
             )
         order by t.id",
    )
    .bind(scenario)
    .fetch_all(connection)
    .await?;
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(places
        .into_iter()
        .map(|(job, lat, lon)| {
            let around = rows.iter().filter(|(_, geometry)| geometry.contains(lon, lat));
            (job, around.map(|(id, _)| *id).collect())
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-20: a point on the border belongs to the territory; holes and other islands are told apart.
    #[test]
    fn points_inside_on_the_border_and_in_a_hole() {
        let text = r#"{"type":"MultiPolygon","coordinates":[
            [[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[6,4],[6,6],[4,6],[4,4]]],
            [[[20,20],[21,20],[21,21],[20,20]]]]}"#;
        let geometry: Geometry = serde_json::from_str(text).expect("GeoJSON");
        for (lon, lat, expected) in [
            (1.0, 1.0, true),
            (10.0, 5.0, true),
            (0.0, 0.0, true),
            (5.0, 5.0, false),
            (4.0, 5.0, true),
            (11.0, 5.0, false),
            (20.9, 20.5, true),
            (20.1, 20.9, false),
        ] {
            assert_eq!(geometry.contains(lon, lat), expected, "{lon} {lat}");
        }
    }
}
