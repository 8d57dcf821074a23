package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/report/style"
)

// The page and the report share the styles of colours and drawings.
func TestTheStyleSheetIsWhole(t *testing.T) {
	h := newFixture(t, nil)
	_, css := h.shown(t)("/ui/static/page.css")
	for _, part := range []string{style.Page(), ".decision"} {
		if !strings.Contains(css, part) {
			t.Errorf("lacks %.60q", part)
		}
	}
	if strings.Contains(css, "url(") || strings.Contains(css, "@import") {
		t.Error("the style sheet loads a resource")
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(--[a-z-]+):`).FindAllStringSubmatch(css, -1) {
		known[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`var\((--[a-z-]+)`).FindAllStringSubmatch(css, -1) {
		if !known[m[1]] {
			t.Errorf("%s has no value", m[1])
		}
	}
}
