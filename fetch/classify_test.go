package fetch

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

func TestClassify(t *testing.T) {
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
		{"a paywall in words", "Tides", longText + " Subscribe to continue reading.", false, StatusPaywalled},
		{"long, with an offer at its end", "Tides", strings.Repeat(longText, 4) + " Subscribe to continue reading.", false, StatusRead},
		{"a shell", "App", strings.Repeat("x ", 100) + "You need to enable JavaScript to run this app.", false, StatusBlocked},
		{"long, about scripts", "Scripts", strings.Repeat(longText, 2) + " You need to enable JavaScript.", false, StatusRead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := document.Extraction{NotFree: tt.notFree}
			x.Title, x.Text, x.Chars, x.ContentType = tt.title, tt.text, utf8.RuneCountInString(tt.text), document.TypeHTML
			if got, why := classify(x); got != tt.want || (why == "") != (got == StatusRead) {
				t.Errorf("classify = %s, %q; want %s", got, why, tt.want)
			}
		})
	}
}
