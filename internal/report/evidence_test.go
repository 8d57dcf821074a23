package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/markup"
)

// The table beside the matrix has a row for each source that supports a sentence, with all its sentences.
func TestTableMatchesTheMatrix(t *testing.T) {
	for _, f := range fixtures(t) {
		root, err := html.Parse(bytes.NewReader(render(t, HTML, f.doc)))
		if err != nil {
			t.Fatal(err)
		}
		facts := factsOf(f.doc)
		var want []string
		titles := map[string]bool{}
		for at, sentences := range facts.supportedBy() {
			if len(sentences) == 0 {
				continue
			}
			label := facts.Sources[at].label()
			row := fmt.Sprintf("[%s]", label)
			for _, c := range sentences {
				v := facts.Sentences[c.sentence].Verdict()
				for _, format := range []string{"[%s] carries sentence %d: %s %s", "[%s] is cited for sentence %d, but no passage of it was found: %s %s"} {
					titles[facts.words.T(format, label, c.sentence+1, v.Sign, facts.words.T(v.Word))] = true
				}
				row += fmt.Sprintf(" %d%s", c.sentence+1, drawing.VerdictOf(facts.Sentences[c.sentence].Status).Sign)
			}
			want = append(want, row)
		}
		var got []string
		marks := 0
		for _, figure := range find(root, func(n *html.Node) bool { return n.Data == "figure" && hasClass(n, "carried") }) {
			for _, tr := range find(figure, tag("tr"))[1:] {
				row := content(find(tr, tag("a"))[0])
				for _, a := range find(tr, func(n *html.Node) bool { return hasClass(n, "mark-link") }) {
					words := strings.Fields(content(a))
					row += " " + words[0] + words[1]
				}
				got = append(got, row)
			}
			for _, a := range find(figure, func(n *html.Node) bool {
				return n.Data == "a" && n.Namespace == "svg" && len(find(n, tag("title"))) == 1
			}) {
				if titles[content(find(a, tag("title"))[0])] {
					marks++
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.name, diff)
		}
		cells := 0
		for _, row := range want {
			cells += len(strings.Fields(row)) - 1
		}
		if marks != cells {
			t.Errorf("%s: %d marks, want %d", f.name, marks, cells)
		}
	}
}

func TestSnapshot(t *testing.T) {
	read := time.Date(2026, 11, 2, 10, 4, 5, 0, time.FixedZone("", 3600))
	for _, tc := range []struct{ address, want string }{
		{"https://go.dev/ref/mem?a=1&b=2#chan", "https://web.archive.org/web/20261102090405/https://go.dev/ref/mem?a=1&b=2"},
		{"http://example.org", "https://web.archive.org/web/20261102090405/http://example.org"},
		{"https://web.archive.org/web/2020/https://go.dev", ""}, {"file:///papers/a.pdf", ""}, {"pasted:minutes", ""}, {"javascript:alert(1)", ""}, {"", ""},
		{"http://localhost:8080/x", ""}, {"http://192.168.1.7/x", ""}, {"http://[::1]/x", ""}, {"https://wiki.internal/x", ""}, {"https://intranet/x", ""},
	} {
		if got := snapshot(tc.address, read); got != tc.want {
			t.Errorf("snapshot(%q) = %q, want %q", tc.address, got, tc.want)
		}
	}
	if got := snapshot("https://go.dev", time.Time{}); got != "" {
		t.Errorf("a page without a time has the snapshot %q", got)
	}
}

func TestPlainSentence(t *testing.T) {
	for in, want := range map[string]string{
		"A receive from an *unbuffered* channel": "A receive from an unbuffered channel", "**The closing** of `c <- 0`": "The closing of c <- 0", "snake_case_name stays": "snake_case_name stays",
		"a [link](https://example.org) &amp; more": "a link & more", "***": "***", "plain": "plain", "1 < 2 and 3 > 2": "1 < 2 and 3 > 2", "one\ntwo *three*\nfour": "one two three four",
	} {
		if got := markup.Plain(in); got != want {
			t.Errorf("spoken(%q) = %q, want %q", in, got, want)
		}
	}
}
