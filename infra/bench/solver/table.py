"""Prints one table from lines of JSON on standard input: mean gap per set, budget and engine."""

import collections
import json
import sys

DAYS = ("porto", "melbourne")


def main():
    rows = [json.loads(line) for line in sys.stdin if line.strip()]
    engines = sorted({row["engine"] for row in rows}, key=lambda name: (name != "native", name))
    sets = collections.OrderedDict()
    for row in rows:
        sets.setdefault((row["set"], row["seconds"]), collections.defaultdict(list))[row["engine"]].append(row)
    width = max(len(engine) for engine in engines) + 14
    print(f"{'set':12} {'seconds':>8}  " + "".join(f"{engine:>{width}}" for engine in engines))
    for (name, seconds), found in sets.items():
        cells = (cell(name, found[engine]) if engine in found else "-" for engine in engines)
        print(f"{name:12} {seconds:>8}  " + "".join(f"{text:>{width}}" for text in cells))
    print("\ngap: mean to best known, then runs counted of all; a run with customers left out, more vehicles than")
    print("known where they count first, or a broken rule (!) has none. Days: stops served, minutes of work.")
    for row in rows:
        if row.get("faults"):
            print(f"! {row['engine']} {row['instance']} seed {row['seed']}: {'; '.join(row['faults'][:3])}")


def cell(name, rows):
    broken = sum(1 for row in rows if row.get("faults"))
    mark = "!" * min(broken, 1)
    if name in DAYS:
        sound = [row for row in rows if not row.get("faults") and row["served"]]
        if not sound:
            return "none" + mark
        served = sum(row["served"] for row in sound) / len(sound)
        work = sum(row["working_minutes"] for row in sound) / len(sound)
        return f"{served:.0f} in {work:.0f} min{mark}"
    gaps = [row["gap"] for row in rows if row.get("gap") is not None and not row.get("faults")]
    if not gaps:
        return f"none 0/{len(rows)}{mark}"
    return f"{sum(gaps) / len(gaps):.3f} % {len(gaps)}/{len(rows)}{mark}"


main()
