package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/loopstate"
)

// answered returns a document with a text of n checked sentences, an inference after each, and twice as many sources as
// it cites.
func answered(n int) Document {
	d := Document{StateID: "x", Query: "How deep are the harbours?", Groundedness: 1, Threshold: 0.8, GeneratedAt: written, Verdict: "pass", Generator: "citeloop test"}
	var text strings.Builder
	text.WriteString("# The harbours\n\n")
	runes := utf8.RuneCountInString(text.String())
	add := func(s Sentence, mark string) {
		s.Start = runes
		line := s.Text + mark + "\n\n"
		s.End = runes + utf8.RuneCountInString(s.Text+mark)
		if id, ok := strings.CutPrefix(mark, " ["); ok && s.Own == "" {
			s.Markers = []MarkerAt{{s.Start + utf8.RuneCountInString(s.Text) + 1, s.End, strings.TrimSuffix(id, "]"), "", ""}}
		}
		text.WriteString(line)
		runes += utf8.RuneCountInString(line)
		d.Sentences = append(d.Sentences, s)
	}
	for i := range n {
		id := fmt.Sprintf("S%d", i%30+1)
		passage := fmt.Sprintf("The board measured the harbour numbered %d in the spring, when the tide was low, and found that it was %d metres deep at the quay, %s", i, 5+i, strings.Repeat("as its minutes say at length. ", 8))
		add(Sentence{Text: fmt.Sprintf("The harbour numbered %d is %d metres deep at the quay, which the board measured itself in the spring, when the tide was low.", i, 5+i), Status: loopstate.Grounded, Basis: loopstate.BasisReview,
			Because: "A second reader found it supported: “" + passage + "” (R1-1).", Flags: []string{"single_source"}, IndependentOrigins: 1,
			Receipts: []Receipt{{SourceID: id, Start: 100 * i, End: 100*i + 350, Passage: passage, SHA256: strings.Repeat("ab", 32), FetchedAt: written}}}, " ["+id+"]")
		add(Sentence{Text: fmt.Sprintf("So a ship that draws %d metres can lie at the quay of harbour %d at any tide, and a larger one has to wait for the flood.", 4+i, i), Status: "own", Own: "inference"}, " [inference]")
	}
	for i := range 60 {
		s := Source{Source: loopstate.Source{ID: fmt.Sprintf("S%d", i+1), URL: fmt.Sprintf("https://harbours.example/records/volume-%d.html", i+1), Title: fmt.Sprintf("Records of the board, volume %d", i+1), SHA256: strings.Repeat("ab", 32), FetchedAt: written}}
		if i < 30 {
			s.Number, s.Claims = i+1, n/30
		}
		d.Sources = append(d.Sources, s)
	}
	d.Text = text.String()
	return d
}

// The Markdown report is at most three times as long as the answer: each citation has the place and the words of its lines. The
// full one has every passage.
func TestMarkdownIsAtMostThreeTimesTheAnswer(t *testing.T) {
	d := answered(60)
	md, full := string(render(t, Markdown, d)), string(render(t, FullMarkdown, d))
	if answer, got := utf8.RuneCountInString(d.Text), utf8.RuneCountInString(md); got > 3*answer {
		t.Errorf("the report has %d characters, the answer %d", got, answer)
	}
	evidence := under([]byte(md), "Receipts")
	if n := strings.Count(evidence, "\n- <a id=\"p"); n != 60 {
		t.Errorf("%d lines of evidence for 60 checked sentences:\n%s", n, evidence)
	}
	if !strings.Contains(evidence, `**3.** The harbour numbered 1 is 6 metres deep at the quay, which`) || !strings.Contains(evidence, "supported\n  - [\\[S2\\]](<https://harbours.example/records/volume-2.html#:~:text=numbered%201%20in%20the%20spring%2C,metres%20deep%20at%20the%20quay%2C>)") || !strings.Contains(evidence, ">) 100–450: “numbered 1 in the spring, ") {
		t.Errorf("the evidence names no place:\n%s", evidence)
	}
	if strings.Contains(md, "sha256") || strings.Contains(md, "the author's own)") || !strings.Contains(md, "- 30 more sources\n") {
		t.Errorf("hashes, signs beside [inference], or every source:\n%s", md)
	}
	if strings.Count(full, "as its minutes say at length.") < 60*8 || !strings.Contains(full, "sha256 abababababab…") || strings.Contains(full, "more sources\n") {
		t.Error("the full report lacks passages, hashes or sources")
	}
	for _, w := range append(checkMarkdown(d, []byte(md)), checkMarkdown(d, []byte(full))...) {
		t.Error(w)
	}
	for _, out := range []string{md, full} {
		if strings.Contains(under([]byte(out), "Receipts"), "So a ship") {
			t.Error("an own statement has a receipt")
		}
	}
}
