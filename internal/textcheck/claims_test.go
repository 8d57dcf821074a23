package textcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/citeloop/citeloop/internal/grounding"
)

func rowsOf(t *testing.T, claims, sources string) ([]Row, Tally, error) {
	t.Helper()
	var rows []Row
	tally, err := Claims(t.Context(), ClaimFiles{Claims: strings.NewReader(claims), ClaimsName: "c.jsonl", Sources: strings.NewReader(sources), SourcesName: "s.jsonl"}, func(r Row) error {
		rows = append(rows, r)
		return nil
	})
	return rows, tally, err
}

func jsonLines(t *testing.T, rows ...any) string {
	t.Helper()
	var b strings.Builder
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

type obj = map[string]any

func islandSources(t *testing.T) string {
	return jsonLines(t, obj{"id": "T", "text": towerText, "title": "The tower", "url": "https://arden.example/tower"}, obj{"id": "C", "text": costText}, obj{"id": 7, "text": "塔于1874年由霍尔特兄弟二人建成。塔的维护费每年九百克朗。"}, obj{"id": "E", "text": ""})
}

func TestClaims(t *testing.T) {
	claims := jsonLines(t,
		obj{"id": "a", "claim": "The tower of Arden was built in 1874 by two brothers.", "source_ids": []string{"T"}},
		obj{"id": 2, "claim": "The tower of Arden was built in 1974 by two brothers.", "sourceIds": []string{"T"}, "gold": true},
		obj{"id": "a", "claim": "The harbour pays two thirds of the upkeep.", "source_ids": "C"},
		obj{"id": "q", "claim": "The parish wanted none of it.", "source_ids": []string{"T", "C"}, "quote": "the parish refused to pay"},
		obj{"id": "r", "claim": "In 1901 the parish refused to pay.", "source_ids": []string{"C"}, "quote": "the parish longed to pay"},
		obj{"id": "u", "claim": "The tower of Arden was built in 1874.", "source_ids": []any{"T", "S9", "T"}},
		obj{"id": "v", "claim": "The tower of Arden was built in 1874.", "source_ids": []string{"S9"}},
		obj{"id": nil2{}, "claim": "The tower of Arden was built in 1874.", "source_ids": []string{}},
		obj{"id": "z", "claim": "塔于1874年由霍尔特兄弟建成。", "source_ids": []int{7}},
		obj{"id": "e", "claim": "The tower of Arden was built in 1874.", "source_ids": []string{"E"}},
	)
	rows, tally, err := rowsOf(t, "\uFEFF"+claims+"\n\n", islandSources(t))
	if err != nil {
		t.Fatal(err)
	}
	type short struct {
		ID, Status, Quote, Flag string
		Unknown                 []string
		Line                    int
	}
	var got []short
	for _, r := range rows {
		s := short{ID: string(r.ID), Status: string(r.Status), Quote: r.QuoteGrade, Unknown: r.Unknown, Line: r.Line}
		if len(r.Flags) > 0 && r.Status == grounding.Unsupported {
			s.Flag, _, _ = strings.Cut(r.Flags[0], ":")
		}
		if r.Passages == nil || r.Flags == nil {
			t.Errorf("line %d: a list is null", r.Line)
		}
		got = append(got, s)
	}
	want := []short{
		{ID: `"a"`, Status: "grounded", Line: 1},
		{ID: `2`, Status: "unsupported", Flag: "time_mismatch", Line: 2},
		{ID: `"a"`, Status: "grounded", Line: 3},
		{ID: `"q"`, Quote: "exact", Line: 4},
		{ID: `"r"`, Status: "unsupported", Quote: "absent", Flag: "quote_absent", Line: 5},
		{ID: `"u"`, Status: "grounded", Unknown: []string{"S9"}, Line: 6},
		{ID: `"v"`, Status: "unsupported", Flag: "unknown_source", Unknown: []string{"S9"}, Line: 7},
		{ID: `{}`, Status: "unsupported", Flag: "uncited", Line: 8},
		{ID: `"z"`, Status: "grounded", Line: 9},
		{ID: `"e"`, Status: "unsupported", Line: 10},
	}
	got[3].Status = "" // the quote exists, the claim hardly does: not tested here
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(short{}, "Flag")); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for i, w := range want {
		if w.Flag != "" && got[i].Flag != w.Flag {
			t.Errorf("line %d: flag %q, want %q", w.Line, got[i].Flag, w.Flag)
		}
	}
	if tally.Claims != 10 || tally.Hallucinated != 2 || tally.Uncited != 1 {
		t.Errorf("tally %+v", tally)
	}
	if got := tally.Verdict([]Kind{Hallucinated, Uncited}, 0); got != Fail {
		t.Errorf("verdict %s", got)
	}
}

