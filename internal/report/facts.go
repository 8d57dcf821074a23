package report

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// facts is a document with the values that Markdown and HTML share.
type facts struct {
	Document
	byID  map[string]int        // source id -> index in Sources
	cited map[string][]pageSpan // source id -> cited pages

	origin map[string][]int // Origin() of sources -> indexes in Sources
	words  messages.Table   // of the language of the report
}

func factsOf(d Document) facts {
	lang := messages.LanguageOf(proseOf(d))
	f := facts{Document: d, byID: make(map[string]int, len(d.Sources)), cited: citedPages(d), origin: make(map[string][]int), words: messages.For(lang)}
	f.CoverageGaps, f.OpenGaps = notBlank(d.CoverageGaps), notBlank(d.OpenGaps)
	f.NotTried, f.OneSource = notBlank(d.NotTried), notBlank(d.OneSource)
	f.Unseen = plainStop(messages.Reason(f.words, d.Unseen))
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

// source returns a source by its id.
func (f facts) source(id string) (Source, int, bool) {
	i, ok := f.byID[id]
	if !ok {
		return Source{}, -1, false
	}
	return f.Sources[i], i, true
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

// label returns the text of a citation: the author's label, the number of the source, or its id.
func (s Source) label() string {
	if s.own != "" {
		return s.own
	}
	if s.Number > 0 && !s.ByID {
		return strconv.Itoa(s.Number)
	}
	return sanitize.Line(s.ID)
}

// address returns the final address of the source, or the requested one.
func (s Source) address() string { return cmp.Or(s.FinalURL, s.URL) }

// file returns the name of a local file: its path below the user's folder, or else the last part of its address; "" for any other
// source. Reports go to other people, whom the folders above do not concern.
func (s Source) file() string {
	at, local := strings.CutPrefix(s.address(), "file://")
	if local {
		if plain, err := url.PathUnescape(at); err == nil {
			at = plain
		}
		at = path.Base(at)
	} else if strings.Contains(at, ":") {
		return ""
	}
	return sanitize.Line(at)
}

// title is the title of the source in bibliographies, which are in English.
func (s Source) title() string { return s.titleIn(messages.Table{}) }

// titleIn is the title of the source, or its address.
func (s Source) titleIn(m messages.Table) string {
	return sanitize.Short(cmp.Or(sanitize.Line(s.Title), s.file(), sanitize.Line(s.address()), m.T("Untitled source")), titleChars)
}

// heading returns the title of a report whose text has none.
func heading(d Document) string {
	return sanitize.Short(cmp.Or(sanitize.Line(d.Query), "Research report"), 2*titleChars)
}

// draftNotice returns the warning on a report that failed the check.
func draftNotice(m messages.Table) string {
	return m.T("DRAFT, not verified. This report did not pass its verification and was written on request. Sentences that are not supported are marked; do not rely on them.")
}

// percent formats a share. It truncates, so that a share below a threshold never looks as if it reached it.
func percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "unknown"
	}
	return fmt.Sprintf("%d\u00a0%%", int(math.Floor(share*100+1e-9)))
}

// count is the number of sentences in a state.
type count struct {
	drawing.Verdict
	N int
}

// counts returns the states that occur, best first.
func (f facts) counts() []count {
	var all [unchecked + 1]count
	for _, s := range f.Sentences {
		at := s.state()
		all[at] = count{s.Verdict(), all[at].N + 1}
	}
	var out []count
	for _, c := range all {
		if c.N > 0 {
			out = append(out, c)
		}
	}
	return out
}

// stopped returns a heading for the last decision, and its reason.
func (f facts) stopped() (title, reason string) {
	d := f.Decision
	switch d.NextAction {
	case loopstate.Finalize, loopstate.Abort:
		title = f.words.T("Why the loop stopped")
	case "":
		return f.words.T("State of the loop"), f.words.T("No decision was recorded.")
	default:
		title = f.words.T("The loop had not stopped")
	}
	reason = sanitize.Line(d.StopReason)
	if reason == "" {
		next := "Next: " + strings.ReplaceAll(sanitize.Line(d.NextAction), "_", " ")
		reason = f.words.T(next)
	}
	return title, plainStop(capital(reason))
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// day and minute format times in UTC; the zero time is "".
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02")
}

func minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// short returns the beginning of a hash.
func short(hash string) string {
	hash = sanitize.Line(hash)
	if len(hash) > 12 {
		return hash[:12]
	}
	return hash
}

// AsSentence returns a text on one line with a capital at its start and a full stop at its end.
func AsSentence(s string) string { return plainStop(capital(sanitize.Line(s))) }

// plainStop adds a full stop to an untrusted sentence without one.
func plainStop(s string) string {
	s = sanitize.Line(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") || strings.HasSuffix(s, "。") || strings.HasSuffix(s, "！") || strings.HasSuffix(s, "？") {
		return s
	}
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return s + "。"
	}
	return s + "."
}

// Limits of untrusted texts in Markdown and HTML. Cuts are marked, and the JSON has the whole texts.
const (
	titleChars   = 300  // of a title, in every format but JSON
	pointedChars = 120  // of a sentence in a tooltip
	saidChars    = 1200 // of a sentence beside its receipts
	passageChars = 8000 // of a passage
)

// head returns at most passageChars of a passage, and a note about the rest, or "".
func head(passage string) (shown, left string) {
	n := utf8.RuneCountInString(passage)
	if n <= passageChars {
		return passage, ""
	}
	cut := 0
	for i := range passage {
		if cut == passageChars {
			return passage[:i], fmt.Sprintf("%d more characters of the passage are not shown.", n-passageChars)
		}
		cut++
	}
	return passage, ""
}
