#!/usr/bin/env python3
"""Compares verdicts with the labels: python3 score.py [--claims near.jsonl] [--json] [--split dev|test] SAID.jsonl. README.md describes the columns."""
import argparse, json, sys
from pathlib import Path

KINDS = ["near", "cut", "paraphrase", "number_form", "attribution", "multi", "summary", "denial", "number", "unit", "rate", "negation", "direction",
         "quantifier", "certainty", "ordinal", "name", "role", "binding", "speaker", "time", "condition", "myth",
         "restriction", "hedge", "speaker_dropped", "surroundings"]
COLUMNS = ["false_grounded", "false_unsupported", "true_grounded", "true_unsupported", "grounded_precision"]
HERE = Path(__file__).parent


def rows(path):
    text = sys.stdin.read() if str(path) == "-" else Path(path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def percent(part, whole):
    return 100 * part / whole if whole else None


def auroc(positive, negative):
    """The chance that a true claim has a higher support than a false one; a tie counts half."""
    wins = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
    return wins / (len(positive) * len(negative)) if positive and negative else None


def figures(claims, said):
    of = {label: [said.get(c["id"], {}) for c in claims if c["supported"] == label] for label in (0, 1)}

    def count(label, status):
        return sum(v.get("status") == status for v in of[label])
    f = {"true": len(of[1]), "false": len(of[0])}
    for label, name in ((0, "false"), (1, "true")):
        for status in ("grounded", "unsupported"):
            f[f"{name}_{status}"] = percent(count(label, status), len(of[label]))
    f["grounded_precision"] = percent(count(1, "grounded"), count(0, "grounded") + count(1, "grounded"))
    if all(v.get("support") is not None for v in of[0] + of[1]):
        f["auroc"] = auroc([v["support"] for v in of[1]], [v["support"] for v in of[0]])
    return f


def score(claims, verdicts):
    said = {}
    for v in verdicts:
        if not v.get("id"):  # for example a summary line
            continue
        if v["id"] in said:
            sys.exit(f"duplicate verdict: {v['id']}")
        said[v["id"]] = v
    known = {c["id"] for c in claims}
    groups = {"lang": {}, "kind": {}}
    for c in claims:
        for by in groups:
            groups[by].setdefault(c[by], []).append(c)
    result = {by: {name: figures(group, said) for name, group in groups[by].items()} for by in groups}
    return {"all": figures(claims, said), **result, "missing": sorted(known - set(said))}, set(said) - known


def table(result):
    print("| claims | true / false | false grounded | false unsupported | true grounded | true unsupported | precision of grounded |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    lines = [("**all**", result["all"])] + [(f"language {lang}", result["lang"][lang]) for lang in sorted(result["lang"])]
    lines += [(f"kind `{kind}`", dict(result["kind"][kind], grounded_precision=None)) for kind in KINDS if kind in result["kind"]]
    for name, f in lines:
        cells = [" " if f[c] is None else f" {f[c]:.0f} % " for c in COLUMNS]
        print(f"| {name} | {f['true']} / {f['false']} |{'|'.join(cells)}|")
    if result["all"].get("auroc") is not None:
        print(f"\nAUROC of support: {result['all']['auroc']:.3f}")
    if result["missing"]:
        print(f"\nNo verdict on {len(result['missing'])} claims: {', '.join(result['missing'])}")


options = argparse.ArgumentParser(description=__doc__)
options.add_argument("said", metavar="SAID.jsonl", help="one verdict a line; - reads standard input")
options.add_argument("--claims", metavar="FILE", default="claims.jsonl", help="the set that the verdicts are about (claims.jsonl)")
options.add_argument("--json", action="store_true", help="print JSON")
options.add_argument("--split", choices=["dev", "test"], help="only the claims about these texts")
options = options.parse_args()
everything = rows(HERE / options.claims)
texts = json.loads((HERE / "splits.json").read_text())[options.split] if options.split else None
chosen = [c for c in everything if texts is None or c["source_ids"][0] in texts]
scored, unknown = score(chosen, rows(options.said))
if unknown - {c["id"] for c in everything}:
    sys.exit(f"verdicts on unknown claims: {', '.join(sorted(unknown)[:5])}; use the ids of {options.claims}")
print(json.dumps(scored)) if options.json else table(scored)
