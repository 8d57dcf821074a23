#!/usr/bin/env python3
"""Baseline: grounded if three neighbouring sentences have 70 % of a claim's words, unsupported if none have 30 %: words.py [near.jsonl]."""
import json, re, sys
from pathlib import Path

def rows(name):
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]
def tokens(text):  # numbers, words of four letters, pairs of Chinese and Japanese characters
    fields = re.findall(r"[^\W_]+", text.lower())
    cjk = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
    pairs = {f[i:i + 2] for f in fields if cjk.search(f) for i in range(len(f) - 1)}
    return pairs | {f for f in fields if not cjk.search(f) and (len(f) >= 4 or f[0].isdigit())}
windows = {}
for source in rows("sources.jsonl"):
    said = [s for s in re.split(r'[.!?]["”»“]?\s+|[。！？]|\n+', source["text"]) if s.strip()]
    windows[source["id"]] = [tokens("\n".join(said[i:i + 3])) for i in range(len(said))]
for claim in rows(*sys.argv[1:] or ["claims.jsonl"]):
    words = tokens(claim["claim"])
    best = max(len(words & w) / max(1, len(words)) for w in windows[claim["source_ids"][0]])
    print(json.dumps({"id": claim["id"], "status": "grounded" if best >= .7 else "unsupported" if best < .3 else "inferred", "support": best}))
