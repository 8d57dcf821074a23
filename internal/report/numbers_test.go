package report

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// generated returns a document of n sentences whose states are drawn, each with a passage of its own; some are not in the text.
func generated(r *rand.Rand, n int) Document {
	d := Document{Query: "How high is the tide?", Verdict: "review"}
	var text strings.Builder
	for i := range n {
		said := fmt.Sprintf("The tide at gauge %d rises %d metres twice a day", i+1, i%7+2)
		id := fmt.Sprintf("S%d", i%9+1)
		s := Sentence{Text: said + ".", Status: loopstate.Grounded, IndependentOrigins: 1 + r.IntN(2), Flags: []string{},
			Receipts: []Receipt{{SourceID: id, Start: 1000 * i, End: 1000*i + 900, Lines: fmt.Sprint(i + 1),
				Passage: strings.Repeat("The gauge was read every hour for a year, and the master kept the book. ", 6) + said + "."}}}
		if r.IntN(3) > 0 {
			s.Basis = verify.BasisReview
		}
		reading := func(answer string) *loopstate.Reading {
			return &loopstate.Reading{Answer: answer, Reader: loopstate.Reader{Kind: "host"}}
		}
		switch r.IntN(9) {
		case 0:
			s.Status, s.Reading = loopstate.Unsupported, reading(loopstate.AnswerContradicted)
		case 1:
			s.Status, s.Reading = loopstate.Unsupported, reading(loopstate.AnswerNotStated)
		case 2:
			s.Status, s.Flags, s.Receipts = loopstate.Unsupported, []string{"unknown_source"}, []Receipt{}
		case 3:
			s.Status, s.Receipts = "uncited", []Receipt{}
		case 4:
			s.Status, s.Reading = loopstate.Inferred, reading(loopstate.AnswerPartly)
		case 5:
			s.Status, s.Receipts = "own", []Receipt{}
		}
		if i%6 != 5 {
			s.Start = len(text.String())
			text.WriteString(said)
			if len(s.Receipts) > 0 {
				at := text.Len() + 1
				fmt.Fprintf(&text, " [%s:%d]", id, i+1)
				s.Markers = []MarkerAt{{Start: at, End: text.Len(), SourceID: id, Lines: fmt.Sprint(i + 1), Label: id}}
			}
			text.WriteString(".")
			s.End = text.Len()
			if text.WriteString(" "); i%5 == 4 {
				text.WriteString("\n\n")
			}
		}
		if len(s.Receipts) > 0 && r.IntN(8) == 0 {
			d.Conflicts = append(d.Conflicts, conflict("the tide", "", "2 m", s.Receipts[0], "3 m",
				Receipt{SourceID: "S9", Start: -2, End: -1}))
		}
		d.Sentences = append(d.Sentences, s)
	}
	for i := range 9 {
		d.Sources = append(d.Sources, source(i+1, i+1, fmt.Sprintf("Gauge book %d", i+1), fmt.Sprintf("https://gauges.example/%d", i+1)))
	}
	d.Text = text.String()
	return d
}

var (
	chip  = regexp.MustCompile(`<li><a class="(v-\w+)[^"]*" href="#e\d+"><span[^>]*>\S</span> (\d+) ([^<]+)</a></li>`)
	group = regexp.MustCompile(`<(?:h3|summary) class="v-\w+">(?:<span[^>]*>)?\S(?:</span>)? (\d+) ` +
		`([^<]+)</(?:h3|summary)>\n<ul>((?:<li dir="auto">.*</li>\n)*)</ul>`)
	verdicts = regexp.MustCompile(`class="verdict (v-\w+)"[^>]*>(?:<span aria-hidden="true"[^>]*>\S</span>(?: |<span ` +
		`class="away">)|\S )([^<]+)<`)
	badges   = regexp.MustCompile(`<a class="badge v-\w+"[^>]*><span aria-hidden="true">\S</span> ([^<]+)</a>`)
	headings = regexp.MustCompile(`(?m)^### \S (\d+) (.+)\n\n((?:- .*\n)*)`)
)

// No number of a report contradicts another: the summary, the chips, the lists, the marks in the text, the evidence, and all formats.
func TestNumbersAgree(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := generated(r, 1+r.IntN(60))
		want, of := map[string]int{}, 0
		for i, state := range d.States() {
			if want[state.Verdict().Word]++; state != Own {
				of++
			}
			if d.Sentences[i].Reading != nil && state == Unread {
				t.Errorf("seed %d: sentence %d was read", seed, i)
			}
		}
		summary := fmt.Sprintf("%d of %d sentences supported", want["supported"]+want["on one origin"]+want["disputed"], of)
		if of == 0 {
			summary = "no sentence makes a claim"
		}
		page, plain := html.UnescapeString(string(render(t, HTML, d))), string(render(t, Markdown, d))
		var report struct {
			Summary  string
			Read, Of int
			Findings []struct{ State string }
		}
		if err := json.Unmarshal(render(t, JSON, d), &report); err != nil {
			t.Fatal(err)
		}
		for format, text := range map[string]string{HTML: page, Markdown: strings.ToLower(plain[:1]) + plain[1:], JSON: report.Summary} {
			if !strings.Contains(strings.ToLower(text), summary) {
				t.Errorf("seed %d: %s does not say %q", seed, format, summary)
			}
		}
		count := func(name string, matches [][]string, n, word int) {
			for _, m := range matches {
				if got, _ := strconv.Atoi(m[n]); got != want[m[word]] {
					t.Errorf("seed %d: %s counts %d %s, want %d", seed, name, got, m[word], want[m[word]])
				}
			}
		}
		tally := func(name string, matches [][]string, word int) {
			got := map[string]int{}
			for _, m := range matches {
				got[m[word]]++
			}
			for w, n := range want {
				if got[w] != n {
					t.Errorf("seed %d: %s has %d %s, want %d", seed, name, got[w], w, n)
				}
			}
		}
		count("a chip", chip.FindAllStringSubmatch(page, -1), 2, 3)
		count("a list", group.FindAllStringSubmatch(page, -1), 1, 2)
		count("Markdown", headings.FindAllStringSubmatch(plain, -1), 1, 2)
		for _, m := range append(group.FindAllStringSubmatch(page, -1), headings.FindAllStringSubmatch(plain, -1)...) {
			if n := strings.Count(strings.ReplaceAll(m[3], "<li", "\n- <li"), "\n- ") + strings.Count(m[3][:min(2, len(m[3]))],
				"- "); strconv.Itoa(n) != m[1] {
				t.Errorf("seed %d: a list of %d says %s %s", seed, n, m[1], m[2])
			}
		}
		tally("the text", verdicts.FindAllStringSubmatch(page, -1), 2)
		tally("the evidence", badges.FindAllStringSubmatch(page, -1), 1)
		got := map[string]int{}
		for _, f := range report.Findings {
			got[f.State]++
		}
		for w, n := range want {
			if got[w] != n || report.Of != of {
				t.Errorf("seed %d: JSON has %d %s of %d, want %d of %d", seed, got[w], w, report.Of, n, of)
			}
		}
	}
}
