// Package html reads web pages: what a page says about itself, and the blocks of it that are its content, as plain
// text and as Markdown made from the same nodes.
//
// [Read] goes in these steps, and the files follow them:
//
//  1. A tree within bounds (tree.go), whatever a page holds.
//  2. What the page says about itself: metadata.go, jsonld.go, identifiers.go, references.go.
//  3. Formulas become TeX (formulas.go, mathml.go), a <noscript> that holds the page takes its place (noscript.go),
//     and what is not shown is taken out (hidden.go), by attributes (declarations.go) and by the page's own
//     sheets (stylesheet.go).
//  4. The page as a list of blocks (outline.go), with what tells content from navigation: its position
//     (landmarks.go, hints.go), its contents (features.go, tagclass.go), and the kind
//     of page (facts.go, pagefeatures.go).
//  5. A choice of blocks by a forest of trees (choose.go, forest.txt), which forest_test.go trains on gold pages. A
//     page too large for it is read by readability, or whole without its navigation (html.go, frame.go).
//  6. The blocks in writing (blocks.go), with Markdown beside them (markup.go, marks.go, footnotes.go) and a map
//     between both (marks.go).
package html
