//! What an installation says about its vehicles, and the side of the street.

use routewright_streets::Profiles;

use crate::rules::{ladder, with};
use crate::town::{Town, at, corners, plain};

const STREET: (&str, &str) = ("highway", "residential");

fn town(west: &[(&str, &str)], vehicles: &str) -> Town {
    let mut map = corners(4, &plain);
    ladder(4, west, &mut map);
    Town::with(&map, vehicles, &|_| ())
}

/// Issue 12.2: tolls are paid where that is quicker, and gone round by those who say so, unless there is no other way.
#[test]
fn tolls() {
    let (south, north) = (at(0.0, 0.1), at(3.0, 0.1));
    let avoided = r#"{"profiles": {"van": {"tolls": 0.1}}}"#;
    let toll = town(&[STREET, ("toll", "yes")], avoided);
    assert_eq!(["car", "van"].map(|who| toll.steps(who, south, north)), [Some(3), Some(5)]);
    assert_eq!(
        toll.steps("van", south, at(1.5, 0.0)),
        Some(3),
        "a place on it is reached over the least of it"
    );
    let trucks = town(&[STREET, ("toll:hgv", "yes")], r#"{"profiles": {"truck": {"tolls": 0.1}}}"#);
    assert_eq!(["van", "truck"].map(|who| trucks.steps(who, south, north)), [Some(3), Some(5)]);
}

/// Issue 12.2: vehicles are as high, wide, long and heavy as their operator says.
#[test]
fn own_sizes() {
    let (south, north) = (at(0.0, 0.1), at(3.0, 0.1));
    for (limit, size) in [
        (("maxheight", "3.5"), r#""height": 3.4"#),
        (("maxweight", "7.5"), r#""weight": 7.5"#),
        (("maxlength", "9"), r#""length": 8.9"#),
        (("maxwidth", "2.4"), r#""width": 2.3"#),
    ] {
        let small = format!(r#"{{"profiles": {{"truck": {{{size}}}}}}}"#);
        let steps = |vehicles| town(&[STREET, limit], vehicles).steps("truck", south, north);
        assert_eq!([steps("{}"), steps(&small)], [Some(5), Some(3)], "{limit:?}");
    }
}

/// Issue 12: what is wrong in it is named.
#[test]
fn wrong_vehicles() {
    let free = Profiles::built_in().unwrap();
    for (text, told) in [
        (r#"{"profiles": {"sledge": {}}}"#, "there is no profile `sledge`"),
        (r#"{"profiles": {"van": {"tolls": 0}}}"#, "van: `tolls` is 0"),
        (r#"{"profiles": {"van": {"height": -1}}}"#, "van: a size"),
        (r#"{"profiles": {"van": {"wings": 2}}}"#, "unknown field `wings`"),
    ] {
        let error = free.with_hours(text).expect_err(told).to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// Issue 12.2: vans come to a place on the side of the street that they drive on where they cannot cross it; cars stop anywhere, and
/// so does everybody in a street that can be crossed. Whoever drives off goes on in that direction.
#[test]
fn side_of_the_street() {
    // A tenth of a step is 10 m: the first place lies west of the street, on the left of whoever drives north.
    let (south, west, east) = (at(0.2, 0.0), at(1.5, -0.1), at(1.5, 0.1));
    for divided in [("divider", "median"), ("lanes", "4")] {
        let town = with(&[STREET, divided]);
        let steps = |who, to| town.steps(who, south, to);
        assert_eq!([steps("car", west), steps("car", east)], [Some(1); 2], "{divided:?}");
        assert_eq!(steps("van", east), Some(1), "{divided:?}");
        assert!(steps("van", west) >= Some(5), "{divided:?}: round the block, {:?}", steps("van", west));
        assert_eq!(town.steps("van", west, south), Some(1), "{divided:?}");
        assert!(town.steps("van", east, south) >= Some(3), "{divided:?}");
    }
    let town = with(&[STREET]);
    assert_eq!([town.steps("van", south, west), town.steps("van", south, east)], [Some(1); 2]);
}
