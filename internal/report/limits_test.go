package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/report/style"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/loopstate"
)

// section returns the text of the element with an id, or "".
func sectionUnder(t *testing.T, page []byte, id string) string {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range find(root, func(n *html.Node) bool { return attr(n, "id") == id }) {
		return content(n)
	}
	return ""
}

// under returns the Markdown under a heading of the second level, or "".
func under(report []byte, title string) string {
	_, rest, ok := strings.Cut("\n"+string(report), "\n## "+title+"\n")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}

// sound returns a report without limits.
func sound(t testing.TB) Document {
	d := chinese(t)
	d.OpenQuestions, d.NotTried, d.Contradictions = nil, nil, nil
	d.Query = "How accurate is the model?"
	d.Text, d.Sentences = "The model has a median accuracy of 92.4 points [S1].\n", d.Sentences[:1]
	d.Sentences[0].Text, d.Sentences[0].Markers = "The model has a median accuracy of 92.4 points", nil
	return placed(t, d)
}

func TestEachLimit(t *testing.T) {
	for _, tc := range []struct {
		name  string
		set   func(*Document)
		title string
		says  string
	}{
		{"coverage gap", func(d *Document) { d.CoverageGaps = []string{"", "EU law after 2023"} }, "What the sources do not cover", "EU law after 2023"},
		{"open question", func(d *Document) {
			d.OpenQuestions = []OpenQuestion{{}, {Question: "Who pays?", Why: "no text says it", Tried: "searched 4 channels 7 times: 5 empty, 2 blocked"}}
		}, "Open questions", "no text says it. Searched 4 channels 7 times: 5 empty, 2 blocked."},
		{"open question without a reason", func(d *Document) { d.OpenQuestions = []OpenQuestion{{Question: "Who pays?"}} }, "Open questions", "No reason was recorded."},
		{"open gap", func(d *Document) { d.OpenGaps = []string{"Cost on arm64", " "} }, "Still open", "Cost on arm64"},
		{"unresolved contradiction", func(d *Document) {
			d.Contradictions = []loopstate.Contradiction{{ID: "X1", Topic: "When it began", Why: "two dates"}, {ID: "X2", Topic: "Where", Resolution: "here"}}
		}, "Where the sources disagree", "When it began: unresolved contradiction"},
		{"conflict", func(d *Document) { d.Conflicts = []Conflict{{Topic: "Height", ValueA: "5 m", ValueB: "3 m"}} }, "Where the sources disagree", "Height: 5 m in one source, 3 m in another"},
		{"conflict without values", func(d *Document) { d.Conflicts = []Conflict{{}} }, "Where the sources disagree", "A quantity: two values in two sources"},
		{"sentence", func(d *Document) { d.Sentences[0].Status, d.Sentences[0].Because = style.Uncited, "it cites nothing" }, "Sentences that are not supported", "it cites nothing."},
		{"citation of nothing", func(d *Document) { d.Sentences[0].Markers[0].SourceID = "" }, "Citations that cannot be verified", "S1 in sentence 1: it leads to no source that was read"},
		{"one weak source", func(d *Document) { d.OneSource = []string{"one source alone (S1, press) stands behind: it"} }, "Claims that rest on one weak source", "one source alone (S1, press) stands behind: it"},
		{"not tried", func(d *Document) { d.NotTried = []string{"never searched from the angle byEntity"} }, "Not tried, or not found", "never searched from the angle byEntity"},
		{"blind search", func(d *Document) {
			d.Searches = []SearchCount{{Channel: "arxiv", Searches: 3, Outcomes: map[string]int{"blocked": 2, "empty": 1}}}
		}, "Searches that failed", "2 of 3 searches failed (blocked ×2). Results there may have been missed."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := sound(t)
			tc.set(&d)
			md := under(render(t, Markdown, d), limitsTitle)
			if !strings.Contains(md, "\n### "+tc.title+"\n") || strings.Count(md, "### ") != 1 || !strings.Contains(strings.ReplaceAll(md, "*", ""), tc.says) {
				t.Errorf("Markdown lacks %q or %q, or has another heading:\n%s", tc.title, tc.says, md)
			}
			page := render(t, HTML, d)
			for _, w := range checkPage(d, page) {
				t.Error(w)
			}
			got := sectionUnder(t, page, "limitations")
			if !strings.Contains(got, tc.title+"\n") || !strings.Contains(got, tc.says) {
				t.Errorf("the page lacks %q or %q:\n%s", tc.title, tc.says, got)
			}
			if n := strings.Count(string(page), "<h3"); n != strings.Count(string(render(t, HTML, sound(t))), "<h3")+1+len(d.Contradictions)+len(d.Conflicts)+len(d.Searches) {
				t.Errorf("%d headings: an empty section", n)
			}
		})
	}
}

