// Package textcheck checks cited text without a loop.
//
// Three things can be checked, each by one function:
//
//   - [Drafts]: texts in Markdown. It reads every cited address once, and looks every sentence that makes a claim up in the
//     texts that it cites. [Write] writes the [Result] as text, JSON, SARIF, annotations or a page.
//   - [Claims]: a file of claims against a file of texts, row by row, without the network.
//     [Synthesis] reads the same from the two files of RSL, synth.json and store.json.
//   - [AgainstTexts] and [Online]: the receipts of a report, against stored texts or against the current pages.
//
// Package verify says what can be known about a claim without a reader; a [Review] has somebody read it. This package reads
// the cited texts and gives the verdict: pass, fail, or undecided, while claims wait for a reader or a cited text could not
// be read.
//
// It has more than 4,000 lines because the three checks share places, verdicts, formats and readers.
package textcheck
