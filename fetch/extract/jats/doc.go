// Package jats reads articles in JATS, the XML in which journals are archived (ANSI/NISO Z39.96, and NLM's
// Journal Publishing DTD before it), as PubMed Central and Europe PMC give them out.
//
// [Read] makes a tree of the XML within bounds (tree.go), takes from it what the article says about itself
// (front.go) and what it cites (citations.go), turns the rest into the elements of HTML that mean the same
// (body.go, formulas.go, notes.go), and has package html write those: headings, tables, lists, formulas, and
// references as footnotes.
package jats
