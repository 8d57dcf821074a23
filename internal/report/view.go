package report

import (
	"cmp"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
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
	SourceCounts           string // of a loop
	Counts                 []StateCount
	AsOf, Generated, Stamp string
	Generator, StateID     string

	Reading, Below []section // in the column of the text, and below it
}

// viewOf returns a view without its sections, which depend on the text.
func viewOf(f facts) view {
	d := f.Document
	v := view{
		Interface: f.words.Lang(), Checked: d.Parts != nil, Summary: capital(f.summary()) + f.words.T("."), ReadBy: strings.TrimSpace(f.readBy() + " " + f.bound()), Void: f.cautions(),
		Counts: CountStates(f.Sentences, Sentence.Verdict), AsOf: sanitize.Line(d.AsOf), Generated: minute(d.GeneratedAt), Stamp: stamp(d.GeneratedAt),
		Generator: sanitize.Line(d.Generator), StateID: sanitize.Line(d.StateID),
	}
	if d.Unverified {
		v.Draft = draftNotice(f.words)
	}
	if !v.Checked { // each file has its own
		v.Needed, v.SourceCounts = f.needed(), f.sourceCounts()
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
	Verdict   style.Verdict
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

func proofOf(f facts, i int) proofView {
	s := f.Sentences[i]
	v := proofView{N: i + 1, Back: "s", Text: s.Text, Said: sanitize.Short(markup.Plain(s.Text), saidChars), Verdict: s.Verdict(), Supported: s.Status == loopstate.Grounded, Own: s.state() == own,
		Receipted: s.receipted(), Because: plainStop(s.Because), Origins: s.IndependentOrigins, Remarks: s.remarks(), Flags: s.flags(), Serious: s.seriousFlags()}
	for j, r := range s.Receipts {
		v.Receipts = append(v.Receipts, receiptOf(f, r, j, s.Reading))
	}
	return v
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

func factsOf(d Document) facts {
	lang := messages.LanguageOf(proseOf(d))
	f := facts{Document: d, byID: make(map[string]int, len(d.Sources)), cited: citedPages(d), origin: make(map[string][]int), words: messages.For(lang)}
	f.CoverageGaps, f.OpenGaps = notBlank(d.CoverageGaps), notBlank(d.OpenGaps)
	f.NotTried, f.OneSource = notBlank(d.NotTried), notBlank(d.OneSource)
	f.OpenQuestions = nil
	f.Decision.StopReason, f.Decision.Because = messages.Reason(f.words, d.Decision.StopReason), messages.Reason(f.words, d.Decision.Because)
	f.Conflicts = slices.Clone(d.Conflicts)
	for i := range f.Conflicts {
		f.Conflicts[i].Because = messages.Reason(f.words, f.Conflicts[i].Because)
	}
	for _, q := range d.OpenQuestions {
		q.Tried = messages.Reason(f.words, q.Tried)
		if sanitize.Line(q.Question+q.Why+q.Tried) != "" {
			f.OpenQuestions = append(f.OpenQuestions, q)
		}
	}
	f.Sources = slices.Clone(d.Sources)
	for i, byID := 0, citesByID(d); i < len(f.Sources); i++ {
		f.Sources[i].ByID = byID
	}
	for i, s := range f.Sources {
		if origin := s.Origin(); origin != "" {
			f.origin[origin] = append(f.origin[origin], i)
		}
		if _, ok := f.byID[s.ID]; !ok && s.ID != "" {
			f.byID[s.ID] = i
		}
	}
	f.nameSources()
	f.Sentences = slices.Clone(d.Sentences)
	for i := range f.Sentences {
		f.Sentences[i].nameReader()
		if f.Sentences[i].state() == waiting { // the words of the state say why
			f.Sentences[i].Because = ""
		}
		f.Sentences[i].Lang = lang
		f.Sentences[i].Because = messages.Reason(f.words, f.Sentences[i].Because)
		if reading := f.Sentences[i].Reading; reading != nil {
			f.Sentences[i].Because = cmp.Or(ReadingWords(f.words, *reading), f.Sentences[i].Because)
		}
		f.number(&f.Sentences[i])
	}
	return f
}

// proseBytes bounds the text that determines the language.
const proseBytes = 6_000

// proseOf returns the start of the report's prose: its question, and its text or claims.
func proseOf(d Document) string {
	b := strings.Builder{}
	b.WriteString(d.Query + "\n" + d.Text[:min(len(d.Text), proseBytes)])
	for _, s := range d.Sentences {
		if b.Len() > proseBytes {
			break
		}
		b.WriteString("\n" + s.Text)
	}
	return b.String()
}

// number replaces the ids of cited sources in the reasons, flags and remarks of a sentence by their numbers in the text.
func (f facts) number(s *Sentence) {
	s.Because = f.numbered(s.Because)
	s.Flags, s.Noted = slices.Clone(s.Flags), slices.Clone(s.noted())
	for i, flag := range s.Flags {
		s.Flags[i] = f.numbered(flag)
	}
	for i := range s.Noted {
		s.Noted[i].Remark = f.numbered(s.Noted[i].Remark)
	}
}

// idInReason matches the ids of sources in the reasons that the checks give, and quoted text, in which they are words.
var idInReason = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|“[^”]*”|\bS\d+\b`)

// numbered replaces ids of cited sources: "S5" by "[1]".
func (f facts) numbered(reason string) string {
	return idInReason.ReplaceAllStringFunc(reason, func(id string) string {
		if source, _, ok := f.source(id); ok && source.label() != id {
			return "[" + source.label() + "]"
		}
		return id
	})
}

// notBlank returns the items with visible text.
func notBlank(list []string) []string {
	var out []string
	for _, s := range list {
		if sanitize.Line(s) != "" {
			out = append(out, s)
		}
	}
	return out
}

// idInText matches the id of a source in a citation.
var idInText = regexp.MustCompile(`S\d`)

// citesByID reports whether the text cites sources by their ids, [S1:120], which the report keeps then. A report without a
// text lists the claims of a loop, which do so.
func citesByID(d Document) bool {
	if d.Parts != nil {
		return false
	}
	if strings.TrimSpace(d.Text) == "" {
		return true
	}
	text := []rune(d.Text)
	for _, s := range d.Sentences {
		for _, m := range s.Markers {
			if m.Start >= 0 && m.Start < m.End && m.End <= len(text) && m.End-m.Start <= maxCitationChars && idInText.MatchString(string(text[m.Start:m.End])) && m.SourceID != "" {
				return true
			}
		}
	}
	return false
}
