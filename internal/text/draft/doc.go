// Package draft takes a text in Markdown apart for checking: what it states, and what it points to.
//
// [Parse] returns the sentences of a text with their citations, the entries of its reference list, and the citations in no
// sentence. A sentence is a claim unless it is a question, a heading, a label, a formula, code, talk about the search, or the
// author's own: marked [inference], or below a heading such as "Open questions". A citation names a source and often lines in
// it: [S1:120-128], [1], [^2], 【1†L5】, superscripts, links, addresses, files with lines (notes.md#L12-L20, paper.pdf#page=3),
// text fragments (#:~:text=).
//
// The package knows forms, not meaning: it does not tell advice from statements. All work is linear in the text.
package draft
