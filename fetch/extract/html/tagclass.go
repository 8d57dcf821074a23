package html

import "golang.org/x/net/html/atom"

const (
	tagH1 = 9
	tagH4 = 12 // and below
)

// tagClass numbers elements by what they usually hold, prose first, so that a question to the number can tell
// them apart.
func tagClass(a atom.Atom) float32 {
	switch a {
	case atom.P:
		return 1
	case atom.Blockquote:
		return 2
	case atom.Pre, atom.Code:
		return 3
	case atom.Figcaption, atom.Caption, atom.Figure:
		return 4
	case atom.Tr, atom.Td, atom.Th, atom.Table:
		return 5
	case atom.Dd:
		return 6
	case atom.Dt:
		return 7
	case atom.Li:
		return 8
	case atom.H1:
		return tagH1
	case atom.H2:
		return 10
	case atom.H3:
		return 11
	case atom.H4, atom.H5, atom.H6:
		return tagH4
	case atom.Section, atom.Article, atom.Main, atom.Body:
		return 13
	case atom.Strong, atom.B, atom.Em, atom.I:
		return 14
	case atom.Div:
		return 15
	case atom.Span:
		return 16
	case atom.Time:
		return 17
	case atom.Header, atom.Footer, atom.Nav, atom.Aside:
		return 18
	case atom.Form, atom.Label, atom.Fieldset, atom.Legend:
		return 19
	case atom.A:
		return 20
	case atom.Small:
		return 21
	}
	return 22
}
