package research

import (
	"encoding/json"
	"testing"

	"github.com/citeloop/citeloop/internal/llm"
)

func TestLenientTypes(t *testing.T) {
	t.Parallel()
	var got struct {
		Word    words            `json:"word"`
		Number  words            `json:"number"`
		Nothing words            `json:"nothing"`
		Lone    list[words]      `json:"lone"`
		Mixed   list[writtenGap] `json:"mixed"`
		Yes     yes              `json:"yes"`
		No      yes              `json:"no"`
		Share   share            `json:"share"`
		Percent share            `json:"percent"`
		Wrong   share            `json:"wrong"`
		Number2 number           `json:"number2"`
	}
	err := json.Unmarshal([]byte(`{"word": " a ", "number": 3, "nothing": {"a": 1}, "lone": "S1", "mixed": ["what?", {"gap": "why?", "priority": "2"}, 7], "yes": "True", "no": 1, "share": "0.5", "percent": "80 %", "wrong": -3, "number2": "7"}`), &got)
	if err != nil {
		t.Fatal(err)
	}
	if got.Word != "a" || got.Number != "3" || got.Nothing != "" || len(got.Lone) != 1 || got.Lone[0] != "S1" || !bool(got.Yes) || bool(got.No) ||
		got.Share.value != 0.5 || got.Percent.value != 0.8 || got.Wrong.given || got.Number2.value != 7 {
		t.Errorf("%+v", got)
	}
	if len(got.Mixed) != 2 || got.Mixed[0].Gap != "what?" || got.Mixed[1].Priority.value != 2 {
		t.Errorf("%+v", got.Mixed)
	}
}

// FuzzReadObject checks that any text of a model causes no panic, and that repaired text is JSON or empty.
func FuzzReadObject(f *testing.F) {
	for _, seed := range []string{`{"claims": [{"claim": "a"}, {"claim": "b", "sour`, `{"a":[1,2,],}`, "```json\n{\"claims\": \"x\\\"\"}\n```", `<think>{</think>{"claims":[]}`, `{"claims": {"a": [`, `{"a":"\u12`, `{{{{`, `}{][`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got synthesis
		_, _ = llm.ReadObject(text, &got, "claims")
		var crit criticism
		_, _ = llm.ReadObject(text, &crit)
		if len(got.Claims) > maxListed || len(crit.Gaps) > maxListed {
			t.Errorf("%d claims, %d gaps", len(got.Claims), len(crit.Gaps))
		}
	})
}
