//! Inner loops of the solver on public instances: `cargo bench -p routewright-bench-solver`, then again after a
//! change; each line tells the ratio to the last run.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput};
use routewright_bench_solver::instance;
use routewright_solver::{Problem, ProblemError, measure};

type Measure = fn(&Problem, measure::Bench) -> Result<(), ProblemError>;

const LOOPS: [(&str, Measure); 4] = [
    ("moves", measure::moves),
    ("rounds", measure::rounds),
    ("insertions", measure::insertions),
    ("retime", measure::retime),
];

fn inner(criterion: &mut Criterion) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances");
    for file in ["solomon/R112.txt", "gh200/RC1_2_8.txt", "gh1000/R1_10_1.txt"] {
        let Ok(problem) = instance::read(&folder.join(file)).map(|instance| instance::problem(&instance))
        else {
            continue;
        };
        let mut group = criterion.benchmark_group(file);
        for (name, run) in LOOPS {
            let found = run(&problem, &mut |step| {
                group.throughput(Throughput::Elements(step() as u64));
                group.bench_function(name, |bencher| bencher.iter(|| black_box(step())));
            });
            assert!(found.is_ok(), "{file} is a sound problem");
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    inner(&mut criterion);
    criterion.final_summary();
}
