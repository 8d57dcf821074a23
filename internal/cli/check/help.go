package check

const verifyLong = `Check a text with citations: read each cited address once, and look each sentence that makes a claim up in the cited
texts. No model is used without --reader, and nothing is stored but what a reader found. The same texts give the same
result.

The input is Markdown with the usual citations: links, bare addresses, DOIs, files beside the text, footnotes, and
numbers, labels or author and year with a reference list ([1], (Source 2), 【3†L5】, (Holt, 1902)). A citation should
name the lines that say it: notes.md#L12-L20, paper.pdf#page=3, page.html#:~:text=words, [S1:120-128]. Headings, code,
questions and the list itself make no claims.

Words alone do not show whether a source says something. Only these are errors without a reader: a citation that leads to
nothing (hallucinated: no such entry, page or line), quoted words that no cited text has (quote), and a claim that cites
nothing (uncited). Everything else is not read yet, until somebody who did not write the text has read it beside the
cited lines. Then it is

  supported    the source says it (status grounded)
  contradicted the source says otherwise
  unsupported  it is not in the source

Warnings are remarks, differences that can be seen, such as a number that the cited lines lack (remark), a reference
whose title differs from that of its page (mistitled), and a passage that addresses a language model
(addresses_the_model). A source that could not be read is not_read. docs/verdicts.md explains each of them.

Exit codes
  0  pass: everything was read, no finding of --fail-on, and --threshold of what was read is supported
  1  fail: errors, or sentences that their sources do not support
  2  wrong usage
  3  undecided: sentences are not read yet, the reader failed its test or was not reached, a cited source could not be
     read, or no text makes a claim. --allow-undecided makes it 0
With --strict, remarks and whatever was not read fail, too.

Project file
citeloop.toml, found upwards from the text as far as the root of the repository, sets the same as --corpus, --offline,
--reader, --strict, --threshold and --fail-on, which override it; include and exclude list the texts that
are checked if none is named, and [[suppress]] the findings that somebody has accepted (docs/ci.md#citelooptoml).
--config FILE names another, --config off none.

Sources of the texts, in this order
  --store-loop ID  what a research loop has read; marks such as [S3] are its ids
  files            relative links lead to the folder of the text, and with ../ as far as the working folder or the
                   repository around it; else to a folder of --corpus. #heading leads to the lines below it
  --corpus DIR     file: addresses inside the folder, and saved pages: a page is matched by its canonical link, its
                   "saved from url" comment, url: or doi: in the front matter of Markdown, or its path
                   (DIR/example.org/a/page.html)
  the network      as 'citeloop fetch' reads it: within robots.txt, and no private addresses. --offline skips it; an
                   address that was not read has the status not_read. The summary says how many sources were read at the
                   check, and not by the loop before it

Output formats (--format)
  text    file:line:column: finding, why, and the cited lines (notes.md:12: "…"); the summary at the end
  json    {verdict, overall_groundedness, verified_claims[{claim, line, column, status, read, basis, lines, verbatim,
          remarks[{kind, claim, text, source_id, line, says}], passages[], citations[{marker, url, lines, status}],
          flags[], reading}], uncited_sentences[], hallucinated_citations[], conflicts[], mistitled_references[], sources[]}
  jsonl   the same, one line for each claim, finding and source; the summary is last
  sarif   SARIF 2.1.0, for code scanning
  github  annotations in the log of GitHub Actions
  html    one page: the text with its verdicts, and the passages behind them
--write FORMAT=FILE also writes the result in another format.

Reading by somebody who did not write the text
  --reader           the model of CITELOOP_READER_URL and CITELOOP_READER_MODEL reads (docs/verdicts.md#the-reader)
  --review-out FILE  writes the sentences with their passages, {batch, items[{item, claim, passages[{source, lines, heading, text}]}]},
                     for an agent or a colleague who did not write the text, and beside it FILE with the extension
                     .html: a page for people, which saves the answers
  --review-in FILE   reads the answers: {batch, reader, answers[{item, answer, quote}]}. answer is supported, partly,
                     contradicted or not_stated; quote is copied from a passage. It works on the machine that wrote the
                     batch. After an edit, answers to unchanged sentences count. If the answers are void, add
                     --review-out for another batch
The reader sees planted errors and true controls among the items. Its answers count only if it catches 80 % of the
errors and passes 80 % of the controls. All sentences can be read, those with remarks first.
What was found is kept in citeloop.lock beside the text, one line a sentence. Commit it: a check without a reader passes
until a sentence or its cited lines change, and then only these are read again. --no-lock neither uses nor keeps it.

Many claims at once
  citeloop verify --claims claims.jsonl --sources sources.jsonl
checks rows {id, claim, source_ids[], quote?} against rows {id, text, title?, url?} and writes a row for each, in
order: {id, status, read, basis, lines, verbatim, remarks[], quote_grade?, passages[{source_id, lines, start, end, text}],
because, flags[], independent_origins, reading?}. A source id may name lines: "S1:120-128". It does not use the network.
start and end count characters (code points): text[start:end] is the passage.
  citeloop verify synth.json store.json
does the same for the files of a research-synthesis-loop: claims[{claim, sourceIds}] and {key: {id, url, text}}.
The exit code of either is 1 for an id or lines without a text and a claim without an id. Other verdicts affect it with
--fail-on, --threshold, --strict or a reader. Both take --reader, --review-out and --review-in.

Receipts of a report
  citeloop verify --receipts report.json
checks each receipt of a report (loop_report with format json) against its page as it is now: same, changed (and
whether the passage is still there), gone, unreachable, or damaged if hash or offsets do not match. The exit code is 1
when a passage is lost (gone, damaged, or changed and no longer there), 3 when some page could not be read. With the
loop at hand, 'citeloop loops recheck' does more; an export with --ro-crate checks itself against its stored texts.`

const verifyExample = `  citeloop verify report.md
  citeloop verify --strict --offline --corpus sources/ docs/*.md
  citeloop verify --format html --output report.html report.md
  citeloop verify --format github --write sarif=citations.sarif --write html=citations.html docs/*.md
  citeloop verify --reader report.md
  citeloop verify --review-out batch.json report.md
  citeloop verify --review-in answers.json report.md
  pandoc report.docx -t markdown | citeloop verify -
  citeloop verify --claims claims.jsonl --sources sources.jsonl > verdicts.jsonl
  citeloop verify --receipts report.json`
