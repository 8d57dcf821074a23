package loops_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// otters is a text of 140 lines: line 120 is about crabs, 121 to 128 are a list, and 140 is the last.
func otters() string {
	lines := []string{"# Otters", "", "Otters swim well in cold water, and rest on ice in winter.", "", "## Food & drink", "", "Otters eat twelve crabs a day, mostly at night."}
	for len(lines) < 119 {
		lines = append(lines, "")
		lines = append(lines, "The river has many bends, and nobody has counted them all yet.")
	}
	lines = append(append(lines[:118], ""), "Otters eat crabs and frogs in the lower river.", "")
	for _, item := range []string{"a holt by the mill", "a holt by the weir", "a holt by the bridge"} {
		lines = append(lines, "- "+item)
	}
	for len(lines) < 139 {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, "Otters were counted in 1987."), "\n") + "\n"
}

// Every form of citation of a host's draft leads to its lines, from the draft to the report.
func TestFormsOfCitation(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("What do otters eat?")
	h.web.put("https://example.org/a", "Otters", otters())
	h.web.put("file:///notes/otters/notes.md", "Notes", otters())
	h.web.put("file:///notes/my%20notes.md", "My notes", otters())
	paper := "Page one of it.\n\nPage two.\n\nPage three says that otters play.\n\nPage four." + strings.Repeat(" It goes on for a while.", 12)
	h.web.put("file:///papers/paper.pdf", "A paper", paper)
	page := h.web.pages["file:///papers/paper.pdf"]
	for _, start := range []string{"Page one", "Page two", "Page three", "Page four"} {
		page.Pages = append(page.Pages, utf8.RuneCountInString(paper[:strings.Index(paper, start)]))
	}
	h.web.pages["file:///papers/paper.pdf"] = page
	h.read(loop, "https://example.org/a", "file:///papers/paper.pdf", "file:///notes/otters/notes.md", "file:///notes/my%20notes.md")

	const refs = "\n\n[^1]: S1:120\n[^2]: [Notes](notes.md#L7)\n[^3]: https://example.org/a#:~:text=crabs%20and%20frogs\n"
	for _, tt := range []struct{ name, mark, want string }{
		{"a line", "[S1:120]", "S1:120"},
		{"a range", "[S1:122-124]", "S1:122-124"},
		{"lines of two sources", "[S1:120,140; S2:5]", "S1:120; S2:5; S1:140"},
		{"a text fragment", "([see](https://example.org/a#:~:text=crabs%20and%20frogs))", "S1:120"},
		{"a text fragment with an end", "([see](https://example.org/a#:~:text=Otters%20eat%20crabs,lower%20river))", "S1:120"},
		{"lines of a file", "([see](notes.md#L7))", "S3:7"},
		{"a range of a file", "([see](./otters/notes.md#L5-L7))", "S3:5-7"},
		{"a file above", "([see](../otters/notes.md#L7))", "S3:7"},
		{"a file with a space", "([see](my%20notes.md#L120))", "S4:120"},
		{"a heading", "([see](otters/notes.md#otters))", "S3:"},
		{"a page", "([see](paper.pdf#page=3))", "S2:5"},
		{"a page by the id", "[S2:page=3]", "S2:5"},
		{"a footnote with an id", "[^1]", "S1:120"},
		{"a footnote with a file", "[^2]", "S3:7"},
		{"a footnote with a text fragment", "[^3]", "S1:120"},
		{"an address that was read", "https://example.org/a", "S1:"},
		{"the whole source", "[S1]", "S1:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := "Otters eat crabs and frogs " + tt.mark + "."
			if strings.HasPrefix(tt.mark, "[^") {
				d += refs
			}
			v := h.check(loops.VerifyInput{Loop: loop, Draft: d})
			if len(v.Claims) != 1 || len(v.Hallucinated) > 0 {
				t.Fatalf("%d claims, %+v", len(v.Claims), v.Hallucinated)
			}
			got := v.Claims[0].Lines()
			if got != tt.want && !(strings.HasSuffix(tt.want, ":") && strings.HasPrefix(got, tt.want)) {
				t.Errorf("%s leads to %q, want %q", tt.mark, got, tt.want)
			}
			if strings.HasSuffix(tt.want, ":") {
				return
			}
			doc := h.report(loops.ReportInput{Loop: loop, Draft: d})
			var html, md strings.Builder
			noError(t, report.Write(&html, report.HTML, doc))
			noError(t, report.Write(&md, report.Markdown, doc))
			for _, ref := range strings.Split(tt.want, "; ") {
				if _, lines, _ := strings.Cut(ref, ":"); !strings.Contains(strings.ReplaceAll(md.String(), "–", "-"), lines) || !strings.Contains(html.String(), `data-n="`+strings.Split(lines, "-")[0]+`"`) {
					t.Errorf("the reports lack line %s", lines)
				}
			}
		})
	}
}

// A source that was read is cited by its id, its address or its file, in a claim and in a draft alike: none of them is invented.
func TestASourceCitedByItsAddress(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("What do otters eat?")
	const file = "file:///notes/otters/notes.md"
	h.web.put(file, "Notes", otters())
	h.read(loop, file)
	const said = "Otters eat crabs and frogs in the lower river."
	for _, id := range []string{"S1", file, file + "#L120", "notes.md#L120", "/notes/otters/notes.md", "S1:120"} {
		v := h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New(said, id)}})
		if len(v.Hallucinated) > 0 || v.Claims[0].Status != loopstate.Inferred || !strings.HasPrefix(v.Claims[0].Lines(), "S1:") {
			t.Errorf("%s: %s %q, %+v", id, v.Claims[0].Status, v.Claims[0].Lines(), v.Hallucinated)
		}
	}
	h.update(loop, loopstate.UpdateInput{Claims: []loopstate.ClaimInput{{Claim: said, SourceIDs: []string{file}}}, Contradictions: []loopstate.Contradiction{{Topic: "food", Why: "w", SourceIDs: []string{file}}}})
	st := h.stateOf(loop)
	if c := st.Claims[0]; !slices.Equal(c.SourceIDs, []string{"S1"}) || !slices.Equal(st.Contradictions[0].SourceIDs, []string{"S1"}) {
		t.Errorf("%+v, %+v", c, st.Contradictions)
	}
}
