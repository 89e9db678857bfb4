//! What is abbreviated in addresses: English, Portuguese, Spanish, German and French together, folded. One abbreviation may
//! stand for several words; a search takes all of them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Kinds of streets: the word, then how it is abbreviated.
const STREETS: &[&[&str]] = &[
    // Portuguese
    &["rua", "r"],
    &["avenida", "av", "avd", "avda", "aven"],
    &["travessa", "tv", "trav", "tr"],
    &["praca", "pc", "pca", "prc"],
    &["praceta", "pcta", "pct", "prct"],
    &["largo", "lg", "lrg"],
    &["estrada", "est", "estr"],
    &["alameda", "al", "alam"],
    &["calcada", "cc", "calc"],
    &["beco", "bc"],
    &["rotunda", "rot"],
    &["quinta", "qta", "qt"],
    &["urbanizacao", "urb"],
    &["bairro", "br", "bro"],
    &["viela", "vl"],
    &["escadas", "esc"],
    // Spanish
    &["calle", "c", "cl"],
    &["plaza", "pl", "pza", "plza"],
    &["paseo", "p", "po", "pso"],
    &["carretera", "ctra", "crta"],
    &["camino", "cno", "cmno", "cam"],
    &["travesia", "trv", "trva"],
    &["ronda", "rda"],
    &["glorieta", "gta"],
    &["urbanizacion", "urb"],
    &["poligono", "pol", "pgno"],
    // German
    &["strasse", "str"],
    &["platz", "pl"],
    &["allee", "al"],
    &["weg", "w"],
    &["gasse", "g"],
    // French
    &["rue", "r"],
    &["avenue", "av", "ave"],
    &["boulevard", "bd", "bld", "blvd", "boul", "bvd"],
    &["place", "pl"],
    &["chemin", "ch", "chem", "che"],
    &["impasse", "imp"],
    &["route", "rte"],
    &["quai", "q"],
    &["faubourg", "fbg", "fg"],
    &["passage", "pass", "pas"],
    &["cours", "crs"],
    // English
    &["street", "st", "str"],
    &["road", "rd"],
    &["lane", "ln"],
    &["drive", "dr", "drv"],
    &["court", "ct", "crt"],
    &["square", "sq"],
    &["highway", "hwy"],
    &["terrace", "ter", "tce", "terr"],
    &["crescent", "cres", "cr"],
    &["close", "cl"],
    &["parade", "pde"],
    &["parkway", "pkwy", "pwy"],
    &["gardens", "gdns"],
    &["grove", "gr", "gv"],
];

/// Further words: the word, then how it is abbreviated.
const WORDS: &[&[&str]] = &[
    &["doutor", "dr"],
    &["doutora", "dra"],
    &["doctor", "dr"],
    &["doktor", "dr"],
    &["docteur", "dr"],
    &["professor", "prof"],
    &["profesor", "prof"],
    &["engenheiro", "eng"],
    &["sao", "s"],
    &["santo", "s", "sto"],
    &["santa", "s", "sta"],
    &["san", "s"],
    &["sankt", "st", "skt"],
    &["saint", "st", "s"],
    &["sainte", "ste"],
    &["dom", "d"],
    &["dona", "d"],
    &["don", "d"],
    &["general", "gen", "gral", "gal"],
    &["coronel", "cor", "cel", "cnel"],
    &["capitao", "cap"],
    &["comandante", "cmdt", "cmdte", "cdte"],
    &["almirante", "alm"],
    &["marechal", "mar", "mal"],
    &["visconde", "visc"],
    &["conselheiro", "cons"],
    &["nossa", "n"],
    &["nuestra", "ntra", "n"],
    &["senhora", "sra"],
    &["senora", "sra"],
    &["senhor", "sr"],
    &["infante", "inf"],
    &["padre", "pe", "p"],
    &["mount", "mt"],
    &["north", "n"],
    &["south", "s"],
    &["east", "e"],
    &["west", "w"],
    &["number", "no", "nr"],
    &["numero", "n", "no", "num"],
    &["nummer", "nr"],
];

