package report

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// Reasons, flags, remarks and the decision are in the language of the report. Words of sources stay as they are.
func TestReasonsInTheLanguageOfTheReport(t *testing.T) {
	d := Document{
		Query: "Wann wurde der Leuchtturm auf dem Kap gebaut, und wer hat den Bau damals bezahlt?", AsOf: "2026-03-01", Verdict: "fail", Unverified: true,
		Decision: loopstate.Decision{NextAction: loopstate.Finalize, StopReason: "round limit: 3 of 3 rounds are closed",
			Because: "3 of 3 rounds are closed. With a larger budget, or more rounds confirmed by the user, another round would be allowed. 2 material gaps stay open; write each into the report as an open question with why."},
		Unseen:  "10 relevant hits were found, 3 of them by one angle only.",
		Sources: []Source{{Source: loopstate.Source{ID: "S1", Title: "Chronik", Flags: []string{"invisible_text: removed 4 invisible characters from the text"}, RobotsIgnored: true}, Number: 1, Claims: 2}, {Source: loopstate.Source{ID: "S2"}, Number: 2, Claims: 1}},
		Sentences: []Sentence{
			{Text: "Der Turm wurde 1902 gebaut.", Status: "inferred", Because: "Nobody has read it yet.", Flags: []string{`quote_fuzzy: S1:3 has built in "build"`},
				Remarks: []remark.Remark{{Kind: remark.Number, Claim: "1902", Text: "1874", SourceID: "S1", Line: 3}}},
			{Text: "Der Turm ist 42 Meter hoch.", Status: "grounded", Basis: "review", Because: "A reader (host) found it supported: “It is 42 metres high” (R1-2).", Reading: &loopstate.Reading{Answer: "supported", Quote: "It is 42 metres high", Batch: "R1", Item: "R1-2", Reader: loopstate.Reader{Kind: "host"}},
				Receipts: []Receipt{{SourceID: "S2", Start: 3, End: 30, Page: 3, Passage: "It is 42 metres high."}},
			},
		},
		Conflicts: []Conflict{{Topic: "tower height", ValueA: "42 m", ValueB: "40 m", Because: "S1 says 42 m and S2 says 40 m of the same; resolve it, or record it as a contradiction with the reason why it stays open"}},
		Reviews:   []Review{{Batch: "R1", Status: loopstate.BatchCounted, Readers: []loopstate.Reader{{Kind: "host"}}, Planted: Planted{3, 3}, Controls: Controls{4, 4}}},
	}
	for _, format := range []string{HTML, FullMarkdown} {
		var b strings.Builder
		if err := Write(&b, format, d); err != nil {
			t.Fatal(err)
		}
		out := strings.NewReplacer("&#34;", `"`, `\`, "").Replace(b.String())
		for _, want := range []string{"1902 steht nicht in den zitierten Zeilen; S1:3 hat 1874", "S1:3 hat built in", "noch nicht gelesen", "Der Assistent des Verfassers selbst fand es gestützt: “It is 42 metres high” (R1-2).", "Rundengrenze: 3 von 3", "2 wesentliche Lücken bleiben offen",
			"10 passende Treffer wurden gefunden", "S1 sagt 42 m", "tower height", "4 unsichtbare Zeichen", "trotz Verbots in robots.txt", "gezählt",
			"ENTWURF, nicht bestätigt.", "ENTWURF: ", "Quelle ohne Titel", "PDF-S. 3"} {
			if !strings.Contains(out, want) && !strings.Contains(out, strings.Replace(want, "S1", "[1]", 1)) {
				t.Errorf("%s lacks %q", format, want)
			}
		}
		for _, english := range []string{"is not in the cited lines", "Nobody has read", "not read yet", " found it", "rounds are closed", "material gap", "were found", "of the same", "invisible characters", "although robots.txt", "counted", "own assistant", "DRAFT", "Written by", "Untitled source", "PDF p."} {
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
