package html

import (
	"strings"
	"testing"
)

// What decides a number or a statement is in the text: signs, exponents, comparisons, the case of
// units, letters of other scripts, combining strokes, and that words are struck through.
func TestSignsSurvive(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, head, in, want string }{
		{"minus", "", "It fell to −5 °C, -7 °C or ±2 °C.", "It fell to −5 °C, -7 °C or ±2 °C."},
		{"minus as an entity", "", "It fell to &minus;5 &plusmn; 2.", "It fell to −5 ± 2."},
		{"exponent", "", "It has 10<sup>6</sup> cells, not 10<sup>9</sup>.", "It has 10⁶ cells, not 10⁹."},
		{"negative exponent", "", "It takes 10<sup>&minus;6</sup> s.", "It takes 10⁻⁶ s."},
		{"exponent with a point", "", "It has 10<sup>6.5</sup> cells.", "It has 10^6.5 cells."},
		{"exponent with a fraction", "", "It grows as n<sup>2/3</sup>.", "It grows as n^2/3."},
		{"ordinal", "", "The 1<sup>st</sup> day.", "The 1st day."},
		{"comparisons", "", "p &lt; 0.05, q &gt; 0.05, r ≤ 1, s ≥ 2, t ≠ 3, u ≈ 4.",
			"p < 0.05, q > 0.05, r ≤ 1, s ≥ 2, t ≠ 3, u ≈ 4."},
		{"units", "", "5 mW, 5 MW, 3 Gb and 3 GB.", "5 mW, 5 MW, 3 Gb and 3 GB."},
		{"mixed scripts", "", "It is nоt safe.", "It is nоt safe."},
		{"combining strokes", "", "It is n\u0336o\u0336t\u0336 safe, not\u0338.", "It is n\u0336o\u0336t\u0336 safe, not\u0338."},
		{"struck", "", "It costs <s>$5</s> $4.", "It costs ~~$5~~ $4."},
		{"deleted", "", "It is <del>very <b>safe</b></del>.", "It is ~~very safe~~."},
		{"old element", "", "It is <strike> safe </strike>!", "It is ~~safe~~ !"},
		{"struck in struck", "", "<del>It is <s>safe</s>.</del>", "~~It is safe.~~"},
		{"struck by its style", "", `It is <span style="text-decoration: line-through red">safe</span>.`, "It is ~~safe~~."},
		{"struck by a sheet", "<style>.old i{text-decoration-line:line-through}</style>", `<span class="old">It is <i>safe</i>.</span>`,
			"It is ~~safe~~."},
		{"not struck by its style", "<style>ins,del{text-decoration:none}</style>", "It is <del>safe</del>.", "It is safe."},
		{"a list without numbers", "<style>ol.law{list-style:none}</style>", "<ol class=law><li>§ 1 Scope<li>§ 2 Tolls</ol>",
			"- § 1 Scope\n- § 2 Tolls"},
		{"a list with counters", "<style>ol{list-style:none}li{counter-increment:x}</style>", "<ol><li>one<li>two</ol>", "1. one\n2. two"},
		{"a poem", "<style>.poem{white-space:pre-wrap}</style>", "<div class=poem>The fog <b>comes</b>\n  on little\n\n feet</div>",
			"The fog comes\n  on little\n\nfeet"},
		{"an address", "", "<p style='white-space: pre-line'>Mill Lane 3\n   Velden <i style='white-space:normal'>in\nthe west</i>",
			"Mill Lane 3\nVelden in the west"},
		{"labels in elements", "", "<ol><li><span class=ltx_tag>(b)</span><div><p>Moss.</p></div><li><span class=label>2.</span>" +
			"<cite>Berg.</cite><li>plain</ol>", "(b) Moss.\n2. Berg.\n3. plain"},
		{"a bullet in an element", "", "<ul><li><span class=ltx_tag_item>•</span><p>Moss.</p></ul>", "- Moss."},
		{"items that begin with headings", "", "<ol><li><h3>Open</h3><li><h3>Close</h3><p>It.</p></ol>",
			"### 1. Open\n\n### 2. Close\n\n  It."},
		{"a path to the page", "", "<ol><li><a>Home</a><li><h1>Open</h1></ol>", "1. Home\n\n# Open"},
		{"a quotation", "", "<p>He said <q>it is <b>old</b> </q>.", "He said “it is old”."},
		{"letters of a list", "<style>.law{list-style:lower-alpha}</style>", "<ol class=law><li>one<li>two</ol>", "a. one\nb. two"},
		{"two paragraphs", "", "<del><p>It is safe.</p><p>Very.</p></del>", "~~It is safe.~~\n\n~~Very.~~"},
		{"a cell", "", "<table><tr><td>a</td><td><s>b</s></td></tr></table>", "a | ~~b~~"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "<html><head>" + tt.head + "</head><body><article><p>" +
				strings.Repeat("The lighthouse keeper wrote the log every night. ", 8) + "</p><div>" + tt.in +
				"</div></article></body></html>"
			if got := textOf(src); !strings.HasSuffix(got, "\n\n"+tt.want) {
				t.Errorf("text %q, want %q", got, tt.want)
			}
		})
	}
}
