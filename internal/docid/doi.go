package docid

import (
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	// '#', '<' and '>' end a DOI, except for the page in older DOIs of Wiley, the AMS and others. Without it, all articles
	// of an issue would be one: 10.1175/1520-0442(2000)013<0001:TDOTRF>2.0.CO;2.
	doiPattern      = lazyregexp.New(`(?i)\b10\.\d{4,9}/(?:[^\s"&?#<>]|<[^\s"&?#<>:/]*:[^\s"&?#<>]*>)+`)
	preprintVersion = lazyregexp.New(`v\d+(\.(full|abstract|article-info|supplementary-material))*(\.pdf(\+html)?|-text|` +
		`\.full-text)?(/.*)?$`)
	doiSuffixes = []string{"/full/html", "/fulltext", "/full-text", "/full", "/abstract", "/summary", "/pdf", "/epdf", "/epub", "/html",
		"/meta", "/references", "/figures", "/citation", ".pdf+html", ".pdf", ".full", ".html", ".xml"}
)

// NormalizeDOI returns the bare lower-case DOI in s ("10.1000/x"), or "" if s has none. It accepts "doi:10.1000/X",
// "https://doi.org/10.1000%2FX" and the bare form. It trims common suffixes: /full, .pdf, an unmatched closing bracket,
// punctuation.
func NormalizeDOI(s string) string {
	text := unescapeAll(s)
	if !strings.Contains(text, "10.") { // most addresses, without the cost of the pattern
		return ""
	}
	d := strings.ToLower(doiPattern.FindString(text))
	for before := ""; d != before; {
		before = d
		if strings.HasPrefix(d, "10.1101/") || strings.HasPrefix(d, "10.64898/") { // bioRxiv and medRxiv append the version
			d = preprintVersion.ReplaceAllString(d, "")
		}
		d = strings.TrimRight(d, ".,;:'\"»”’*/。，、；：）】」』")
		for _, b := range []string{"()", "[]", "{}"} {
			if d != "" && d[len(d)-1] == b[1] && strings.Count(d, b[1:]) > strings.Count(d, b[:1]) {
				d = d[:len(d)-1]
			}
		}
		for _, suffix := range doiSuffixes {
			d = strings.TrimSuffix(d, suffix)
		}
	}
	return doiPattern.FindString(d) // "" if only the prefix is left
}

var escapes = lazyregexp.New(`(?:%[0-9A-Fa-f]{2})+`)

// unescapeAll decodes percent-encoding, nested up to eight times. A percent sign that encodes nothing stays.
func unescapeAll(s string) string {
	for range 8 {
		before := s
		s = escapes.ReplaceAllStringFunc(s, func(run string) string {
			text, _ := url.PathUnescape(run) // the expression has whole escapes
			return text
		})
		if s == before {
			break
		}
	}
	return s
}

// doiInQuery finds a DOI in a parameter that publishers use for the document's id. Other parameters may contain the DOI of
// another document.
func doiInQuery(pairs []pair) string {
	other := ""
	for _, p := range pairs {
		d := NormalizeDOI(p.value)
		switch {
		case d == "":
		case strings.EqualFold(p.key, "doi"):
			return d
		case other == "" && strings.EqualFold(p.key, "id") && strings.HasPrefix(strings.TrimPrefix(strings.ToLower(p.value), "doi:"),
			"10."):
			other = d
		}
	}
	return other
}
