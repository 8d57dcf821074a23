package report

import (
	"cmp"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// view is what a report shows, in the language of its prose: the templates of the page and of Markdown have the same data.
// Its texts come from sources and users in part; the templates escape them.
type view struct {
	Draft                  string // the warning on a report that failed its check
	Question               string // if the title is another
	Interface              string // the language of the report around its text
	Checked                bool   // a check without a loop
	Summary                string // the result of the check
	ReadBy, Needed, Void   string
	Reviews                []reviewRow
	Counts                 []count
	AsOf, Generated, Stamp string
	Generator, StateID     string

	Findings     []finding // the sentences that the text does not show
	Best         []finding // without a text
	Groups       []group   // without a text
	Proofs       []proofView
	SourceCounts string

	Limits             *limitsSection // nil without limits
	Unseen, UnseenNote string
	CoverageGaps       bool
	Conflicts          []conflictView
	Contradicted       []contradictionView

	StopTitle, StopReason, Because, Rule string
	Rounds                               []roundRow
	Timed, Estimated                     bool
	Looked                               []looked
	Cited, Uncited                       []sourceView
	Critic                               *criticView // nil if nobody asked for a critic
}

// finding is a sentence with its citations and its verdict.
type finding struct {
	N    int
	Says any // escaped: template.HTML for the page, a string for Markdown
}

func findings(which []int, say func(sentence int) any) (out []finding) {
	for _, i := range which {
		out = append(out, finding{i + 1, say(i)})
	}
	return out
}

// viewOf returns a view without what depends on the text: its findings and limits.
func viewOf(f facts) view {
	d := f.Document
	v := view{
		Interface: f.words.Lang(), Checked: d.Parts != nil, Summary: capital(f.summary()) + f.words.T("."), ReadBy: strings.TrimSpace(f.readBy() + " " + f.bound()), Void: f.cautions(),
		Reviews: f.reviewRows(), Counts: f.counts(), AsOf: sanitize.Line(d.AsOf), Generated: minute(d.GeneratedAt), Stamp: stamp(d.GeneratedAt), Generator: sanitize.Line(d.Generator),
		StateID: sanitize.Line(d.StateID), SourceCounts: f.sourceCounts(), CoverageGaps: len(f.CoverageGaps) > 0, Because: sanitize.Line(d.Decision.Because), Rule: sanitize.Line(d.Decision.Rule),
		Looked: f.looked(), Unseen: f.Unseen, UnseenNote: f.words.T(unseenNote), Critic: criticOf(f),
	}
	if d.Unverified {
		v.Draft = draftNotice(f.words)
	}
	if !v.Checked { // each file has its own
		v.Needed = f.needed()
	}
	v.StopTitle, v.StopReason = f.stopped()
	v.Rounds, v.Timed, v.Estimated = f.roundRows()
	for i := range f.Sentences {
		v.Proofs = append(v.Proofs, proofOf(f, i))
	}
	for i, x := range f.Conflicts {
		v.Conflicts = append(v.Conflicts, conflictOf(f, x, i))
	}
	for i, x := range f.Contradictions {
		v.Contradicted = append(v.Contradicted, contradictionOf(f, x, i))
	}
	for i := range f.Sources {
		if s := sourceViewOf(f, i); s.Number > 0 {
			v.Cited = append(v.Cited, s)
		} else {
			v.Uncited = append(v.Uncited, s)
		}
	}
	return v
}

// counting is the function of templates that formats a count.
func counting(m messages.Table) func(n int, one, many string) string {
	return func(n int, one, many string) string { return m.Count(n, strconv.Itoa(n), one, many) }
}

// proofView is a sentence with its verdict, the reason and the passages.
type proofView struct {
	N         int
	Back      string // anchor of the sentence: s in the text, f in a list
	Text      string // as it was written
	Said      string // without its Markdown
	Verdict   drawing.Verdict
	Supported bool
	Own       bool     // the author's own statement
	Receipted bool     // some of its citations lead to a text
	Serious   []string // flags that a supported sentence should not have, in words
	Because   string
	Origins   int
	Remarks   []string // in words
	Flags     []string // in words
	Receipts  []receiptView
}

type receiptView struct {
	Receipt
	J                   int
	Source              sourceRef
	Lang                string
	Left                string // how much of the passage is not shown
	File                string // of a local source: "notes/otters.md:12"
	CutBefore, CutAfter bool   // the stored text continues
	Read, Stamp         string
	LineWords           string       // "lines 120–128"
	Pages               string       // of a PDF
	Place               string       // pages and lines
	Living              template.URL // the passage on the live page
	Archived            template.URL // the passage in the web archive
	reading             *loopstate.Reading
}

// sourceRef is a link to a source.
type sourceRef struct {
	Label  string
	Anchor int // source-N of the report; 0 if not in the list
	Title  string
	Lang   string
	Link   template.URL
}

type sourceView struct {
	Source
	sourceRef
	Shown           string // the address or the file, as text
	By, Imprint     string // authors and publisher
	Published, Type string
	DOIText         string
	Read, Day       string
	Stamp           string
	Full            bool // Markdown with hashes
	Paged           bool // it is known which pages are cited
	Claims          string
	Original        sourceRef // the source that this one duplicates
	KeptAs          string    // the source's id if its label is another
	Origin          string    // whether it is independent, in words
	Archived        template.URL
	Warnings        []string
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func proofOf(f facts, i int) proofView {
	s := f.Sentences[i]
	v := proofView{N: i + 1, Back: "s", Text: s.Text, Said: sanitize.Short(markup.Plain(s.Text), saidChars), Verdict: s.Verdict(), Supported: s.Status == loopstate.Grounded, Own: s.state() == own,
		Receipted: s.receipted(), Because: plainStop(s.Because), Origins: s.IndependentOrigins, Remarks: s.remarks(), Flags: s.flags(), Serious: s.seriousFlags()}
	for j, r := range s.Receipts {
		v.Receipts = append(v.Receipts, receiptOf(f, r, j, s.Reading))
	}
	return v
}

func receiptOf(f facts, r Receipt, j int, reading *loopstate.Reading) receiptView {
	v := receiptView{J: j + 1, Source: refOf(f, r.SourceID, r.URL), File: f.fileOf(r, cmp.Or(r.Cited, r.Lines)), CutBefore: r.Start > len([]rune(r.Before)), Read: minute(r.FetchedAt),
		Stamp: stamp(r.FetchedAt), LineWords: r.lineWords(f.words), Pages: r.pages(f.words), Place: r.place(f.words), reading: reading}
	v.Lang = cmp.Or(v.Source.Lang, languageByScript(r.Passage))
	source, _, known := f.source(r.SourceID)
	if known {
		v.Source.Label = f.reference(source, "", r.Lines)
	}
	v.CutAfter = !known || source.Chars == 0 || r.End+len([]rune(r.After)) < source.Chars
	words := r
	words.Passage = r.Words(reading)                 // the shortest stretch that a browser can find
	v.Living = template.URL(f.liveLink(words))       //nolint:gosec // sanitize.Link lets http and https through
	v.Archived = template.URL(f.archivedLink(words)) //nolint:gosec // as above
	r.Heading, r.SHA256, r.Quote, r.Grade = sanitize.Short(r.Heading, titleChars), sanitize.Line(r.SHA256), sanitize.Line(r.Quote), sanitize.Line(r.Grade)
	v.Receipt = r
	_, v.Left = head(r.Passage)
	return v
}

// refOf returns a link to a source by its id; fallback is shown if the list does not have it.
func refOf(f facts, id, fallback string) sourceRef {
	s, at, ok := f.source(id)
	if !ok {
		name := sanitize.Line(fallback)
		if name == "" {
			name = f.words.T("a source that is not in the list")
		}
		return sourceRef{Label: "?", Title: name, Link: template.URL(sanitize.Link(fallback))} //nolint:gosec // as above
	}
	return refTo(f.words, s, at)
}

// refTo returns a link to an entry of the list.
func refTo(m messages.Table, s Source, at int) sourceRef {
	ref := sourceRef{Label: s.label(), Anchor: at + 1, Title: s.titleIn(m), Lang: languageOf(s.Language)}
	if ref.Link = template.URL(sanitize.Link(s.FinalURL)); ref.Link == "" { //nolint:gosec // sanitize.Link checks
		ref.Link = template.URL(sanitize.Link(s.URL)) //nolint:gosec // sanitize.Link checks
	}
	return ref
}

func sourceViewOf(f facts, i int) sourceView {
	s := f.Sources[i]
	v := sourceView{
		Source: s, sourceRef: refTo(f.words, s, i), Shown: sanitize.Short(cmp.Or(s.file(), s.address()), 2*titleChars), By: authorList(f.words, s.Authors),
		Imprint: sanitize.Short(s.Publisher, titleChars), Published: sanitize.Line(s.PublishedAt), Type: f.words.T(typeWords(s.SourceType)), Read: minute(s.FetchedAt), Day: day(s.FetchedAt),
		Stamp: stamp(s.FetchedAt), Paged: len(f.cited[s.ID]) > 0, Claims: s.citedBy(f.words, f.cited[s.ID]), Origin: f.originWords(i), Warnings: s.warnings(f.words),
	}
	if !s.Pasted {
		v.Archived = template.URL(snapshot(s.address(), s.FetchedAt)) //nolint:gosec // sanitize.Link lets http and https through
	}
	if id := sanitize.Line(s.ID); id != s.label() && f.Parts == nil {
		v.KeptAs = id
	}
	if s.DuplicateOf != "" {
		v.Original = refOf(f, s.DuplicateOf, s.DuplicateOf)
	}
	v.SHA256 = sanitize.Line(s.SHA256)
	if v.DOI = ""; docid.NormalizeDOI(s.DOI) != "" {
		v.DOIText = docid.NormalizeDOI(s.DOI)
		v.DOI = sanitize.Link("https://doi.org/" + v.DOIText)
	}
	return v
}

// Address is the name of a file, or the address.
func (v sourceView) Address() string { return cmp.Or(v.file(), v.address()) }

// maxAuthors bounds the authors before "and others".
const maxAuthors = 8

func authorList(m messages.Table, authors []string) string {
	var names []string
	for _, a := range authors {
		if a = sanitize.Line(a); a != "" {
			names = append(names, sanitize.Short(a, titleChars))
		}
	}
	if len(names) > maxAuthors {
		return m.T("%s and others", strings.Join(names[:maxAuthors], ", "))
	}
	return strings.Join(names, ", ")
}

// typeWords returns the words for a type of source.
func typeWords(sourceType string) string {
	switch sourceType {
	case "peer":
		return "peer-reviewed"
	case "primary":
		return "primary or official"
	}
	return sanitize.Line(sourceType)
}
