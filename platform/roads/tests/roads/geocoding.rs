//! Addresses: coordinates typed as text, and servers that answer as Nominatim and Photon do.

use routewright_roads::{Geocoder, HttpGeocoder, HttpKind, Point, TypedCoordinates, typed_coordinates};

use crate::server::{Answer, Socket, free_port};

fn point(lat: f64, lon: f64) -> Point {
    Point::new(lat, lon).unwrap()
}

/// S-41: 'lat, lon' typed as text is a place; anything else is an address.
#[test]
fn coordinates_as_text() {
    let porto = Some(point(41.15, -8.61));
    for text in [
        "41.15, -8.61",
        "41.15,-8.61",
        " 41.15 , -8.61 ",
        "41.15 -8.61",
        "41,15; -8,61",
        "41,15, -8,61",
        "41.15;-8.61",
        "(41.15, -8.61)",
        "41.15° N, 8.61° W",
        "41.15N, 8.61W",
        "+41.15, -08.610",
    ] {
        assert_eq!(typed_coordinates(text), porto, "'{text}'");
    }
    assert_eq!(typed_coordinates("-37, 145"), Some(point(-37.0, 145.0)));
    assert_eq!(typed_coordinates("37.8°S, 144.9°E"), Some(point(-37.8, 144.9)));
    for text in [
        "",
        ",",
        "41.15",
        "Rua do Loureiro 68, Porto",
        "Rua 12, 14",
        "91, 0",
        "0, 181",
        "12 34",
        "4000-328, Porto",
        "NaN, 1",
        "1e1, 2",
        "inf, 0",
        "41.15, -8.61, 3",
        "41.15 E, 8.61 N",
        "°, °",
    ] {
        assert_eq!(typed_coordinates(text), None, "'{text}'");
    }
}

#[tokio::test]
async fn without_a_server() {
    let found = TypedCoordinates.search("41.15, -8.61", 5, None).await.unwrap();
    assert_eq!(
        (found.len(), found[0].point, found[0].address.as_str()),
        (1, point(41.15, -8.61), "41.15, -8.61")
    );
    assert!(TypedCoordinates.search("Rua do Loureiro", 5, None).await.unwrap().is_empty());
    assert_eq!(TypedCoordinates.reverse(point(41.15, -8.61)).await.unwrap(), None);
}

const NOMINATIM: &str = r#"[
  {"place_id": 1, "lat": "41.1450330", "lon": "-8.6102530", "display_name": "Rua do Loureiro, Sé, Porto, 4000-328, Portugal"},
  {"place_id": 2, "lat": "x", "lon": "0", "display_name": "broken"},
  {"place_id": 3, "lat": "38.5", "lon": "-9.1", "display_name": "Rua do Loureiro, Amora, Portugal"}
]"#;

/// S-41: the shape of Nominatim.
#[tokio::test]
async fn nominatim() {
    let mut server = Socket::open(Answer::Reply(200, NOMINATIM)).await;
    let geocoder = HttpGeocoder::new(&server.url, HttpKind::Nominatim).unwrap();
    let found = geocoder.search("Rua do Loureiro & Co", 5, Some(point(41.15, -8.61))).await.unwrap();
    assert_eq!(found.len(), 2, "a place without a position is none");
    assert_eq!(found[0].address, "Rua do Loureiro, Sé, Porto, 4000-328, Portugal");
    assert_eq!(found[0].point, point(41.145_033, -8.610_253));
    let request = server.received().remove(0);
    let asked = request.lines().next().unwrap();
    assert!(
        asked.starts_with("GET /search?q=Rua+do+Loureiro+%26+Co&format=jsonv2&limit=5&viewbox="),
        "{asked}"
    );
    assert!(request.to_lowercase().contains("user-agent: routewright/"), "{request}");
    assert_eq!(geocoder.search("Rua do Loureiro", 1, None).await.unwrap().len(), 1);
    // Coordinates are not sent to anybody.
    server.received();
    assert_eq!(geocoder.search("41.15, -8.61", 5, None).await.unwrap()[0].point, point(41.15, -8.61));
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn nominatim_reverse() {
    let place = r#"{"lat": "41.145", "lon": "-8.61", "display_name": "Rua do Loureiro 68, Porto"}"#;
    let mut server = Socket::open(Answer::Reply(200, place)).await;
    let geocoder = HttpGeocoder::new(&(server.url.clone() + "/nominatim"), HttpKind::Nominatim).unwrap();
    let found = geocoder.reverse(point(41.145_03, -8.61)).await.unwrap().unwrap();
    assert_eq!(found.address, "Rua do Loureiro 68, Porto");
    let asked = server.received().remove(0);
    assert!(asked.starts_with("GET /nominatim/reverse?lat=41.14503&lon=-8.61&format=jsonv2 "), "{asked}");
    let nothing = Socket::open(Answer::Reply(200, r#"{"error": "Unable to geocode"}"#)).await;
    let geocoder = HttpGeocoder::new(&nothing.url, HttpKind::Nominatim).unwrap();
    assert_eq!(geocoder.reverse(point(0.0, 0.0)).await.unwrap(), None);
}

/// S-41: the shape of Photon.
#[tokio::test]
async fn photon() {
    let answer = r#"{"type": "FeatureCollection", "features": [
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-8.610253, 41.145033]},
       "properties": {"osm_id": 1, "name": "Óptica da Baixa", "street": "Rua do Loureiro", "housenumber": "68",
                      "postcode": "4000-328", "city": "Porto", "country": "Portugal"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-8.6, 41.1]}, "properties": {"city": "Porto"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-8.6, 41.1]}, "properties": {}}]}"#;
    let mut server = Socket::open(Answer::Reply(200, answer)).await;
    let geocoder = HttpGeocoder::new(&server.url, "photon".parse().unwrap()).unwrap();
    let found = geocoder.search("Óptica", 5, Some(point(41.15, -8.61))).await.unwrap();
    let addresses: Vec<_> = found.iter().map(|place| place.address.as_str()).collect();
    assert_eq!(addresses, ["Óptica da Baixa, Rua do Loureiro 68, 4000-328 Porto, Portugal", "Porto"]);
    assert_eq!(found[0].point, point(41.145_033, -8.610_253));
    let asked = server.received().remove(0);
    assert!(asked.starts_with("GET /api?q=%C3%93ptica&limit=5&lat=41.15&lon=-8.61 "), "{asked}");
    assert!(geocoder.reverse(point(41.1, -8.6)).await.unwrap().is_some());
}

/// A server that fails is an error with a reason, and what the planner typed is not in it.
#[tokio::test]
async fn failures() {
    let nonsense = Socket::open(Answer::Reply(200, "<html>")).await;
    let refusing = Socket::open(Answer::Reply(429, "")).await;
    for url in [&format!("http://127.0.0.1:{}", free_port()), &nonsense.url, &refusing.url] {
        for kind in [HttpKind::Nominatim, HttpKind::Photon] {
            let geocoder = HttpGeocoder::new(url, kind).unwrap();
            let error = geocoder.search("Secret Street 1", 5, None).await.unwrap_err().to_string();
            assert!(error.starts_with("the address server failed: ") && !error.contains("Secret"), "{error}");
            assert!(geocoder.reverse(point(41.1, -8.6)).await.is_err());
        }
    }
    assert!(HttpGeocoder::new("nominatim", HttpKind::Nominatim).is_err());
    assert!(HttpGeocoder::new("file:///etc", HttpKind::Photon).is_err());
    assert!("google".parse::<HttpKind>().is_err());
}
