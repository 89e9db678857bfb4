//! Lines as text.

/// Encoded polyline, precision 5, from pairs of longitude and latitude. `None` when one is not on the globe.
pub(crate) fn encode(line: &[(f64, f64)]) -> Option<String> {
    polyline::encode_coordinates(line.iter().map(|pair| (*pair).into()), 5).ok()
}

/// Pairs of longitude and latitude from an encoded polyline. `None` when it is not one.
pub fn decode(line: &str) -> Option<Vec<(f64, f64)>> {
    let line = polyline::decode_polyline(line, 5).ok()?;
    Some(line.into_iter().map(|c| (c.x, c.y)).collect())
}