type nil2 struct{}

func TestRowProblems(t *testing.T) {
	good := `{"id":"a","claim":"The tower is old.","source_ids":["T"]}` + "\n"
	source := `{"id":"T","text":"The tower is old."}` + "\n"
	tests := []struct{ name, claims, sources, want string }{
		{"no JSON", good + "\n{oops\n", source, "c.jsonl:3: invalid JSON: invalid character 'o' looking for beginning of object key string (at byte 2)"},
		{"no object", "[1]\n", source, "c.jsonl:1: unexpected array: want a JSON object"},
		{"no id", `{"claim":"x"}`, source, "c.jsonl:1: id is missing"},
		{"no claim", `{"id":1,"claim":" "}`, source, "c.jsonl:1: claim is missing or empty"},
		{"a claim that is a number", `{"id":1,"claim":3}`, source, "c.jsonl:1: claim has the wrong type: number"},
		{"an id that is an object", `{"id":1,"claim":"x","source_ids":[{}]}`, source, "c.jsonl:1: invalid id: use a string or a number"},
		{"a source without an id", good, `{"text":"x"}`, "s.jsonl:1: id is missing or empty"},
		{"a source with a number as text", good, source + `{"id":"U","text":3}`, "s.jsonl:2: text has the wrong type: number"},
		{"one id, two texts", good, source + source + `{"id":"T","text":"Another."}`, `s.jsonl:3: source "T" occurs twice with different texts; the first is in line 1`},
		{"too many ids", `{"id":1,"claim":"x","source_ids":[` + strings.Repeat("1,", maxClaimIDs) + `1]}`, source, "c.jsonl:1: source_ids has 1001 ids; use at most 1000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := rowsOf(t, tt.claims, tt.sources)
			var row *RowError
			if !errors.As(err, &row) || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// A verdict does not depend on the other claims, on the grouping of claims, or on whether the texts are kept in memory
// or read again.
func TestRowsDoNotDependOnGrouping(t *testing.T) {
	var claims, sources []any
	const texts = 12
	for i := range texts {
		sources = append(sources, obj{"id": fmt.Sprint("T", i), "text": fmt.Sprintf("%s The tower has the number %d in the list of Arden. %s", towerText, i, strings.Repeat(costText+" ", i))})
	}
	for i := range 3 * chunkClaims {
		claims = append(claims, obj{"id": i, "claim": fmt.Sprintf("The tower has the number %d in the list, and the harbour pays two thirds.", i%15), "source_ids": []string{fmt.Sprint("T", i%texts), fmt.Sprint("T", i*7%texts), fmt.Sprint("T", i%3)}})
	}
	sourceLines, claimLines := jsonLines(t, sources...), jsonLines(t, claims...)
	together, _, err := rowsOf(t, claimLines, sourceLines)
	if err != nil {
		t.Fatal(err)
	}
	var alone []Row
	for line := range strings.Lines(claimLines) {
		rows, _, err := rowsOf(t, line, sourceLines)
		if err != nil {
			t.Fatal(err)
		}
		rows[0].Line = len(alone) + 1
		alone = append(alone, rows...)
	}
	if diff := cmp.Diff(alone, together, cmpopts.IgnoreUnexported(Row{})); diff != "" {
		t.Errorf("rows (-alone +together):\n%s", diff)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(sourceLines), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, err := readTexts(f, "s.jsonl", 2000)
	if err != nil {
		t.Fatal(err)
	}
	if set.held > 2000 {
		t.Errorf("%d bytes are held", set.held)
	}
	for i := range texts {
		id := fmt.Sprint("T", i)
		src, err := set.load(id)
		if err != nil || src.Text != sources[i].(obj)["text"] {
			t.Errorf("%s: %v, %d bytes", id, err, len(src.Text))
		}
	}
	if err := os.WriteFile(path, []byte(strings.Replace(sourceLines, "storm", "stork", -1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := set.load("T11"); err == nil {
		t.Error("a text that has changed meanwhile is taken")
	}
}

func TestGroups(t *testing.T) {
	texts := &textSet{at: map[string]storedText{}}
	for _, id := range []string{"A", "B", "C", "D", "E", "F"} {
		texts.at[id] = storedText{bytes: 100_000, held: true}
	}
	texts.at["big"] = storedText{bytes: jointBytes}
	ask := func(ids ...string) *question { return &question{ids: ids} }
	window := []*question{ask("A"), ask("A"), ask(), ask("A", "B"), ask("B", "C"), ask("C", "A"), ask("E", "big"), ask("big", "F"), ask("D", "B"), ask("big", "E")}
	var got []string
	for _, g := range groupsOf(texts, window) {
		got = append(got, fmt.Sprint(g.ids, " ", len(g.questions)))
	}
	want := []string{"[A] 2", "[A B C D] 4", "[E big] 2", "[big F] 1"}
	if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestRowFormats(t *testing.T) {
	claims := jsonLines(t,
		obj{"id": "a", "claim": "The tower of Arden was built in 1874 by two brothers.", "source_ids": []string{"T"}},
		obj{"id": "b", "claim": "The tower of Arden was built in 1974 by two brothers.", "source_ids": []string{"T"}},
		obj{"id": "c", "claim": "The tower is <lost>.", "source_ids": []string{"S9"}},
		obj{"id": "d", "claim": "The tower is old."})
	for _, format := range RowFormats() {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			w := NewRowWriter(&out, format, "c.jsonl", "s.jsonl")
			tally, err := Claims(t.Context(), ClaimFiles{strings.NewReader(claims), "c.jsonl", strings.NewReader(islandSources(t)), "s.jsonl", nil}, w.Row)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(tally, Fail, []LostContradiction{{"Old or new?", []string{"S8"}, 9, 1}}); err != nil {
				t.Fatal(err)
			}
			switch format {
			case Text:
				for _, want := range []string{
					"c.jsonl:2: unsupported: The tower of Arden was built in 1974 by two brothers.\n    why: ",
					"c.jsonl:3: HALLUCINATED CITATION in \"The tower is <lost>.\": S9 (no text in s.jsonl)\n",
					"c.jsonl:4: uncited: The tower is old.\n    why: It cites no source.\n",
					"c.jsonl: fail: 4 claims: 1 grounded, 0 inferred, 3 unsupported (1 for citing nothing); citations without a text: 1\n",
				} {
					if !strings.Contains(out.String(), want) {
						t.Errorf("no %q in:\n%s", want, out.String())
					}
				}
			case JSON:
				var all struct {
					Verdicts []Row
					Summary  struct {
						Verdict string
						Claims  int
						Lost    []LostContradiction `json:"hallucinated_in_contradictions"`
					}
				}
				if err := json.Unmarshal(out.Bytes(), &all); err != nil {
					t.Fatal(err)
				}
				if len(all.Verdicts) != 4 || all.Summary.Verdict != Fail || all.Summary.Claims != 4 || len(all.Summary.Lost) != 1 {
					t.Errorf("%+v", all)
				}
			case JSONL:
				keys := []string{}
				for line := range strings.Lines(out.String()) {
					var row map[string]any
					if err := json.Unmarshal([]byte(line), &row); err != nil {
						t.Fatal(err)
					}
					if len(keys) == 0 {
						for k := range row {
							keys = append(keys, k)
						}
					}
				}
				want := []string{"confidence", "flags", "id", "independent_origins", "passages", "status", "support"}
				if diff := cmp.Diff(want, keys, cmpopts.SortSlices(strings.Compare)); diff != "" || strings.Count(out.String(), "\n") != 4 {
					t.Errorf("keys (-want +got):\n%s\n%s", diff, out.String())
				}
			}
		})
	}
}

// A row of a source may name its publisher and authors, and a claim may attribute statements to them.
func TestRowsNameTheirPublisher(t *testing.T) {
	sources := jsonLines(t, obj{"id": "a", "site": "CDC", "text": "Adults over 65 should get a flu shot before the end of October."})
	for speaker, want := range map[string]grounding.Status{"CDC": grounding.Grounded, "WHO": grounding.Inferred} {
		claim := obj{"id": "1", "claim": "According to the " + speaker + ", adults over 65 should get a flu shot before the end of October.", "source_ids": "a"}
		rows, _, err := rowsOf(t, jsonLines(t, claim), sources)
		if err != nil || rows[0].Status != want {
			t.Errorf("%s: %v, want %s (%v)", speaker, rows, want, err)
		}
	}
}
