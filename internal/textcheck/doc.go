// Package verify checks cited text without a loop.
//
// Three things can be checked, each by one function:
//
//   - [Drafts]: texts in Markdown. It reads every cited address once, and compares every sentence that makes a claim
//     with the texts that it cites. [Write] writes the [Result] as text, JSON, SARIF, annotations or a page.
//   - [Claims]: a file of claims against a file of texts, row by row, without the network.
//     [Synthesis] reads the same from the two files of RSL, synth.json and store.json.
//   - [AgainstTexts] and [Online]: the receipts of a report, against stored texts or against the current pages.
//
// Package citing resolves citations and checks claims; this package reads the cited texts and gives the verdict. There are
// three: pass, fail, and cannot say, if a cited text could not be read.
package textcheck
