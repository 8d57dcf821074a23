package normal

import (
	"testing"
	"unicode/utf8"
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
			if got := Plain(tt.in); got != tt.want {
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
			if got := Clip(tt.in, tt.n); got != tt.want || utf8.RuneCountInString(got) > tt.n {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
