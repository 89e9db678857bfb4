//! The statement, read by poppler.

use routewright_documents::statement::{self, BilledRun, Delivery, Statement};

use crate::common::*;

fn billed(runs: usize) -> Statement {
    let run = |i: usize| BilledRun {
        date: day(),
        run: format!("R-{i:03}"),
        driver: "Marta Lima".into(),
        vehicle: Some("VAN 3".into()),
        rate: Some("Van, Porto".into()),
        version: if i == 2 { 2 } else { 1 },
        stops: 4,
        of_stops: if i == 1 { 12 } else { 4 },
        metres: 48_230.0,
        hours: 6.75,
        drops: 4,
        currency: if i == 3 { "CHF" } else { "EUR" }.into(),
        cents: BilledRun::share([2_000, 2_411, 12_150, 600], 4, if i == 1 { 12 } else { 4 }),
    };
    Statement {
        party_kind: "Client",
        party: "Óptica da Baixa (C-7)".into(),
        address: Some("Rua do Loureiro 68, 4000-328 Porto".into()),
        from: day(),
        until: day(),
        runs: (1..=runs).map(run).collect(),
        pending: 2,
        deliveries: (1..=runs)
            .map(|i| Delivery {
                date: day(),
                run: format!("R-{i:03}"),
                job: format!("POR-{i:04}"),
                customer: "Ταβέρνα Ακρόπολις".into(),
                address: "Rua do Almada 117, 4050-037 Porto".into(),
                at: Some(on(9, 5)),
                success: i != 1,
                proof: format!("https://example.org/tracking?tokens=T{i}"),
            })
            .collect(),
    }
}

/// W-066: every part of every bill, sums per currency, the share of a run with stops of others, what is missing, and where
/// the proofs are.
#[test]
fn states_what_is_billed() {
    let pdf = statement::pdf(&letterhead(), &billed(3)).unwrap();
    let text = text(&pdf);
    for expected in [
        "Porto Frescos & Filhos",
        "Óptica da Baixa (C-7)",
        "2026/03/09 – 2026/03/09",
        "4 of 12",
        "57.21 EUR",
        "version 2",
        "171.61 EUR",
        "228.82 EUR",
        "171.61 CHF",
        "2 runs of the period not validated yet",
        "share of the stops",
        "POR-0003",
        "Not delivered",
        "Page 1 of 1",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    let links = String::from_utf8_lossy(&pdf).matches("https://example.org/tracking?tokens=T").count();
    assert_eq!(links, 3, "each stop leads to its proof");
}

/// Many runs go over many pages; each says whose statement it is.
#[test]
fn goes_over_pages() {
    let pdf = statement::pdf(&letterhead(), &billed(120)).unwrap();
    let pages = pages(&pdf);
    assert!(pages.len() > 8, "{}", pages.len());
    assert!(pages.iter().all(|page| page.contains("Óptica da Baixa")));
    let nothing = text(&statement::pdf(&letterhead(), &billed(0)).unwrap());
    assert!(nothing.contains("No run of the period is validated") && nothing.contains("2 runs"), "{nothing}");
}
