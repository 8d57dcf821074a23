package fetch

import (
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	tests := []struct {
		name, title, text string
		notFree           bool
		want              Status
	}{
		{"a text", "Tides", longText, false, StatusRead},
		{"199 characters", "Tides", strings.Repeat("a", 199), false, StatusTooShort},
		{"200 characters", "Tides", strings.Repeat("a", 200), false, StatusRead},
		{"200 characters of three bytes", "", strings.Repeat("日", 200), false, StatusRead},
		{"a check for browsers", "Just a moment...", longText, false, StatusBlocked},
		{"access denied", "Access Denied", longText, false, StatusBlocked},
		{"a city", "Forbidden City", longText, false, StatusRead},
		{"a site called 404", "404 Media: on tides", longText, false, StatusRead},
		{"a soft 404", "404 - Not here", longText, false, StatusNotFound},
		{"a soft 404 in German", "Seite nicht gefunden", longText, false, StatusNotFound},
		{"long, about missing pages", "Why a page was not found", strings.Repeat(longText, 4), false, StatusRead},
		{"a preview", "Tides", longText, true, StatusPaywalled},
		{"declared not free, but whole", "Tides", strings.Repeat(longText, 4), true, StatusRead},
		{"a wall in words", "Tides", longText + " Subscribe to continue reading.", false, StatusPaywalled},
		{"long, with an offer at its end", "Tides", strings.Repeat(longText, 4) + " Subscribe to continue reading.", false, StatusRead},
		{"a shell", "App", strings.Repeat("x ", 100) + "You need to enable JavaScript to run this app.", false, StatusBlocked},
		{"long, about scripts", "Scripts", strings.Repeat(longText, 2) + " You need to enable JavaScript.", false, StatusRead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := extraction{notFree: tt.notFree}
			x.Title, x.Text, x.Chars, x.ContentType = tt.title, tt.text, codePoints(tt.text), typeHTML
			if got, why := judge(x); got != tt.want || (why == "") != (got == StatusRead) {
				t.Errorf("judge = %s, %q; want %s", got, why, tt.want)
			}
		})
	}
}

func TestSourceType(t *testing.T) {
	tests := []struct {
		name, url string
		doc       Document
		want      string
	}{
		{"a DOI", "https://x.example/", Document{DOI: "10.1234/x"}, "peer"},
		{"a preprint by its DOI", "https://doi.org/x", Document{DOI: "10.48550/arxiv.2101.00001"}, "primary"},
		{"a preprint by its host", "https://www.biorxiv.org/content/x", Document{}, "primary"},
		{"a government", "https://www.epa.gov/x", Document{}, "primary"},
		{"a government elsewhere", "https://ons.gov.uk/x", Document{}, "primary"},
		{"a university", "https://cs.uni.edu/x", Document{}, "primary"},
		{"documentation", "https://docs.tool.example/x", Document{}, "primary"},
		{"a name that only ends so", "https://notarxiv.org/x", Document{}, ""},
		{"anything", "https://x.example/", Document{}, ""},
		{"a file", "file:///x/y.md", Document{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sourceType(tt.doc, base(t, tt.url), nil); got != tt.want {
				t.Errorf("sourceType = %q, want %q", got, tt.want)
			}
		})
	}
}
