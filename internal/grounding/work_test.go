package grounding

import (
	"runtime"
	"strings"
	"testing"
)

// What is read and kept must grow with the text and not faster: the bytes that a text of twice the size makes the
// checks allocate are counted, because a clock says little on a busy machine. The slow ones of
// TestHostileInputTakesLinearTime, which allocate nothing while they loop, are caught there.
func TestWorkGrowsWithTheText(t *testing.T) {
	if testing.Short() {
		t.Skip("reads megabytes")
	}
	const (
		most      = 2.6 // times the bytes for twice the text: 2, and what doubling slices and maps leave over
		mostBytes = 700 // for each byte of text: a citation that is read as a claim of its own takes most
	)
	hostile := []struct{ name, piece string }{
		{"one letter", "a"},
		{"brackets", "[](["},
		{"round brackets", "(()"},
		{"digits", "7"},
		{"numbers", "1,234.5 % "},
		{"dates", "3 March 2024, "},
		{"sentences", "Otters swim in 12 rivers. "},
		{"names", "Aa Bern "},
		{"Chinese", "水獭在十二条河里。"},
		{"quotation marks", "“a ” "},
		{"negations", "It did not swim. "},
	}
	longClaim := "The otter of Bern did not swim 5 % of 3 March 2024 in 12 rivers. "
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			work := func(size int) float64 {
				text := strings.Repeat(tt.piece, size/len(tt.piece))
				claims := []string{text[:8000/len(tt.piece)*len(tt.piece)], strings.Repeat(longClaim, 8000/len(longClaim))}
				return allocated(func() {
					ParseDraft(text)
					checker := NewChecker([]Source{{ID: "S1", Text: text}, {ID: "S2", Text: "The otter swims. It eats fish."}})
					for _, c := range claims {
						checker.Check(Claim{Text: c, Citations: []Citation{{SourceID: "S1", Quote: c}, {SourceID: "S2"}}})
					}
				})
			}
			once, twice := work(1<<17), work(1<<18)
			t.Logf("%.1f times the bytes, %.0f for each byte of text", twice/once, twice/(1<<18))
			if twice > most*once || twice > mostBytes*(1<<18) {
				t.Errorf("%.0f and %.0f bytes for a text of twice the size, want at most %g times as many and %d for each of its bytes", once, twice, most, mostBytes)
			}
		})
	}
}

func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// However long the claim and the text, so much and no more is compared closely.
func TestComparisonIsBounded(t *testing.T) {
	text := strings.Repeat("The otter of Bern did not swim 5 % of 3 March 2024 in Aare 12. ", 5000)
	checker := NewChecker([]Source{{ID: "S1", Text: text}})
	mem := checker.memory(text[:8000])
	r := mem.reading
	if len(r.text) > maxClaimChars || len(r.terms) > maxClaimTerms || len(r.numbers) > maxClaimNumbers || len(r.names) > maxClaimNames {
		t.Errorf("a claim of %d characters, %d terms, %d numbers and %d names is compared", len(r.text), len(r.terms), len(r.numbers), len(r.names))
	}
	m := checker.compare(r, checker.docs)
	if len(m.ranked) > maxCandidates || len(m.windows) > maxCandidates || len(m.chosen) > MaxPassages {
		t.Errorf("%d sentences, %d windows and %d passages", len(m.ranked), len(m.windows), len(m.chosen))
	}
	marks := bitset(m.coverages[0].covers).count()
	if units := len(m.units); marks > units*len(checker.docs[0].sentences) {
		t.Errorf("%d marks for %d units", marks, units)
	}
	checker.release(mem)
	if n := len(r.workings.documents); n != 0 {
		t.Errorf("%d documents are kept for the next check", n)
	}
}
