#!/usr/bin/env python3
"""Checks this bundle without citeloop: python3 check.py [FOLDER]. Exit status 0 if all of it holds, 1 if not."""
import hashlib, json, re, sys
from pathlib import Path

root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent).resolve()
graph = json.loads((root / "ro-crate-metadata.json").read_bytes())["@graph"]
listed = {e["@id"]: e for e in graph if e["@type"] == "File"}
problems = []
def receipts(value):
    if isinstance(value, dict) and "passage" in value and "start" in value:
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from receipts(inner)
def ranges(lines):  # "3-5,9" gives (3, 5) and (9, 9)
    return [(int(part.split("-")[0]), int(part.split("-")[-1])) for part in lines.split(",") if part]

present = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
unlisted = present - set(listed) - {"ro-crate-metadata.json", "ro-crate-metadata.json.sig"}
problems += [f"{name}: not in ro-crate-metadata.json" for name in sorted(unlisted)]
for name, entry in listed.items():
    body = (root / name).read_bytes() if name in present else b""
    if len(body) != int(entry["contentSize"]) or hashlib.sha256(body).hexdigest() != entry["sha256"]:
        problems.append(f"{name}: " + ("changed" if name in present else "missing"))

found = list(receipts(json.loads((root / "report.json").read_bytes())))
seen, without_text = {}, 0
for r in found:
    seen.setdefault(r["source_id"], []).extend(ranges(r.get("lines", "")))
    name, place = f"texts/{r['sha256']}.txt", f"receipt {r['source_id']}:{r.get('lines', '')}"
    if name not in present:
        without_text += 1
        continue
    text = (root / name).read_bytes()
    if hashlib.sha256(text).hexdigest() != r["sha256"]:
        problems.append(f"{place}: {name} is another text")
    text, start, end = text.decode(), r["start"], r["end"]
    if text[start:end] != r["passage"]:
        problems.append(f"{place}: the passage is not at {start}-{end} of {name}")
    if ranges(r.get("lines", "")) != [(text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1)]:
        problems.append(f"{place}: the passage is on other lines of {name}")

cited = re.findall(r"\[(S\d+):([\d,-]+)\\?\]", (root / "report.md").read_text(encoding="utf-8"))
for source, lines in cited:
    if not all(any(a <= last and first <= b for a, b in seen.get(source, [])) for first, last in ranges(lines)):
        problems.append(f"report.md: [{source}:{lines}] has no receipt")

print("\n".join(problems + [f"{len(listed)} files, {len(found)} receipts ({without_text} without their text here), "
                            f"{len(cited)} citations: {len(problems) or 'no'} problems"]))
sys.exit(1 if problems else 0)
