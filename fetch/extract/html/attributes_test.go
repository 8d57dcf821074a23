package html

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestBoundAttributes(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ` a%d="x > y"`, i)
		}
		return b.String()
	}
	for _, tt := range []struct{ name, src, want string }{
		{"few attributes stay as they are", `<p a b=1 c="<q" d='>' / e>text</p>`, `<p a b=1 c="<q" d='>' / e>text</p>`},
		{"a tag keeps the first ones", "<p" + many(maxTagAttributes+9) + ">text</p>", "<p" + many(maxTagAttributes) + " >text</p>"},
		{"each tag has its own bound", strings.Repeat("<p"+many(maxTagAttributes)+">x", 3), strings.Repeat("<p"+many(maxTagAttributes)+">x",
			3)},
		{"what is no tag stays", "1 < 2 and <!-- " + many(maxTagAttributes+1) + " -->", "1 < 2 and <!-- " + many(maxTagAttributes+1) +
			" -->"},
		{"a value that never ends", `<p a="x`, `<p a="x`},
		{"a tag that never ends", "<p a b c", "<p a b c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := boundAttributes(tt.src); got != tt.want {
				t.Errorf("got  %.300q\nwant %.300q", got, tt.want)
			}
		})
	}
	page := boundAttributes(strings.Repeat("<i a b c d e>x", maxPageAttributes/5+7))
	if n := strings.Count(page, " a"); n != maxPageAttributes/5 {
		t.Errorf("a page keeps %d × 5 attributes", n)
	}
	if strings.Count(page, "x") != maxPageAttributes/5+7 {
		t.Error("text was lost")
	}
}

// Whatever the page, its text and its tags stay.
func FuzzBoundAttributes(f *testing.F) {
	for _, seed := range []string{"", "<p a=1 b='2' c=\"3\">x</p>", "<p =a/b = 'c", "<a<b c>", "</p a>", "<p" + strings.Repeat(" a", 300) +
		">x", "<p" + strings.Repeat("/=", 300) + ">x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, rawText := range []string{"<!", "<?", "<script", "<style", "<title", "<textarea", "<iframe", "<noembed", "<noframes",
			"<noscript", "<plaintext", "<xmp"} {
			if strings.Contains(strings.ToLower(src), rawText) {
				return // what looks like a tag there is text
			}
		}
		tokens := func(src string) (out []string) {
			for z := html.NewTokenizer(strings.NewReader(src)); ; {
				kind := z.Next()
				if kind == html.ErrorToken {
					return out
				}
				out = append(out, kind.String()+" "+z.Token().Data)
			}
		}
		bounded := boundAttributes(src)
		if want, got := strings.Join(tokens(src), "\n"), strings.Join(tokens(bounded), "\n"); got != want {
			t.Errorf("%q\ngot  %q\nwant %q", src, got, want)
		}
	})
}
