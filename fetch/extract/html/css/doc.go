// Package css says how an element of a page is seen: whether its style takes it out of sight and by which way, in which
// colours it is painted, and whether it is struck through. It reads <style> elements, linked sheets that the caller
// loads, style attributes and the attributes of old pages.
//
// [Read] reads the sheets of a page, and [Sheet.Style] answers for one element. The files are in this order:
// the cascade (cascade.go), the rules of the sheets (sheet.go), which elements a rule is for (selector.go, with
// cascadia for attributes and pseudo-classes), when it holds (conditions.go), what its declarations
// say about being seen (properties.go, effects.go, variables.go), and their values (values.go, color.go, tokens.go).
//
// Package github.com/tdewolff/parse/v2/css was considered for the grammar of sheets: it is fast, but would replace about a
// hundred lines here (estimated), because values have to be brought into the form of tokens.go for the readers of properties.
//
// It does no layout, and what it cannot decide is seen: testdata/forms.txt beside the tests has 413 ways of hiding
// a text with what Chromium shows of each.
package css
