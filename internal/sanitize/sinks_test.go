package sanitize

import (
	"regexp"
	"strings"
	"testing"
)

// Hostile strings through every sink: none begins a formula, a mark, a command, a record or an escape of a terminal.
func TestSinks(t *testing.T) {
	live := map[string]*regexp.Regexp{
		"csv":      regexp.MustCompile(`^[\s"“]*[=+@|%\t\r]|^[\s"“]*-[^\d]`),
		"markdown": regexp.MustCompile("(^|[^\\\\])[`*_\\[\\]<>|#~$&!]|^[-+=]|^\\d+[.)]|\n"),
		"tex":      regexp.MustCompile(`(^|[^\\])[$&#%_^~]|\n|\\(input|write|immediate)\b`),
		"line":     regexp.MustCompile("[\n\r\x1b\u202e\u200b]"), // RIS, SARIF and terminals
	}
	for _, s := range []string{
		"=HYPERLINK(\"https://a.example\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "|calc", "\t=1", "\r=1", " \"=1", "“=1", "%0A",
		"[x](javascript:alert(1))", "![x](https://a.example/?q)", "<script>alert(1)</script>", "`x`", "# x", "1. x", "2) x", "> x", "- x",
		"+ x", "a | b", "*x*", "~~x~~", "&lt;", "$x$", "@someone",
		"x}, title={y", "\\input{/etc/passwd}", "\\write18{x}", "100 % of {it", "TY  - JOUR\nER  - \nTY  - BOOK",
		"::error::x\n::stop-commands::y", "\x1b]8;;https://a.example\x07x", "a\u202eb", "a\u200bb",
	} {
		for sink, got := range map[string]string{"csv": CSV(s), "markdown": Markdown(Line(s)), "tex": TeX(s), "line": Line(s)} {
			if at := live[sink].FindString(got); at != "" {
				t.Errorf("%s: %q is written as %q, with %q", sink, s, got, at)
			}
		}
		if got := TeX(s); strings.Count(got, "{") != strings.Count(got, "}") {
			t.Errorf("tex: %q is written as %q: its braces are not balanced", s, got)
		}
	}
}
