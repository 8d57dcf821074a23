package report

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/loopstate"
)

// Reasons, flags, differences and the decision are in the language of the report. Words of sources stay as they are.
func TestReasonsInTheLanguageOfTheReport(t *testing.T) {
	d := Document{
		Query: "Wann wurde der Leuchtturm auf dem Kap gebaut, und wer hat den Bau damals bezahlt?", AsOf: "2026-03-01", Verdict: "fail", Unverified: true,
		Decision: loopstate.Decision{NextAction: loopstate.Finalize, StopReason: "round limit: 3 of 3 rounds are closed",
			Because: "3 of 3 rounds are closed. With a larger budget, or more rounds confirmed by the user, another round would be allowed. 2 material gaps stay open; write each into the report as an open question with why."},
		Unseen:  "10 sources were found, 3 of them by one angle only.",
		Sources: []Source{{Source: loopstate.Source{ID: "S1", Title: "Chronik", Flags: []string{"invisible_text: removed 4 invisible characters from the text"}, RobotsIgnored: true}, Number: 1, Claims: 2}, {Source: loopstate.Source{ID: "S2"}, Number: 2, Claims: 1}},
		Sentences: []Sentence{
			{Text: "Der Turm wurde 1902 gebaut.", Status: "unsupported", Because: `The source says "in 1874" where the claim says "1902" (S1, 3-9).`,
				Flags:       []string{`number_mismatch: the source says "in 1874" where the claim says "1902" (S1, 3-9)`},
				Differences: []citing.Difference{{Kind: "number", Claim: "1902", Source: "in 1874", SourceID: "S1", Start: 3, End: 9}}},
			{Text: "Der Turm ist 42 Meter hoch.", Status: "grounded", Basis: "review", Because: "A second reader found it supported: “It is 42 metres high” (R1-2).", Reading: &loopstate.Reading{Answer: "supported", Batch: "R1"},
				Receipts: []Receipt{{SourceID: "S2", Start: 3, End: 30, Page: 3, Passage: "It is 42 metres high."}},
				Flags:    []string{"overruled: the wording differs, a second reader found it supported"}},
		},
		Conflicts: []Conflict{{Topic: "tower height", ValueA: "42 m", ValueB: "40 m", Because: "S1 says 42 m, S2 says 40 m of the same: tower height."}},
		Reviews:   []Review{{Batch: "R1", Status: loopstate.BatchCounted, Readers: []loopstate.Reader{{Kind: "host"}}, Planted: Planted{3, 3}, Controls: Controls{4, 4}}},
	}
	for _, format := range []string{HTML, FullMarkdown} {
		var b strings.Builder
		if err := Write(&b, format, d); err != nil {
			t.Fatal(err)
		}
		out := strings.NewReplacer("&#34;", `"`, `\`, "").Replace(b.String())
		for _, want := range []string{`"in 1874"`, "Zahl", "wo die Aussage", "Ein Zweitleser (der Host) fand es belegt: “It is 42 metres high”", "Rundengrenze: 3 von 3", "2 wesentliche Lücken bleiben offen",
			"10 Quellen wurden gefunden", "S1 sagt 42 m", "tower height", "4 unsichtbare Zeichen", "trotz Verbots in robots.txt", "gezählt", "der Host",
			"ENTWURF, nicht bestätigt.", "ENTWURF: ", "Quelle ohne Titel", "PDF-S. 3"} {
			if !strings.Contains(out, want) && !strings.Contains(out, strings.Replace(want, "S1", "[1]", 1)) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
		for _, english := range []string{"the source says", "The source says", "A second reader", "a second reader found", "rounds are closed", "material gap", "were found", "of the same", "invisible characters", "although robots.txt", "counted", "the host", "DRAFT", "Written by", "Untitled source", "PDF p."} {
			if at := strings.Index(out, english); at >= 0 {
				t.Errorf("%s has the English text %q: %.120s", format, english, out[at:])
			}
		}
	}
}

// The words of every flag are translated.
func TestFlagsAreTranslated(t *testing.T) {
	for _, lang := range messages.Languages()[1:] {
		m := messages.For(lang)
		for flag, words := range flagWords {
			if !m.Has(words) {
				t.Errorf("%s: no translation of %q for %s", lang, words, flag)
			}
		}
	}
}
