package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Limits of untrusted texts in all formats but JSON, in code points.
const (
	labelChars   = 80
	titleChars   = 300
	saidChars    = 1200 // of a sentence beside its evidence
	passageChars = 4000
)

// Notice returns the warning on a report that failed the check, or "".
func (d Document) Notice() string {
	return told(d.Unverified, "DRAFT, not verified. This report did not pass its verification and was written on request. "+
		"Sentences that are not supported are marked; do not rely on them.")
}

// address returns the final address of the source, or the requested one.
func (s Source) address() string { return cmp.Or(s.FinalURL, s.URL) }

// file returns the path of a local file below the user's folder, which stands for its address in a report; "" for any other source.
func (s Source) file() string {
	return told(!strings.Contains(s.address(), ":"), sanitize.Line(s.address()))
}

// title is the title of the source, or its address.
func (s Source) title() string {
	return short(cmp.Or(sanitize.Line(s.Title), s.file(), sanitize.Line(s.address()), "Untitled source"))
}

// heading returns the title of a report whose text has none.
func heading(d Document) string {
	return sanitize.Short(cmp.Or(sanitize.Line(d.Query), "Research report"), 2*titleChars)
}

// Minute formats a time in UTC; the zero time is "".
func Minute(t time.Time) string { return stamp(t, "2006-01-02 15:04 UTC") }

func stamp(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(layout)
}

// AsSentence returns a text on one line with a capital at its start and a full stop at its end.
func AsSentence(s string) string {
	s = sanitize.Line(s)
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	s = string(unicode.ToUpper(r)) + s[n:]
	switch last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"”’)`)); {
	case strings.ContainsRune(".!?。！？…", last):
		return s
	case unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return s + "。"
	}
	return s + "."
}

// place names the place of a passage: "PDF p. 12, lines 120–128".
func (w labels) place(r Receipt) string {
	return strings.Join(nonEmpty(told(r.Page > 0, w.f("PDF p. %s", strconv.Itoa(r.Page))), w.lines(r.Lines)), ", ")
}

// lines names lines: "line 120", "lines 120–128"; "" for none.
func (w labels) lines(at string) string {
	label := "line %s"
	if at = sanitize.Line(strings.NewReplacer("-", "–", ",", ", ").Replace(at)); strings.ContainsAny(at, "–,") {
		label = "lines %s"
	}
	return told(at != "", w.f(label, at))
}

// nonEmpty returns the texts that are not empty.
func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
}

// notBlank returns the items with visible text, each on one line.
func notBlank(list []string) []string {
	out := slices.Clone(list)
	for i, s := range out {
		out[i] = short(s)
	}
	return nonEmpty(out...)
}

// short returns an untrusted text on one line, with a bound.
func short(s string) string { return sanitize.Short(s, titleChars) }

// told returns words if something is so, and after a value behind words; "" otherwise.
func told(so bool, words string) string {
	if so {
		return words
	}
	return ""
}

func after(words, value string) string { return told(value != "", words+value) }
func quoted(s string) string           { return told(s != "", "“"+s+"”") }
