package cli

const verifyLong = `Check a text with citations: read each cited address once, and compare each sentence that makes a claim with the
cited texts. No model is used without --reader, and nothing is stored. The same texts give the same verdicts.

The input is Markdown with the usual citations: links, bare addresses, DOIs, footnotes, and numbers, labels or author
and year with a reference list ([1], (Source 2), 【3†L5】, (Holt, 1902)). Headings, code, questions and the list itself
make no claims. The verdict on a sentence is

  grounded     a passage of a cited text says it
  inferred     the wording check cannot decide; it waits for review
  unsupported  the cited texts do not say it, or they say otherwise (contradicted): another number, the opposite
  uncited      it makes a claim and cites nothing, and no source cited later in its paragraph grounds it
  not_checked  a cited text could not be read, and the others do not ground it

Other findings are a citation without a target (hallucinated: no such entry in the list, no page at the address),
cited texts with different values (conflict), a reference whose title differs from that of its page (mistitled), a
passage that addresses a language model (addresses_the_model), and a source that could not be read (not_read).
docs/verdicts.md explains each of them.

Exit codes
  0  passed: everything cited was read, no finding of --fail-on, and the share of sentences that are grounded or wait
     for review is at least --threshold
  1  findings
  2  wrong usage
  3  cannot say: a cited source could not be read, and there are no other findings
A sentence that waits for review does not fail the check; with --strict it does.

Sources of the texts, in this order
  --store-loop ID  what a research loop has read; marks such as [S3] are its ids
  --corpus DIR     file: addresses inside the folder, and saved pages: a page is matched by its canonical link, its
                   "saved from url" comment, url: or doi: in the front matter of Markdown, or its path
                   (DIR/example.org/a/page.html)
  the network      as 'citeloop fetch' reads it: within robots.txt, and no private addresses. --offline skips it; an
                   address that was not read has the status not_read

Output formats (--format)
  text    file:line:column: finding, why, the nearest passage; the summary at the end
  json    {verdict, overall_groundedness, verified_claims[{claim, line, column, status, basis, differences[{kind,
          claim, source, source_id, start, end}], citations[{marker, url, status}], passage, flags[]}],
          uncited_sentences[], hallucinated_citations[], conflicts[], mistitled_references[], sources[]}
  jsonl   the same, one line for each claim, finding and source; the summary is last
  sarif   SARIF 2.1.0, for code scanning
  github  annotations in the log of GitHub Actions
  html    one page: the text with its verdicts, and the passages behind them
--write FORMAT=FILE also writes the result in another format.

Review by a second reader, of sentences that the wording check cannot decide (inferred or unsupported)
  --reader           the model of CITELOOP_READER_URL and CITELOOP_READER_MODEL reads them (docs/reader.md)
  --review-out FILE  writes them with their passages, {batch, items[{item, claim, passages[{source, heading, text}]}]},
                     for an agent or a colleague who did not write the text, and beside it FILE with the extension
                     .html: a page for people, which saves the answers
  --review-in FILE   reads the answers: {batch, reader, answers[{item, answer, quote}]}. answer is supported, partly,
                     contradicted or not_stated; quote is copied from a passage. The text and its sources must be the
                     same as before. If the answers are void, add --review-out for another batch; then give the
                     answers to both batches
The reader sees planted errors and true controls among the items. Its answers count only if it catches 80 % of the
errors and passes 80 % of the controls.

Many claims at once
  citeloop verify --claims claims.jsonl --sources sources.jsonl
checks rows {id, claim, source_ids[], quote?} against rows {id, text, title?, url?} and writes a row for each, in
order: {id, status, support, confidence, quote_grade?, passages[{source_id, start, end, text}], flags[],
independent_origins}. It does not use the network. start and end count characters (code points): text[start:end] is
the passage.
  citeloop verify synth.json store.json
does the same for the files of a research-synthesis-loop: claims[{claim, sourceIds}] and {key: {id, url, text}}.
Verdicts do not affect the exit code of either, unless --fail-on or --threshold is given: it is 1 only for an id without
a text or a claim without an id. Both take --reader, --review-out and --review-in; a reviewed row has an extra field
reading{batch, item, answer, quote}.

Receipts of a report
  citeloop verify --receipts report.json
checks each receipt of a report (loop_report with format json) against its page as it is now: same, changed (and
whether the passage is still there), gone, unreachable, or damaged if hash or offsets do not match. --offline uses the
texts of the local store, --archive loop.zip those of an exported loop. The exit code is 1 when a passage is lost
(gone, damaged, or changed and no longer there), 3 when some text could not be read.`

const verifyExample = `  citeloop verify report.md
  citeloop verify --strict --offline --corpus sources/ docs/*.md
  citeloop verify --format html --output report.html report.md
  citeloop verify --format github --write sarif=citations.sarif --write html=citations.html docs/*.md
  citeloop verify --reader report.md
  citeloop verify --review-out batch.json report.md
  citeloop verify --review-in answers.json report.md
  pandoc report.docx -t markdown | citeloop verify -
  citeloop verify --claims claims.jsonl --sources sources.jsonl > verdicts.jsonl
  citeloop verify --receipts report.json --archive loop.zip`
