// Package html reads web pages: what a page says about itself, and all that it shows, as blocks in reading order. What is
// not content is marked as furniture.
//
// [Read] (html.go) goes in these steps, and the files follow them.
//
//  1. A tree within bounds, whatever a page holds: tree.go.
//  2. What the page says about itself (metadata.go, jsonld.go, believed.go) and the dates that it shows (dates.go).
//  3. The tree as its reader sees it: formulas as TeX (formulas.go), roles (roles.go), what a script moves to its
//     place (late.go), and without what is hidden (hidden.go, package css) unless a control unfolds it (folded.go).
//  4. Blocks: blocks.go, line.go, lists.go, tables.go, footnotes.go.
//  5. What is content: content.go.
//
// Trees of other formats are read by [Whole].
package html
