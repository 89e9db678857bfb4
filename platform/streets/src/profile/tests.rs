//! Reading a file of profiles.

use super::*;

/// A speed of zero, and whatever else is no speed, is refused by its name.
#[test]
fn zero_speeds_are_named() {
    for (from, to, told) in [
        (r#""living_street": 10,"#, r#""living_street": 0,"#, "networks.motor.speeds.living_street: 0 km/h"),
        (r#""mud": 10,"#, r#""mud": -1,"#, "surfaces.surface.mud: -1 km/h"),
        (r#""top_speed": 110"#, r#""top_speed": 1e300"#, "profiles.van.top_speed"),
        (r#""name": "car","#, r#""name": "car", "wings": 2,"#, "wings"),
    ] {
        let changed = BUILT_IN.replacen(from, to, 1);
        assert_ne!(changed, BUILT_IN, "{from} is in the file");
        let error = Profiles::parse(&changed).expect_err(told).to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// Without hours of its own an installation plans with free streets: nobody is told traffic that was guessed.
#[test]
fn hours_of_the_week() {
    let free = Profiles::built_in().expect("right");
    assert_eq!((free.metrics.len(), free.hours()), (1, [0; WEEK]));
    let text = include_str!("example-hours.json");
    let profiles = free.with_hours(text).expect("right");
    let name =
        |day: usize, hour: usize| profiles.metrics[profiles.hours()[(day - 1) * 24 + hour]].name.as_str();
    assert_eq!([name(1, 8), name(3, 12), name(5, 17), name(7, 3)], ["morning", "midday", "evening", "night"]);
    assert_eq!([name(6, 8), name(2, 6)], ["free_flow", "free_flow"]);
    for (from, to, told) in [
        (r#""motorway": 0.75,"#, r#""motorway": 0,"#, "metrics.morning.speed.motorway: 0"),
        (r#""metric": "midday""#, r#""metric": "noon""#, "there is no metric `noon`"),
        (r#""hours": [7, 10]"#, r#""hours": [10, 7]"#, "are not in a week"),
        (r#""week""#, r#""weeks""#, "unknown field `weeks`"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from} is in the file");
        let error = free.with_hours(&changed).expect_err(told).to_string();
        assert!(error.contains(told), "{error}");
    }
}

fn tags<'a>(tags: &'a [(&'a str, &'a str)]) -> Tags<'a> {
    tags.iter().copied().collect()
}

/// Who may drive on a way, and how fast.
#[test]
fn ways_by_profile() {
    let profiles = Profiles::built_in().expect("right");
    let speeds = |profile: &str, of: &[(&str, &str)]| {
        let profile = profiles.profiles.iter().find(|known| known.name == profile).expect("a profile");
        let way = profiles.way(profile, &tags(of), &mut Conditions::default());
        way.map(|way| way.drives.map(|drive| drive.map(|drive| (drive.speed, drive.restricted))))
    };
    let both = |speed: f64| Some([Some((speed, false)); 2]);
    let residential = ("highway", "residential");
    assert_eq!(speeds("car", &[residential]), both(25.0));
    assert_eq!(speeds("car", &[residential, ("maxspeed", "30 mph")]), both(30.0 * 1.609_344 * 0.8));
    assert_eq!(speeds("car", &[residential, ("surface", "mud")]), both(10.0));
    assert_eq!(speeds("car", &[residential, ("oneway", "-1")]), Some([None, Some((25.0, false))]));
    let one_way = ("oneway", "yes");
    assert_eq!(speeds("car", &[residential, one_way]), Some([Some((25.0, false)), None]));
    assert_eq!(speeds("bicycle", &[residential, one_way, ("oneway:bicycle", "no")]), both(15.0));
    assert_eq!(
        speeds("car", &[("highway", "secondary"), ("junction", "roundabout")]).map(|way| way[1]),
        Some(None)
    );
    for closed in [("access", "no"), ("motor_vehicle", "no"), ("highway", "footway"), ("area", "yes")] {
        assert_eq!(speeds("car", &[closed, residential]), None, "{closed:?}");
    }
    assert_eq!(speeds("car", &[residential, ("access", "destination")]), Some([Some((25.0, true)); 2]));
    assert_eq!(
        speeds("van", &[residential, ("access", "no"), ("goods", "delivery")]),
        Some([Some((25.0, true)); 2])
    );
    for limit in [
        ("maxheight", "3.5"),
        ("maxweight", "7.5 t"),
        ("maxlength", "10"),
        ("maxwidth", "8'0\""),
        ("hgv", "no"),
    ] {
        assert!(speeds("car", &[residential, limit]).is_some(), "{limit:?}");
        assert_eq!(speeds("truck", &[residential, limit]), None, "{limit:?}");
    }
    let tunnel = [("highway", "primary"), ("hazmat", "no")];
    assert!(speeds("truck", &tunnel).is_some() && speeds("hazmat_truck", &tunnel).is_none());
    assert_eq!(
        speeds("truck", &[("highway", "motorway"), ("maxspeed", "120")]).map(|way| way[0]),
        Some(Some((80.0, false)))
    );
    assert_eq!(speeds("car", &[("route", "ferry")]), both(5.0));
    assert_eq!(speeds("bicycle", &[("highway", "motorway")]), None);
    assert_eq!(speeds("bicycle", &[("highway", "footway"), ("bicycle", "yes")]), both(6.0));
}

#[test]
fn barriers() {
    let profiles = Profiles::built_in().expect("right");
    let closed = |profile: usize, of: &[(&str, &str)]| profiles.profiles[profile].passage(&tags(of)).closed;
    let (car, truck, bicycle) = (0, 2, 4);
    for (of, expected) in [
        (&[("barrier", "bollard")][..], [true, true, false]),
        (&[("barrier", "bollard"), ("bollard", "rising")], [false; 3]),
        (&[("barrier", "wall")], [true; 3]),
        (&[("barrier", "toll_booth")], [false; 3]),
        (&[("barrier", "height_restrictor"), ("maxheight", "2.5")], [false, true, false]),
        (&[("barrier", "gate"), ("access", "no")], [true; 3]),
    ] {
        assert_eq!([car, truck, bicycle].map(|profile| closed(profile, of)), expected, "{of:?}");
    }
    let gate = profiles.profiles[0].passage(&tags(&[("barrier", "gate")]));
    assert_eq!((gate.closed, gate.delay), (false, [60.0; 2]));
}
