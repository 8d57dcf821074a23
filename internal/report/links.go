package report

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/loopstate"
)

// Limits of untrusted texts in all formats but JSON, in code points.
const (
	titleChars   = 300
	saidChars    = 1200 // of a sentence beside its evidence
	passageChars = 4000
)

// address returns the final address of the source, or the requested one.
func (s Source) address() string { return cmp.Or(s.FinalURL, s.URL) }

// file returns the name of a local file: its path below the user's folder, or the last part of its address; "" for any other source.
func (s Source) file() string {
	at, local := strings.CutPrefix(s.address(), "file://")
	switch {
	case local:
		if plain, err := url.PathUnescape(at); err == nil {
			at = plain
		}
		at = path.Base(at)
	case strings.Contains(at, ":"):
		return ""
	}
	return sanitize.Line(at)
}

// title is the title of the source, or its address.
func (s Source) title() string {
	return sanitize.Short(cmp.Or(sanitize.Line(s.Title), s.file(), sanitize.Line(s.address()), "Untitled source"), titleChars)
}

// heading returns the title of a report whose text has none.
func heading(d Document) string {
	return sanitize.Short(cmp.Or(sanitize.Line(d.Query), "Research report"), 2*titleChars)
}

// draftNotice is the warning on a report that failed the check.
const draftNotice = "DRAFT, not verified. This report did not pass its verification and was written on request. " +
	"Sentences that are not supported are marked; do not rely on them."

// day and Minute format times in UTC; the zero time is "".
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

func Minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
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

// languageOf returns the language tag of a source if it is well formed, or "".
func languageOf(tag string) string {
	_, err := language.Parse(tag)
	var unknown language.ValueError
	if len(tag) > 35 || err != nil && !errors.As(err, &unknown) {
		return ""
	}
	return tag
}

// snapshot returns the address of the Wayback Machine's snapshot closest to the time of reading; "" for an address without a public
// host, and for a page of the Wayback Machine.
func snapshot(address string, read time.Time) string {
	link := sanitize.Link(address)
	u, err := url.Parse(link)
	if link == "" || read.IsZero() || err != nil || !publicHost(u.Hostname()) || u.Hostname() == "web.archive.org" {
		return ""
	}
	link, _, _ = strings.Cut(link, "#")
	return "https://web.archive.org/web/" + read.UTC().Format("20060102150405") + "/" + link
}

// publicHost reports whether a host may be public: a name with a dot that is not reserved for local networks.
func publicHost(host string) bool {
	local := []string{".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test", ".invalid"}
	return net.ParseIP(host) == nil && strings.Contains(strings.Trim(host, "."), ".") &&
		!slices.ContainsFunc(local, func(end string) bool { return strings.HasSuffix(strings.ToLower(host), end) })
}

// place names the place of a passage: "PDF p. 12, lines 120–128".
func (w labels) place(r Receipt) string {
	var parts []string
	switch last := max(r.Page, r.LastPage); {
	case r.Page > 0 && last > r.Page:
		parts = append(parts, w.f("PDF pp. %s", fmt.Sprintf("%d–%d", r.Page, last)))
	case r.Page > 0:
		parts = append(parts, w.f("PDF p. %s", strconv.Itoa(r.Page)))
	}
	if r.Lines != "" {
		parts = append(parts, w.lines(r.Lines))
	}
	return strings.Join(parts, ", ")
}

// lines names lines: "line 120", "lines 120–128"; "" for none.
func (w labels) lines(at string) string {
	switch at = sanitize.Line(strings.ReplaceAll(at, "-", "–")); {
	case at == "":
		return ""
	case strings.ContainsAny(at, "–,"):
		return w.f("lines %s", at)
	}
	return w.f("line %s", at)
}

// supports reports whether the passages of a sentence are behind the text: no reader refuted it.
func (s Sentence) supports() bool {
	return s.Status == loopstate.Grounded || s.Status == loopstate.Inferred
}

// citedLines returns the lines behind sentences that no reader refuted, by source id.
func citedLines(d Document) map[string]lines.Ranges {
	all := map[string]lines.Ranges{}
	for _, s := range d.Sentences {
		for _, r := range s.Receipts {
			if at, ok := lines.ParseRanges(cmp.Or(r.Cited, r.Lines)); ok && s.supports() {
				all[r.SourceID] = all[r.SourceID].And(at)
			}
		}
	}
	return all
}

// citedPages returns the pages of a PDF behind such sentences, by source id.
func citedPages(d Document) map[string]lines.Ranges {
	all := map[string]lines.Ranges{}
	for _, s := range d.Sentences {
		for _, r := range s.Receipts {
			if r.Page > 0 && s.supports() {
				all[r.SourceID] = all[r.SourceID].And(lines.Ranges{{First: r.Page, Last: max(r.Page, r.LastPage)}})
			}
		}
	}
	return all
}

// notBlank returns the items with visible text, each on one line.
func notBlank(list []string) (out []string) {
	for _, s := range list {
		if s = sanitize.Short(s, titleChars); s != "" {
			out = append(out, s)
		}
	}
	return out
}
