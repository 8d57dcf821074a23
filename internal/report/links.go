package report

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/words"
	"golang.org/x/text/language"
)

// Limits of a text fragment. A longer passage is identified by its first and last words.
const (
	fragmentChars = 60
	fragmentWords = 5
	fragmentRunes = 14 // where words are not separated by spaces
)

// passageLink returns the address of the source with a text fragment, with which a browser scrolls to the passage. It is ""
// without a link or a passage.
func passageLink(address, passage string) string {
	link := sanitize.Link(address)
	if link == "" {
		return ""
	}
	parts := stretches(passage)
	if len(parts) == 0 {
		return ""
	}
	first, last := parts[0], parts[len(parts)-1]
	text := fragmentEscape(first)
	if n := len(strings.Fields(first)); len(parts) > 1 || utf8.RuneCountInString(first) > fragmentChars && (n == 1 || n > 2*fragmentWords) {
		text = fragmentEscape(edge(first, true)) + "," + fragmentEscape(edge(last, false))
	}
	if strings.Contains(link, "#") {
		return link + ":~:text=" + text
	}
	return link + "#:~:text=" + text
}

// stretches parts a passage into texts that a browser finds as one: each is within a block of the page, a line or a cell,
// without the marks that extraction writes before headings and list items. Blocks of one word before longer ones are left out:
// the page may have such a word elsewhere.
func stretches(passage string) (out []string) {
	for line := range strings.Lines(passage) {
		for cell := range strings.SplitSeq(line, " | ") {
			cell = strings.Join(strings.Fields(cell), " ")
			if bare := strings.TrimLeft(cell, "#-*+•|> "); bare != cell && bare != "" && strings.ContainsRune("#-*+•|>", rune(cell[0])) {
				cell = bare
			}
			if cell = strings.Trim(cell, "| "); cell != "" {
				out = append(out, cell)
			}
		}
	}
	for len(out) > 1 && !strings.Contains(out[0], " ") && strings.Contains(out[1], " ") {
		out = out[1:]
	}
	return out
}

// edge returns the first or the last words of a stretch.
func edge(stretch string, first bool) string {
	words, r := strings.Fields(stretch), []rune(stretch)
	switch {
	case len(words) > fragmentWords && first:
		return strings.Join(words[:fragmentWords], " ")
	case len(words) > fragmentWords:
		return strings.Join(words[len(words)-fragmentWords:], " ")
	case len(words) > 1 || len(r) <= fragmentRunes:
		return stretch
	case first:
		return string(r[:fragmentRunes])
	}
	return string(r[len(r)-fragmentRunes:])
}

// fragmentEscape also escapes "-", which has a meaning in a text fragment.
func fragmentEscape(s string) string {
	return strings.NewReplacer("+", "%20", "-", "%2D").Replace(url.QueryEscape(s))
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

// languageByScript guesses the language of a text from its letters, for the choice of fonts and voices: "" for Latin and
// Cyrillic, which many languages share.
func languageByScript(s string) string {
	if lang := words.Script(s); lang != "ru" {
		return lang
	}
	return ""
}

// evidencePathParts bounds the path of a file; the list of sources has all of it.
const evidencePathParts = 2

// fileOf returns the end of the path of a local source, with the first line if it is a text whose lines are those of the file:
// "notes/otters.md:12"; "" for any other source.
func (f facts) fileOf(r Receipt, lines string) string {
	source, _, ok := f.source(r.SourceID)
	path := source.file()
	if !ok || path == "" {
		return ""
	}
	parts := strings.Split(path, "/")
	path = strings.Join(parts[max(0, len(parts)-evidencePathParts):], "/")
	first, _, _ := strings.Cut(strings.ReplaceAll(lines, "-", ","), ",")
	if kind, _, _ := strings.Cut(source.ContentType, ";"); first != "" && (kind == "text/markdown" || kind == "text/plain") {
		path += ":" + first
	}
	return strings.ReplaceAll(sanitize.Line(path), "`", "")
}

// snapshot returns the address of the Wayback Machine's snapshot closest to the time of reading. It is "" for addresses
// without a public host, and for pages that were read from the Wayback Machine.
func snapshot(address string, read time.Time) string {
	link := sanitize.Link(address)
	if link == "" || read.IsZero() {
		return ""
	}
	u, err := url.Parse(link)
	if err != nil || !publicHost(u.Hostname()) || u.Hostname() == "web.archive.org" {
		return ""
	}
	link, _, _ = strings.Cut(link, "#")
	return "https://web.archive.org/web/" + read.UTC().Format("20060102150405") + "/" + link
}

// publicHost reports whether a host may be public: a name with a dot that is not reserved for local networks.
func publicHost(host string) bool {
	if net.ParseIP(host) != nil || !strings.Contains(strings.Trim(host, "."), ".") {
		return false
	}
	for _, local := range []string{".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test", ".invalid"} {
		if strings.HasSuffix(strings.ToLower(host), local) {
			return false
		}
	}
	return true
}

// liveLink returns the address of a passage on the live page, or of its page in a PDF. It is "" if a browser cannot find the
// passage: for pasted text, and for a PDF without pages.
func (f facts) liveLink(r Receipt) string {
	address, pdf := f.addressOf(r)
	if pdf {
		return atPage(address, r.Page)
	}
	return passageLink(address, r.Passage)
}

// archivedLink returns the same address in the Wayback Machine's snapshot closest to the time of reading; "" without a snapshot.
func (f facts) archivedLink(r Receipt) string {
	address, pdf := f.addressOf(r)
	snapshot := snapshot(address, r.FetchedAt)
	if snapshot == "" || pdf {
		return snapshot
	}
	return passageLink(snapshot, r.Passage)
}

// addressOf returns the address of the text of a receipt, "" for pasted text, and reports whether it is a PDF.
func (f facts) addressOf(r Receipt) (address string, pdf bool) {
	source, _, known := f.source(r.SourceID)
	if known && source.Pasted {
		return "", false
	}
	return cmp.Or(r.URL, source.address()), known && strings.Contains(source.ContentType, "pdf")
}
