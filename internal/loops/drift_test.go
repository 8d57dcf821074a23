package loops

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/cputime"
	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

func recordedClaim(id, text string, sources ...string) loopstate.Claim {
	return loopstate.Claim{ID: id, Claim: text, SourceIDs: sources}
}

func writtenSentence(text string, sources ...string) VerifiedClaim {
	c := citing.Claim{Text: text, Sentence: &grounding.DraftSentence{Text: text, Line: 3, Column: 1}}
	for _, id := range sources {
		c.Ask(id, "")
	}
	return VerifiedClaim{Claim: c}
}

func TestDrift(t *testing.T) {
	const recorded = "The lighthouse at Cape Arden stands 42 metres high and was built by Maria Holt in 1874."
	tests := []struct {
		name, said, written string
		want                []grounding.Change
	}{
		{"the same", recorded, recorded, nil},
		{"in other words", recorded, "Built by Maria Holt in 1874, the lighthouse at Cape Arden stands 42 m high.", nil},
		{"with more", recorded, "As the harbour silted up, the lighthouse at Cape Arden, which stands 42 metres high and was built by Maria Holt in 1874, lost 12 of its keepers.", nil},
		{"with less", recorded, "The lighthouse at Cape Arden stands high and was built by Maria Holt.", nil},
		{"another number", recorded, "The lighthouse at Cape Arden, built by Maria Holt in 1874, stands 45 metres high.", []grounding.Change{{Kind: "number", Was: "42 metres", Is: "45 metres"}}},
		{"another year", recorded, "The lighthouse at Cape Arden stands 42 metres high and was built by Maria Holt in 1894.", []grounding.Change{{Kind: "date", Was: "1874", Is: "1894"}}},
		{"another name", recorded, "The lighthouse at Cape Arden stands 42 metres high and was built by Edwin Ames in 1874.", []grounding.Change{{Kind: "name", Was: "Maria Holt", Is: "Edwin Ames"}}},
		{"a shorter name", recorded, "The lighthouse at Cape Arden stands 42 metres high and was built by M. Holt in 1874.", nil},
		{"initials", "The keepers of Arden were paid by the Northern Lights Board until the fire.", "The keepers of Arden were paid by the NLB until the fire.", nil},
		{"denied", "The keeper's harness was inhabited after the fire of 1911.", "The keeper's harness was not inhabited after the fire of 1911.", []grounding.Change{{Kind: "negation", Was: "inhabited", Is: "not inhabited"}}},
		{"no longer denied", "The keeper's harness was never inhabited after the fire of 1911.", "The keeper's harness was inhabited after the fire of 1911.", []grounding.Change{{Kind: "negation", Was: "not inhabited", Is: "inhabited"}}},
		{"another scale", "Fishermen land 1,200,000 herring in the harbour every spring.", "Fishermen land 1.2 million herring in the harbour every spring.", nil},
		{"a rounded number", "Fishermen land 297 tonnes of herring in the harbour every spring.", "Fishermen land about 300 tonnes of herring in the harbour every spring.", nil},
		{"a date in another form", "The museum in the customs hall opened on 3 March 2024 with a concert.", "The museum in the customs hall opened with a concert (2024-03-03).", nil},
		{"another day", "The museum in the customs hall opened on 3 March 2024 with a concert.", "The museum in the customs hall opened on 5 March 2024 with a concert.", []grounding.Change{{Kind: "date", Was: "3 March 2024", Is: "5 March 2024"}}},
		{"percent", "The catch of herring in the harbour fell by 12 percent last spring.", "The catch of herring in the harbour fell by 21 % last spring.", []grounding.Change{{Kind: "number", Was: "12 percent", Is: "21 %"}}},
		{"Chinese number", "灯塔建于1874年，高42米，由玛丽亚设计建造。", "灯塔建于1874年，高45米，由玛丽亚设计建造。", []grounding.Change{{Kind: "number", Was: "42米", Is: "45米"}}},
		{"Chinese negation", "火灾之后守塔人的房屋无人居住。", "火灾之后守塔人的房屋有人居住。", nil},
		{"something else", recorded, "Fishermen land 45 tonnes of herring in the harbour every spring.", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []grounding.Change
			drifts, _ := driftOf([]loopstate.Claim{recordedClaim("C1", tt.said, "S1")}, []VerifiedClaim{writtenSentence(tt.written, "S1", "S2")})
			for _, d := range drifts {
				got = append(got, d.Differences...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDriftOfManyClaims(t *testing.T) {
	recorded := []loopstate.Claim{
		recordedClaim("C1", "In 2019 the fishermen of Port Arden landed 300 tonnes of herring in spring.", "S1"),
		recordedClaim("C2", "In 2020 the fishermen of Port Arden landed 340 tonnes of herring in spring.", "S1"),
		recordedClaim("C3", "The channel of the harbour is 4 metres deep at low tide.", "S2"),
		recordedClaim("C4", "The lamp of the lighthouse can be seen from 30 kilometres away.", "S3"),
	}
	written := []VerifiedClaim{
		writtenSentence("In 2020 the fishermen of Port Arden landed 340 tonnes of herring in spring.", "S1"), // belongs to C2, so not to C1
		writtenSentence("At low tide the channel of the harbour is 6 metres deep.", "S2"),
		writtenSentence("The lamp of the lighthouse can be seen from 50 kilometres away.", "S9"), // of another source
	}
	var got []string
	drifts, _ := driftOf(recorded, written)
	for _, d := range drifts {
		got = append(got, d.String())
	}
	want := []string{`drift: C3 said 4 metres, the draft says 6 metres in line 3: "At low tide the channel of the harbour is 6 metres deep."`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Different sentences of one report about one source are not drifts of each other. Every second sentence is a recorded
// claim, the others are the draft, so that each drift is a false alarm.
func TestDriftOnRealDrafts(t *testing.T) {
	files, err := filepath.Glob("../../../shared/data/drafts/*.md")
	if err != nil || len(files) == 0 {
		t.Skip("the real drafts are not here")
	}
	claims, alarms := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var recorded []loopstate.Claim
		var written []VerifiedClaim
		seen := map[string]bool{}
		for i, s := range grounding.ParseDraft(string(data)).Sentences {
			var sources []string
			for _, m := range append(s.Markers, s.Covering...) {
				sources = append(sources, m.Target)
			}
			if !s.IsClaim || len(sources) == 0 || seen[s.Text] {
				continue
			}
			seen[s.Text] = true
			if i%2 == 0 {
				recorded = append(recorded, recordedClaim("C", s.Text, sources...))
			} else {
				written = append(written, writtenSentence(s.Text, sources...))
			}
		}
		claims += len(recorded)
		drifts, _ := driftOf(recorded, written)
		for _, d := range drifts {
			alarms++
			t.Logf("%s: %q\n%s", filepath.Base(file), d.Claim, d)
		}
	}
	t.Logf("%d false alarms of %d claims", alarms, claims)
	if most := claims / 100; alarms > most {
		t.Errorf("%d false alarms of %d claims, want at most %d", alarms, claims, most)
	}
}

// The number of comparisons is bounded, even for hundreds of similar claims and sentences of one source.
func TestDriftIsBounded(t *testing.T) {
	const n, limit = 600, 30 * time.Second
	var recorded []loopstate.Claim
	var written []VerifiedClaim
	for i := range n {
		recorded = append(recorded, recordedClaim("C", fmt.Sprintf("The herring of spring %d weighed 12 tonnes in nets.", i), "S1"))
		written = append(written, writtenSentence(fmt.Sprintf("The herring of spring weighed %d tonnes in nets.", 100+i), "S1"))
	}
	start := cputime.Used()
	if got, _ := driftOf(recorded, written); len(got) > n {
		t.Errorf("%d drifts of %d claims", len(got), n)
	}
	if took := cputime.Used() - start; took > limit {
		t.Errorf("took %v", took)
	}
}
