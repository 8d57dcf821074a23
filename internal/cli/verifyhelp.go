package cli

const verifyLong = `Check a cited text: read every address that it cites, once, and compare each sentence that claims something
with the texts that it cites. No model is asked and nothing is stored; the same texts give the same verdicts.

Markdown is read with the citations that people and models write: links, bare addresses, DOIs, footnotes, and
numbers, labels or author and year with a list of references ([1], (Source 2), 【3†L5】, (Holt, 1902)). Headings,
code, questions and the list itself claim nothing. A sentence is

  grounded     a passage of a text that it cites says it
  inferred     its parts stand in the cited texts, but in no single place
  unsupported  the cited texts do not say it, or say something else: another number, the opposite, another name
  uncited      it claims something and cites nothing (nor does what its paragraph cites further on ground it)
  not_checked  a text that it cites could not be read, and the others do not ground it

Other findings are a citation that leads to nothing (hallucinated: no such entry in the list, no page at the
address), a conflict between two cited texts over one number, an entry of the list whose title is not the one
of its page (mistitled), a passage with words that speak to a language model instead of a reader
(addresses_the_model), and a source that could not be read (not_read).

Exit codes
  0  passed: everything that is cited was read, nothing that --fail-on names was found, and the share of
     grounded sentences is at least --threshold
  1  findings
  2  wrong usage
  3  cannot say: a cited source could not be read, and nothing else is wrong

Where the texts come from, in this order
  --store-loop ID  what a research loop has read; marks such as [S3] are its ids
  --corpus DIR     file: addresses inside the folder; and files that stand for an address: pages that name it in
                   their head (canonical link, "saved from url", url: or doi: in the front matter of Markdown),
                   or lie under it (DIR/example.org/a/page.html)
  the network      as fetch reads it: robots.txt, no private addresses. --offline leaves it out; an address that
                   was not read has the status not_read

Formats of --format
  text    file:line:column: finding, why, the nearest passage; the verdict at the end
  json    {verdict, overall_groundedness, verified_claims[{claim, line, column, status, citations[{marker, url,
          status}], passage, flags[]}], uncited_sentences[], hallucinated_citations[], conflicts[],
          mistitled_references[], sources[]}
  jsonl   the same, a line for each claim, finding and source; the summary is the last
  sarif   SARIF 2.1.0, for code scanning
  github  annotations in the log of GitHub Actions
  html    one page: the text with its verdicts, each sentence's passage beside it
With --write FORMAT=FILE, one check is written in several formats.

Many claims at once
  citeloop verify --claims claims.jsonl --sources sources.jsonl
checks rows {id, claim, source_ids[], quote?} against rows {id, text, title?, url?} and writes a row for each, in
order: {id, status, support, confidence, quote_grade?, passages[{source_id, start, end, text}], flags[],
independent_origins}. No network. start and end count characters (code points), text[start:end] is the passage.
  citeloop verify synth.json store.json
does it for the files of a research-synthesis-loop: claims[{claim, sourceIds}] against {key: {id, url, text}}. In
both, the verdicts are the answer; only an id without a text, or a claim without an id, makes the exit code 1,
unless --fail-on or --threshold ask for more.

Receipts of a report
  citeloop verify --receipts report.json
checks each receipt of a report (loop_report with format json) against its page as it is now: same, changed (and
whether the passage still stands), gone, unreachable, or damaged, when hash or offsets do not fit. --offline
checks them against the texts of the local store, --archive loop.zip against an exported loop. The exit code is 1
when a passage is lost (gone, damaged, or changed and not there any more), 3 when some text could not be read.`

const verifyExample = `  citeloop verify report.md
  citeloop verify --offline --corpus sources/ docs/*.md
  citeloop verify --format html --output report.html report.md
  citeloop verify --format github --write sarif=citations.sarif --write html=citations.html docs/*.md
  pandoc report.docx -t markdown | citeloop verify -
  citeloop verify --claims claims.jsonl --sources sources.jsonl > verdicts.jsonl
  citeloop verify --receipts report.json --archive loop.zip`
