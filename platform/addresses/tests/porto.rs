//! The address book of the demonstration's map of Porto, and of files that are none.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where its input is wrong")]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;
use routewright_addresses::{AddressBook, prepare};
use routewright_roads::{Geocoder, Place, PlaceKind, PlaceSource, Point};
use tempfile::TempDir;

fn porto() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/local/data/porto")
}

/// One index for all tests.
static BOOK: LazyLock<(AddressBook, TempDir)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let book = AddressBook::open(vec![porto().join("roads.osm.pbf")], folder.path().to_owned());
    while !book.is_ready() {
        std::thread::sleep(Duration::from_millis(5));
    }
    (book, folder)
});

async fn found(text: &str) -> Vec<Place> {
    BOOK.0.search(text, 5, None).await.unwrap()
}

async fn best(text: &str) -> Place {
    found(text).await.into_iter().next().expect(text)
}

fn metres(a: Point, b: Point) -> f64 {
    let wide = a.lat().to_radians().cos();
    (a.lat() - b.lat()).hypot((a.lon() - b.lon()) * wide) * 111_195.0
}

#[tokio::test]
async fn a_house_is_found_however_it_is_written() {
    let at = Point::new(41.149_966, -8.605_806_9).unwrap();
    for text in [
        "Rua de Santa Catarina 429, Porto",
        "RUA DE SANTA CATARINA, 429 PORTO",
        "R. Sta. Catarina, 429",
        "429 Rua Santa Catarina, Porto, Portugal",
        "Rua Santa Catarina nº 429 3º Dto, 4000-452 Porto",
        "Rua Santa Catrina 429",
        "Rua Sta Caterina 429 porto",
    ] {
        let place = best(text).await;
        assert_eq!(place.kind, PlaceKind::House, "{text}: {place:?}");
        assert!(metres(place.point, at) < 30.0, "{text}: {place:?}");
        assert!(place.confidence > 0.75, "{text}: {place:?}");
        assert_eq!(place.source, PlaceSource::Map);
    }
    // Accents that are characters of their own, as some systems write them.
    assert_eq!(best("Rua Cha\u{303} 52").await.address, "Rua Chã 52, Porto");
}

#[tokio::test]
async fn kinds_of_matches_are_told() {
    let kind = async |text| (best(text).await.kind, best(text).await.address);
    assert_eq!(kind("Rua de Santa Catarina").await.0, PlaceKind::Street);
    let (number, address) = kind("Rua de Santa Catarina 431").await;
    assert_eq!((number, address.as_str()), (PlaceKind::Interpolated, "Rua de Santa Catarina 431, Porto"));
    assert_eq!(kind("4000-447").await.0, PlaceKind::Postcode);
    assert_eq!(kind("Porto").await, (PlaceKind::Place, "Porto".to_owned()));
    assert_eq!(
        kind("La Bohème").await,
        (PlaceKind::Poi, "La Bohème, Rua das Galerias de Paris 40, 4050-284 Porto".to_owned())
    );
}

/// A street without the number, a number beyond the street, a town that is not here: somebody has to look.
#[tokio::test]
async fn doubtful_addresses_are_less_sure() {
    for text in [
        "Rua de Santa Catarina",
        "Rua de Santa Catarina 99000",
        "Rua de Santa Catarina 429, Lisboa",
        "Praça qualquer 9",
    ] {
        for place in found(text).await {
            assert!(place.confidence < 0.75, "{text}: {place:?}");
        }
    }
    assert_eq!(found("Zzyzx Quux 12").await, []);
}

#[tokio::test]
async fn typing_completes() {
    for text in
        ["rua de santa ca", "Rua das Gal", "av dos alia", "av. aliad", "largo sao dom", "Lgo. S. Doming"]
    {
        assert!(!found(text).await.is_empty(), "{text}");
    }
    assert!(
        found("av. aliados").await[0].address.starts_with("Avenida dos Aliados"),
        "{:?}",
        found("av. aliados").await
    );
    let galleries = found("Rua das Galeri").await;
    assert!(galleries[0].address.starts_with("Rua da Galeria de Paris"), "{galleries:?}");
}

/// The demonstration's 320 orders, whose coordinates are known: those that the book is sure of are there.
#[tokio::test]
async fn the_orders_of_porto_are_found() {
    let mut orders = csv::Reader::from_path(porto().join("jobs.csv")).unwrap();
    let columns = orders.headers().unwrap().clone();
    let at = |name: &str| columns.iter().position(|column| column == name).unwrap();
    let (address, lat, lon) = (at("address"), at("lat"), at("lon"));
    let (mut sure, mut total, mut wrong) = (0_usize, 0_usize, Vec::new());
    for order in orders.records() {
        let order = order.unwrap();
        total += 1;
        let point = Point::new(order[lat].parse().unwrap(), order[lon].parse().unwrap()).unwrap();
        let Some(place) = found(&order[address]).await.into_iter().next() else { continue };
        if place.confidence >= 0.75 {
            sure += 1;
            let far = metres(place.point, point);
            if far > 100.0 {
                wrong.push(format!("{}: {far:.0} m, {place:?}", &order[address]));
            }
        }
    }
    assert!(sure * 10 >= total * 8, "only {sure} of {total} are sure");
    assert!(wrong.len() * 50 <= sure, "{} of {sure} are elsewhere: {wrong:#?}", wrong.len());
}

