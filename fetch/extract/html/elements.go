package html

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isUnread reports an element whose content no reader sees as text.
func isUnread(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Svg, atom.Iframe, atom.Object, atom.Embed,
		atom.Canvas, atom.Video, atom.Audio, atom.Select, atom.Datalist, atom.Textarea, atom.Input,
		atom.Rt, atom.Rp, atom.Dialog, atom.Noframes, atom.Noembed, atom.Meter, atom.Progress:
		return true
	case atom.Button:
		return !isQuestionButton(n)
	}
	return n.Data == "rtc" || n.Data == "annotation-xml" || n.Data == "annotation"
}

// isQuestionButton reports a button that is a heading, a term or a summary, and unfolds what is below it.
func isQuestionButton(n *html.Node) bool {
	for p, steps := n.Parent, 0; p != nil && steps < 2; p, steps = p.Parent, steps+1 {
		switch p.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Summary:
			return true
		}
	}
	return false
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details,
		atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frameset,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Pre, atom.Section, atom.Summary,
		atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul:
		return true
	}
	return false
}