// Empty and blank fields give no section, heading or list.
func TestEmptyLimitsOmitTheSection(t *testing.T) {
	blank := sound(t)
	blank.CoverageGaps, blank.OpenGaps, blank.NotTried, blank.OneSource = []string{""}, []string{" \n"}, []string{"\u202E"}, []string{"\t", ""}
	blank.OpenQuestions = []OpenQuestion{{Question: " ", Why: "\n", Tried: "\u2066"}}
	blank.Contradictions, blank.Conflicts, blank.Searches = []loopstate.Contradiction{}, []Conflict{}, []SearchCount{}
	for name, d := range map[string]Document{"nothing": sound(t), "blanks": blank, "claims": claims(sound(t)), "empty": empty(t)} {
		md, page := string(render(t, Markdown, d)), string(render(t, HTML, d))
		for _, title := range []string{limitsTitle, recordTitle, "Contradictions", "Conflicting values", "Estimate of what was not found", "Open questions"} {
			if strings.Contains(md, title) || strings.Contains(page, title) {
				t.Errorf("%s: empty section %q", name, title)
			}
		}
		for _, hollow := range []string{"<ul></ul>", "<dl class=\"questions\"></dl>", `<details class="more"`, "<li dir=\"auto\"></li>"} {
			if strings.Contains(page, hollow) {
				t.Errorf("%s: the page has %s", name, hollow)
			}
		}
	}
}

func TestLongListsFold(t *testing.T) {
	for _, tc := range []struct{ items, shown, more int }{{5, 5, 0}, {6, 6, 0}, {7, 5, 2}, {30, 5, 25}} {
		d := sound(t)
		for i := range tc.items {
			d.NotTried = append(d.NotTried, fmt.Sprintf("way %d", i+1))
			d.CoverageGaps = append(d.CoverageGaps, fmt.Sprintf("gap %d", i+1))
			d.OpenQuestions = append(d.OpenQuestions, OpenQuestion{Question: fmt.Sprintf("question %d", i+1)})
		}
		md := under(render(t, Markdown, d), limitsTitle)
		more := fmt.Sprintf("- and %d more: the HTML report has them all\n", tc.more)
		if got := strings.Count(md, "- way "); got != tc.shown || strings.Contains(md, more) != (tc.more > 0) {
			t.Errorf("%d items: Markdown shows %d and counts the others: %v", tc.items, got, strings.Contains(md, more))
		}
		if strings.Count(md, "- gap ") != tc.items || strings.Count(md, "- **question ") != tc.items { // never dropped (mechanisms 62, 121)
			t.Errorf("%d gaps and questions: Markdown does not show all:\n%s", tc.items, md)
		}
		page := render(t, HTML, d)
		for _, w := range checkPage(d, page) {
			t.Error(w)
		}
		root, err := html.Parse(bytes.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		folds := find(root, func(n *html.Node) bool { return n.Data == "details" && hasClass(n, "more") })
		if want := map[bool]int{true: 3}[tc.more > 0]; len(folds) != want {
			t.Errorf("%d items: %d folds, want %d", tc.items, len(folds), want)
		}
		for _, n := range folds {
			if got := len(find(n, tag("li", "dt"))); got != tc.more {
				t.Errorf("%d items: %d folded, want %d", tc.items, got, tc.more)
			}
		}
		for i := range tc.items {
			if got := sectionUnder(t, page, "limitations"); !strings.Contains(got, fmt.Sprintf("way %d\n", i+1)) {
				t.Errorf("the page lacks item %d", i+1)
			}
		}
	}
}

func TestFailedSearches(t *testing.T) {
	for _, tc := range []struct {
		name     string
		outcomes map[string]int
		want     string // "" if no search failed
	}{
		{"found", map[string]int{"ok": 3}, ""},
		{"found nothing", map[string]int{"empty": 3}, ""},
		{"reported by the assistant", map[string]int{"reported": 2}, ""},
		{"blocked once", map[string]int{"blocked": 1}, "its only search failed (blocked ×1). Results there may have been missed."},
		{"never looked", map[string]int{"blocked": 1, "rate_limited": 2}, "all of its 3 searches failed (blocked ×1, rate limited ×2). Results there may have been missed."},
		{"some looked", map[string]int{"ok": 1, "empty": 2, "unavailable": 1}, "1 of 4 searches failed (unavailable ×1). Results there may have been missed."},
		{"in part", map[string]int{"degraded": 1, "empty": 1}, "1 of 2 searches were incomplete. Results there may have been missed."},
		{"both", map[string]int{"degraded": 1, "timeout": 1}, "1 of 2 searches failed (timeout ×1); 1 of 2 searches were incomplete. Results there may have been missed."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := factsOf(Document{Searches: []SearchCount{{Channel: "x", Outcomes: tc.outcomes}}})
			got := ""
			for _, l := range f.failedSearches() {
				got = f.missed(l)
			}
			if got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}