#[tokio::test]
async fn what_is_at_a_point() {
    let at = async |lat, lon| BOOK.0.reverse(Point::new(lat, lon).unwrap()).await.unwrap();
    let door = at(41.149_97, -8.605_81).await.unwrap();
    assert_eq!((door.kind, door.address.as_str()), (PlaceKind::House, "Rua de Santa Catarina 429, Porto"));
    assert!(door.confidence > 0.9, "{door:?}");
    for nowhere in [(0.0, 0.0), (41.0, -9.5), (90.0, 180.0), (-90.0, -180.0)] {
        assert_eq!(at(nowhere.0, nowhere.1).await, None, "{nowhere:?}");
    }
}

#[tokio::test]
async fn absurd_questions_find_nothing_or_something() {
    let long = "Rua de Santa Catarina ".repeat(500);
    let joined = "x".repeat(10_000);
    for text in [
        "",
        " ",
        ".,;:!?",
        "\u{0}\u{7}\u{1b}[31m",
        "de da do",
        "12",
        "999999999999999999999999",
        &long,
        &joined,
        "🦀🦀",
        "AND OR NOT (",
        "\"",
        "*",
        "a",
    ] {
        let _ = found(text).await;
    }
    assert_eq!(found(".,;:!?").await, []);
    assert_eq!(found("41.15, -8.61").await[0].kind, PlaceKind::Coordinates);
    assert_eq!(BOOK.0.search("Porto", 0, None).await.unwrap(), []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in ".{0,60}", limit in 0_usize..30) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let places = runtime.block_on(BOOK.0.search(&text, limit, None)).unwrap();
        prop_assert!(places.len() <= limit);
        for place in places {
            prop_assert!((0.0..=1.0).contains(&place.confidence), "{:?}", place);
        }
    }
}

#[test]
fn files_that_are_no_map_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(porto().join("roads.osm.pbf")).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut cases = vec![
        (write("text.osm.pbf", b"this is no map at all"), "cannot be read as a map"),
        (write("zeros.osm.pbf", &[0; 4096]), "cannot be read as a map"),
        (
            write("picture.osm.pbf", &std::fs::read(porto().join("streets.pmtiles")).unwrap()),
            "cannot be read as a map",
        ),
        (folder.path().join("absent.osm.pbf"), "cannot be read as a map"),
        (write("empty.osm.pbf", &[]), "there are no addresses"),
        (tempfile::tempdir_in(folder.path()).unwrap().path().to_owned(), "cannot be read as a map"),
    ];
    for share in [1, 3, 5, 7] {
        let path = write(&format!("cut{share}.osm.pbf"), &whole[..whole.len() * share / 8]);
        cases.push((path, "cannot be read as a map"));
    }
    let indexes = folder.path().join("indexes");
    for (path, reason) in cases {
        let error = prepare(std::slice::from_ref(&path), &indexes).expect_err("no map").to_string();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(error.contains(reason) && error.contains(&name), "{name}: {error}");
    }
    assert_eq!(
        std::fs::read_dir(&indexes).unwrap().count(),
        0,
        "nothing is left of an index that was not built"
    );
}

/// A complete index is used again; a changed map makes another, and the older one goes.
#[test]
fn an_index_is_built_once_for_each_state_of_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let maps = folder.path().join("maps");
    let indexes = folder.path().join("indexes");
    std::fs::create_dir(&maps).unwrap();
    let map = maps.join("porto.osm.pbf");
    std::fs::copy(porto().join("roads.osm.pbf"), &map).unwrap();
    let first = prepare(std::slice::from_ref(&maps), &indexes).unwrap();
    let built = std::fs::metadata(&first).unwrap().modified().unwrap();
    assert_eq!(prepare(std::slice::from_ref(&maps), &indexes).unwrap(), first);
    assert_eq!(std::fs::metadata(&first).unwrap().modified().unwrap(), built);
    std::fs::File::options()
        .append(true)
        .open(&map)
        .unwrap()
        .set_modified(std::time::SystemTime::now() + Duration::from_secs(9))
        .unwrap();
    let second = prepare(&[maps], &indexes).unwrap();
    assert_ne!(first, second);
    assert!(!first.exists() && second.is_dir());
}

/// Services that start at once in one process each build it, and get the same complete one.
#[test]
fn an_index_may_be_built_several_times_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let map = [porto().join("roads.osm.pbf")];
    let made: Vec<PathBuf> = std::thread::scope(|scope| {
        let builds: Vec<_> = (0..3).map(|_| scope.spawn(|| prepare(&map, folder.path()).unwrap())).collect();
        builds.into_iter().map(|build| build.join().unwrap()).collect()
    });
    assert!(made.iter().all(|one| *one == made[0] && one.is_dir()), "{made:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing unfinished is left");
}
