package textcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func rowsOf(t *testing.T, claims, sources string) (*Rows, error) {
	t.Helper()
	return Claims(t.Context(), RowFiles{Claims: strings.NewReader(claims), ClaimsName: "c.jsonl", Sources: strings.NewReader(sources), SourcesName: "s.jsonl"})
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
	return jsonLines(t, obj{"id": "T", "text": towerText, "title": "The tower", "url": "https://arden.example/tower"}, obj{"id": "url:cost", "text": costText}, obj{"id": 7, "text": "塔于1874年由霍尔特兄弟二人建成。塔的维护费每年九百克朗。"})
}

func TestClaims(t *testing.T) {
	t.Parallel()
	claims := jsonLines(t,
		obj{"id": "a", "claim": "The tower of Arden was built in 1874 by two brothers.", "source_ids": []string{"T:1"}},
		obj{"id": 2, "claim": "The tower of Arden was built in 1974 by two brothers.", "sourceIds": []string{"T"}, "gold": true},
		obj{"id": "q", "claim": "The parish wanted none of it.", "source_ids": []string{"T", "url:cost:1"}, "quote": "the parish refused to pay"},
		obj{"id": "r", "claim": "In 1901 the parish refused to pay.", "source_ids": "url:cost", "quote": "the parish longed to pay"},
		obj{"id": "u", "claim": "The tower of Arden was built in 1874.", "source_ids": []any{"T", "S9", "T"}},
		obj{"id": "v", "claim": "The tower of Arden was built in 1874.", "source_ids": []string{"T:7"}},
		obj{"id": nil2{}, "claim": "The tower of Arden was built in 1874.", "source_ids": []string{}},
		obj{"id": "z", "claim": "塔于1874年由霍尔特兄弟建成。", "source_ids": []int{7}},
	)
	all, err := rowsOf(t, "\uFEFF"+claims+"\n\n", islandSources(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range all.Rows {
		if r.Passages == nil || r.Flags == nil || r.Remarks == nil {
			t.Errorf("line %d: a list is null", r.Line)
		}
		got = append(got, fmt.Sprintf("%d %s %s %s %s verbatim %t remarks %d unknown %q", r.Line, r.ID, r.Status, r.Lines, r.QuoteGrade, r.Verbatim, len(r.Remarks), r.Unknown))
	}
	want := []string{
		`1 "a" inferred T:1  verbatim true remarks 0 unknown []`,
		`2 2 inferred T:1  verbatim false remarks 1 unknown []`,
		`3 "q" inferred T:1; url:cost:1 exact verbatim false remarks 0 unknown []`,
		`4 "r" unsupported url:cost:1 absent verbatim true remarks 0 unknown []`,
		`5 "u" inferred T:1  verbatim true remarks 0 unknown ["S9"]`,
		`6 "v" unsupported   verbatim false remarks 0 unknown ["T:7"]`,
		`7 {} unsupported   verbatim false remarks 0 unknown []`,
		`8 "z" inferred 7:1  verbatim false remarks 0 unknown []`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if all.Total() != 8 || all.Hallucinated != 2 || all.Uncited != 1 || all.BadQuotes != 1 || all.Unread != 5 {
		t.Errorf("%+v", all.Tally)
	}
	for failOn, want := range map[Kind]string{Hallucinated: outcome.Fail, Quote: outcome.Fail, Noted: outcome.Fail, Contradicted: outcome.Undecided} {
		if got := all.Verdict([]Kind{failOn}, 0); got != want {
			t.Errorf("%s: verdict %s, want %s", failOn, got, want)
		}
	}
}

type nil2 struct{}

func TestRowProblems(t *testing.T) {
	t.Parallel()
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
		_, err := rowsOf(t, tt.claims, tt.sources)
		var row *RowError
		if !errors.As(err, &row) || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
}

// A row does not depend on the other claims.
func TestRowsDoNotDependOnOthers(t *testing.T) {
	t.Parallel()
	var claims, sources []any
	const texts = 12
	for i := range texts {
		sources = append(sources, obj{"id": fmt.Sprint("T", i), "text": fmt.Sprintf("%s The tower has the number %d in the list of Arden. %s", towerText, i, strings.Repeat(costText+" ", i))})
	}
	for i := range 30 {
		claims = append(claims, obj{"id": i, "claim": fmt.Sprintf("The tower has the number %d in the list, and the harbour pays two thirds.", i%15), "source_ids": []string{fmt.Sprint("T", i%texts), fmt.Sprint("T", i*7%texts)}})
	}
	sourceLines, claimLines := jsonLines(t, sources...), jsonLines(t, claims...)
	together, err := rowsOf(t, claimLines, sourceLines)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range slices.Collect(strings.Lines(claimLines)) {
		rows, err := rowsOf(t, line, sourceLines)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rows.Rows[0].Outcome, together.Rows[i].Outcome, cmpopts.IgnoreUnexported(Passage{}, remark.Remark{})); diff != "" {
			t.Errorf("row %d (-alone +together):\n%s", i, diff)
		}
	}
}