/// Words that join others.
const CONNECTORS: &[&str] = &[
    "a", "o", "as", "os", "e", "y", "da", "de", "do", "das", "dos", "del", "la", "las", "le", "les", "los",
    "el", "des", "du", "der", "die", "den", "dem", "am", "an", "im", "in", "auf", "zu", "zum", "zur", "of",
    "the", "and", "et", "und", "em", "en", "l", "n", "no", "nr", "numero", "number", "nummer",
];

/// What is within a house: floors, sides, doors.
const WITHIN: &[&str] = &[
    "dto",
    "dta",
    "esq",
    "frente",
    "fte",
    "tras",
    "andar",
    "cave",
    "rc",
    "loja",
    "lj",
    "sala",
    "piso",
    "izq",
    "izda",
    "dcha",
    "puerta",
    "pta",
    "planta",
    "bajo",
    "og",
    "eg",
    "ug",
    "etage",
    "stock",
    "hinterhaus",
    "bat",
    "batiment",
    "apt",
    "apto",
    "apartment",
    "appartement",
    "flat",
    "floor",
    "unit",
    "suite",
    "level",
    "shop",
];

/// Countries at the end of an address: map data does not name its own.
const COUNTRIES: &[&str] = &[
    "portugal",
    "pt",
    "spain",
    "espana",
    "espanha",
    "espagne",
    "spanien",
    "es",
    "france",
    "franca",
    "francia",
    "frankreich",
    "fr",
    "germany",
    "deutschland",
    "alemanha",
    "alemania",
    "allemagne",
    "de",
    "austria",
    "osterreich",
    "at",
    "switzerland",
    "schweiz",
    "suisse",
    "ch",
    "belgium",
    "belgique",
    "belgien",
    "be",
    "luxembourg",
    "lu",
    "brasil",
    "brazil",
    "br",
    "ireland",
    "ie",
    "uk",
    "gb",
    "england",
    "scotland",
    "wales",
    "usa",
    "us",
    "canada",
    "australia",
    "au",
    "nz",
    "mexico",
    "argentina",
    "chile",
    "colombia",
];

struct Table {
    /// By word: what it may be written as.
    forms: HashMap<&'static str, Vec<&'static str>>,
    full: HashMap<&'static str, &'static str>,
    streets: HashSet<&'static str>,
    connectors: HashSet<&'static str>,
    countries: HashSet<&'static str>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut forms: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut full = HashMap::new();
    for group in STREETS.iter().chain(WORDS) {
        let Some((word, short)) = group.split_first() else { continue };
        for &abbreviation in short {
            forms.entry(word).or_default().push(abbreviation);
            forms.entry(abbreviation).or_default().push(word);
            // The first that it stands for: names are told apart by it, whatever it means.
            full.entry(abbreviation).or_insert(*word);
        }
    }
    Table {
        forms,
        full,
        streets: STREETS.iter().flat_map(|group| group.iter().copied()).collect(),
        connectors: CONNECTORS.iter().chain(WITHIN).copied().collect(),
        countries: COUNTRIES.iter().copied().collect(),
    }
});

/// What a word may be written as besides itself.
pub(crate) fn forms(word: &str) -> Vec<String> {
    let mut forms: Vec<String> =
        TABLE.forms.get(word).into_iter().flatten().map(|&form| form.to_owned()).collect();
    // German streets are one word with their kind: Hauptstr.
    if let Some(stem) = word.strip_suffix("strasse").filter(|stem| stem.len() > 1) {
        forms.push(format!("{stem}str"));
    } else if let Some(stem) = word.strip_suffix("str").filter(|stem| stem.len() > 1) {
        forms.push(format!("{stem}strasse"));
    }
    forms
}

/// Whether one word is an abbreviation of the other.
pub(crate) fn same(one: &str, other: &str) -> bool {
    forms(one).iter().any(|form| form == other)
}

/// The word that an abbreviation stands for first, else the word itself.
pub(crate) fn full(word: &str) -> &str {
    TABLE.full.get(word).copied().unwrap_or(word)
}

/// Whether a word is a kind of street or an abbreviation of one.
pub(crate) fn is_street_type(word: &str) -> bool {
    TABLE.streets.contains(word)
}

/// Whether a word only joins others, or says what is within the house.
pub(crate) fn is_connector(word: &str) -> bool {
    TABLE.connectors.contains(word)
}

/// Whether a word is the name of a country.
pub(crate) fn is_country(word: &str) -> bool {
    TABLE.countries.contains(word)
}
