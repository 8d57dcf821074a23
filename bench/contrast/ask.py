#!/usr/bin/env python3
"""Baseline: asks an OpenAI-compatible endpoint about each claim. python3 ask.py URL MODEL [near.jsonl] > SAID.jsonl; the key is in OPENAI_API_KEY."""
import json, os, re, sys, urllib.request
from pathlib import Path

INSTRUCTIONS = """You check whether a text says what a claim says. Use the text only, not your own knowledge.
Compare numbers, units, negations, names, roles, speakers, order in time, conditions, and how certain the text is.
Answer with one JSON object and nothing else: {"status": "grounded"} if the text says all of the claim,
{"status": "unsupported"} if the text contradicts the claim or does not say it, {"status": "inferred"} if you cannot tell."""


def rows(name):
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


def ask(url, model, text, claim):
    body = {"model": model, "temperature": 0, "messages": [{"role": "system", "content": INSTRUCTIONS},
                                                           {"role": "user", "content": f"Text:\n{text}\n\nClaim:\n{claim}"}]}
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "")}
    request = urllib.request.Request(url.rstrip("/") + "/chat/completions", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=120) as response:
        answer = json.load(response)["choices"][0]["message"]["content"]
    objects = re.findall(r"\{[^{}]*\}", answer)  # an answer may begin with reasoning
    status = json.loads(objects[-1]).get("status") if objects else None
    if status not in ("grounded", "inferred", "unsupported"):
        sys.exit(f"unexpected answer: {answer!r}")
    return status


if len(sys.argv) not in (3, 4):
    sys.exit(__doc__)
texts = {source["id"]: source["text"] for source in rows("sources.jsonl")}
for c in rows(*sys.argv[3:] or ["claims.jsonl"]):
    print(json.dumps({"id": c["id"], "status": ask(sys.argv[1], sys.argv[2], texts[c["source_ids"][0]], c["claim"])}), flush=True)
