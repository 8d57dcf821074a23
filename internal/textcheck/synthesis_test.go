package textcheck

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const islandStore = `{
  "url:arden.example/tower": {"id": "S1", "url": "https://arden.example/tower", "title": "The tower", "sourceType": "primary", "text": "` + towerText + `"},
  "doi:10.1234/cost": {"id": "S2", "url": "https://doi.org/10.1234/cost", "title": "Costs", "sourceType": "press", "text": "` + costText + `"},
  "url:arden.example/empty": {"id": "S3", "url": "https://arden.example/empty", "title": "Nothing", "sourceType": "press", "text": " "}
}`

func synthesis(t *testing.T, synth, store string) (*Rows, error) {
	t.Helper()
	return Synthesis(t.Context(), RowFiles{Claims: strings.NewReader(synth), ClaimsName: "synth.json", Sources: strings.NewReader(store), SourcesName: "store.json"})
}

func TestSynthesis(t *testing.T) {
	t.Parallel()
	synth := `{
  "question": {"claims": ["not these"]},
  "claims": [
    {"claim": "The tower of Arden was built in 1874 by two brothers.", "sourceIds": ["S1"], "confidence": "high"},
    {"claim": "The harbour pays two thirds of the upkeep.", "source_ids": ["S2", "S9"]}
    ,{"claim": "It is empty.", "sourceIds": ["S3"]}, {"id": "mine", "claim": "It is so.", "sourceIds": []}
  ],
  "contradictions": [
    {"topic": "Old or new?", "resolution": "old", "sourceIds": ["S1", "S7"]},
    {"topic": "Red or green?", "sourceIds": ["S1"]}
  ]
}`
	rows, err := synthesis(t, synth, islandStore)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows.Rows {
		got = append(got, fmt.Sprintf("%s %s %q", r.ID, r.Status, r.Unknown))
	}
	want := []string{`"C1" inferred []`, `"C2" inferred ["S9"]`, `"C3" unsupported ["S3"]`, `"mine" unsupported []`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]LostContradiction{{"Old or new?", []string{"S7"}}}, rows.Lost); diff != "" {
		t.Errorf("contradictions (-want +got):\n%s", diff)
	}
	if rows.Hallucinated != 3 || rows.Uncited != 1 {
		t.Errorf("%+v", rows.Tally)
	}
}

// A store is written as an object, as the entries of a map, or as a list.
func TestStoreShapes(t *testing.T) {
	t.Parallel()
	synth := `{"claims":[{"claim":"The tower of Arden was built in 1874 by two brothers.","sourceIds":["S1"]}]}`
	for _, store := range []string{
		islandStore,
		`[["url:arden.example/tower", {"id": "S1", "url": "https://arden.example/tower", "text": "` + towerText + `"}]]`,
		`[{"id": "S1", "source_type": "press", "text": "` + towerText + `"}]`,
		`{"S1": {"text": "` + towerText + `"}}`,
		"\uFEFF" + islandStore,
	} {
		rows, err := synthesis(t, synth, store)
		if err != nil || len(rows.Rows) != 1 || len(rows.Rows[0].Passages) != 1 {
			t.Errorf("%.60s: %v, %+v", store, err, rows)
		}
	}
}

func TestSynthesisProblems(t *testing.T) {
	t.Parallel()
	claims := `{"claims":[]}`
	tests := []struct{ name, synth, store, want string }{
		{"no object", "[]", islandStore, "synth.json:1: unexpected array: want a JSON object"},
		{"no claims", `{"contradictions": []}`, islandStore, "synth.json:1: not a synthesis: it has no claims"},
		{"a claim without words", "{\"claims\": [\n\n{\"sourceIds\": []}]}", islandStore, "synth.json:1: claims[0]: claim is missing or empty"},
		{"cut off", "{\"claims\": []\n", islandStore, "synth.json:2: invalid JSON: unexpected end of JSON input (at byte 14)"},
		{"a store that is none", claims, "3", "store.json:1: not a store: want an object or a list of sources"},
		{"a store without ids", claims, `[{"text": "x"}]`, "store.json:1: a source has no id"},
		{"two texts", claims, "[{\"id\": 1, \"text\": \"x\"},\n{\"id\": \"1\", \"text\": \"y\"}]", `store.json:1: source "1" occurs twice with different texts; the first is in line 1`},
		{"a store cut off", claims, `{"a": {"id": "S1"`, "store.json:1: invalid JSON: unexpected end of JSON input (at byte 17)"},
	}
	for _, tt := range tests {
		_, err := synthesis(t, tt.synth, tt.store)
		var row *RowError
		if !errors.As(err, &row) || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
}
