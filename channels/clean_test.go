package channels

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPlainText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Tides and mills", "Tides and mills"},
		{"white space", "  Tides\n\tand  mills ", "Tides and mills"},
		{"search match", `a <span class="searchmatch">tide</span>s`, "a tides"},
		{"inline tags leave no space", "H<sub>2</sub>O and x<sup>2</sup>", "H2O and x2"},
		{"block tags leave a space", "<p>One.</p><p>Two.</p>Three<br/>four", "One. Two. Three four"},
		{"JATS", "<jats:title>Abstract</jats:title><jats:p>We <jats:italic>saw</jats:italic> it.</jats:p>", "Abstract We saw it."},
		{"MathML", `the <mml:math xmlns:mml="x"><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math> law`, "the x2 law"},
		{"entities", "rise &amp; fall &#8211; caf&eacute;", "rise & fall – café"},
		{"escaped twice", "A &amp;amp; B", "A & B"},
		{"escaped tags", "&lt;i&gt;in vivo&lt;/i&gt;", "in vivo"},
		{"tags escaped twice", "&amp;lt;b&amp;gt;x&amp;lt;/b&amp;gt;", "x"},
		{"less than", "when a < b and c > d", "when a < b and c > d"},
		{"generics", "Vec<T>, Map<K,V> and <A>", "Vec<T>, Map<K,V> and <A>"},
		{"an address", "see <https://example.org>", "see <https://example.org>"},
		{"script and comment", "a<script>alert('x')</script>b<!-- c -->d", "a b d"},
		{"unclosed", "a <b", "a <b"},
		{"reordering marks", "abc\u202edef\u2066g\u00adh\u200bi", "abcdefghi"},
		{"words in tags and selectors", "Tides\U000E0061\U000E0062\ufe05 and\U000E0110 mills\u3164", "Tides and mills"},
		{"emoji", "Tides ❤\ufe0f", "Tides ❤\ufe0f"},
		{"joiners are kept", "می\u200cخواهم", "می\u200cخواهم"},
		{"control", "a\x00b\x1b[31mc", "ab[31mc"},
		{"broken UTF-8", "a\xffb", "a\ufffdb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := plainText(tt.in); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestClip(t *testing.T) {
	tests := []struct {
		name, in string
		n        int
		want     string
	}{
		{"fits", "tides", 5, "tides"},
		{"at a word", "the tides of the sea", 18, "the tides of the…"},
		{"no word near", "abcdefghij", 5, "abcd…"},
		{"code points", "ééééééé", 4, "ééé…"},
		{"CJK", "潮汐磨坊的历史", 4, "潮汐磨…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := clip(tt.in, tt.n); got != tt.want || utf8.RuneCountInString(got) > tt.n {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestClean(t *testing.T) {
	long := strings.Repeat("tide ", 500)
	tests := []struct {
		name  string
		plain bool
		in    Evidence
		want  Evidence
		kept  bool
	}{
		{"everything", false,
			Evidence{Title: "<b>T</b>", URL: " https://example.org/a ", Snippet: "s &amp; s", Source: "somebody", SourceType: "press", PublishedAt: "2020-02-03T04:05:06Z", Authors: []string{" A <i>B</i> ", ""}, DOI: "https://doi.org/10.1000/X", Language: "en"},
			Evidence{Title: "T", URL: "https://example.org/a", Snippet: "s & s", Source: "x", SourceType: "press", PublishedAt: "2020-02-03", Authors: []string{"A B"}, DOI: "10.1000/x", Language: "en"}, true},
		{"plain text is unchanged", true,
			Evidence{Title: "<b> in HTML", URL: "file:///a/b.md", Snippet: "write &amp; for &"},
			Evidence{Title: "<b> in HTML", URL: "file:///a/b.md", Snippet: "write &amp; for &", Source: "x"}, true},
		{"the address of a DOI", false, Evidence{Title: "T", DOI: "10.1000/x"}, Evidence{Title: "T", URL: "https://doi.org/10.1000/x", DOI: "10.1000/x", Source: "x"}, true},
		{"invalid fields are dropped", false,
			Evidence{Title: "T", URL: "https://example.org", SourceType: "blog", PublishedAt: "last week", DOI: "none", Language: "<script>"},
			Evidence{Title: "T", URL: "https://example.org", Source: "x"}, true},
		{"no title", false, Evidence{Title: " <i></i>\u200b ", URL: "https://example.org"}, Evidence{}, false},
		{"no address", false, Evidence{Title: "T"}, Evidence{}, false},
		{"a relative address", false, Evidence{Title: "T", URL: "/wiki/T"}, Evidence{}, false},
		{"a script as the address", false, Evidence{Title: "T", URL: "javascript:alert(1)"}, Evidence{}, false},
		{"a very long address", false, Evidence{Title: "T", URL: "https://example.org/" + strings.Repeat("x", maxURL)}, Evidence{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, kept := clean(Result{Evidence: tt.in}, "x", tt.plain)
			if kept != tt.kept {
				t.Fatalf("kept %v, want %v", kept, tt.kept)
			}
			if diff := cmp.Diff(tt.want, got.Evidence); kept && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	got, _ := clean(Result{Evidence: Evidence{Title: long, URL: "https://example.org", Snippet: long, Authors: strings.Fields(long)}}, "x", false)
	if n := utf8.RuneCountInString(got.Snippet); n > maxSnippet || n < maxSnippet*4/5 {
		t.Errorf("snippet of %d code points", n)
	}
	if utf8.RuneCountInString(got.Title) > maxTitle || len(got.Authors) != maxAuthors {
		t.Errorf("title of %d code points, %d authors", utf8.RuneCountInString(got.Title), len(got.Authors))
	}
}
