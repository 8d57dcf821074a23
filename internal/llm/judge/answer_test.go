package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding"
)

func TestReadAnswer(t *testing.T) {
	const good = `{"because":"b","passage":"P1","quote":"q","verdict":"supported"}`
	want := answer{Because: "b", Passage: "P1", Quote: "q", Verdict: Supported}
	for _, row := range []struct{ name, text, problem string }{
		{"as asked", good, ""},
		{"white space", " \n" + good + "\n", ""},
		{"in a code fence", "```json\n" + good + "\n```", ""},
		{"with words around", "Sure! Here is {the answer}:\n" + good + "\nHope that helps :}", ""},
		{"twice the same", good + good, ""},
		{"after another object", `{"note":{"verdict":"contradicted"}}` + good, ""},
		{"with a field of its own", strings.Replace(good, "{", `{"confidence":0.9,`, 1), ""},
		{"two verdicts", strings.Replace(good, "supported", "contradicted", 1) + good, "two verdicts"},
		{"words alone", "The claim is supported.", "no JSON object"},
		{"empty object", "{}", "no JSON object"},
		{"a list", `["supported"]`, "no JSON object"},
		{"cut off", good[:40], "no JSON object"},
		{"another schema", `{"answer":"supported","score":1}`, "no JSON object"},
		{"inside another object", `{"result":` + good + `}`, "no JSON object"},
		{"unknown verdict", strings.Replace(good, "supported", "SUPPORTED", 1), "none of the five"},
		{"empty verdict", strings.Replace(good, "supported", "", 1), "none of the five"},
		{"verdict of another type", strings.Replace(good, `"supported"`, "true", 1), "verdict is not a text"},
		{"verdict null", strings.Replace(good, `"supported"`, "null", 1), "none of the five"},
		{"quote of another type", strings.Replace(good, `"q"`, `["q"]`, 1), "quote is not a text"},
		{"brackets without end", strings.Repeat("{", 100_000), "brackets"},
		{"nested without end", strings.Repeat(`{"a":`, 20_000), "brackets"},
		{"single quotation marks", strings.ReplaceAll(good, `"`, "'"), "no JSON object"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := readAnswer(row.text)
			if row.problem == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), row.problem) {
				t.Errorf("got %+v, %v, want an error with %q", got, err, row.problem)
			}
		})
	}
}

func TestAnswerMayLeaveOutWhatMayBeEmpty(t *testing.T) {
	got, err := readAnswer(`{"verdict":"not_supported","quote":null}`)
	if err != nil || got != (answer{Verdict: NotSupported}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestOpinionOfAnAnswer(t *testing.T) {
	p := newPrompt(question(grounding.Inferred, 0.3, nil, said, aside))
	for _, row := range []struct {
		name string
		a    answer
		want Opinion
	}{
		{"a passage", answer{Verdict: Supported, Passage: "P2", Quote: "q"}, Opinion{Verdict: Supported, SourceID: "S2", Quote: "q"}},
		{"no passage", answer{Verdict: NotSupported}, Opinion{Verdict: NotSupported}},
		{"a label made up", answer{Verdict: Supported, Passage: "P3", Quote: "q"}, Opinion{Failure: `unknown passage "P3"`}},
		{"a source in place of a label", answer{Verdict: Supported, Passage: "S1", Quote: "q"}, Opinion{Failure: `unknown passage "S1"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, row.a.opinion(p)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
