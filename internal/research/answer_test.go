package research

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type plainClaims struct {
	Claims []struct {
		Claim     string   `json:"claim"`
		SourceIDs []string `json:"source_ids"`
	} `json:"claims"`
}

func TestReadObject(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // the claims
		err        error
	}{
		{"plain", `{"claims": [{"claim": "a"}, {"claim": "b"}]}`, []string{"a", "b"}, nil},
		{"fenced, with words", "Sure!\n```json\n{\"claims\": [{\"claim\": \"a\"}]}\n```\nAnything else?", []string{"a"}, nil},
		{"behind thoughts that have an object", `<think>{"claims": [{"claim": "no"}]}</think>{"claims": [{"claim": "a"}]}`, []string{"a"}, nil},
		{"another object first", `{"note": 1} {"claims": [{"claim": "a"}]}`, []string{"a"}, nil},
		{"a comma too many", `{"claims": [{"claim": "a",}, ],}`, []string{"a"}, nil},
		{"a line break in a string", "{\"claims\": [{\"claim\": \"a\nb\"}]}", []string{"a\nb"}, nil},
		{"cut within the second claim", `{"claims": [{"claim": "a", "source_ids": ["S1"]}, {"claim": "b", "sour`, []string{"a", "b"}, nil},
		{"cut within the second claim's words", `{"claims": [{"claim": "a"}, {"claim": "b and`, []string{"a"}, nil},
		{"cut before anything", `{"claims": `, nil, errCutObject},
		{"cut in thoughts", `<think>let me see {"claims": []}`, nil, errNoObject},
		{"another object, then a cut one", `{"note": 1} {"claims": [{"claim": "a"}, {"cl`, []string{"a"}, nil},
		{"prose", "I could not find anything.", nil, errNoObject},
		{"other keys", `{"answers": []}`, nil, errNotAnswers},
		{"empty", "", nil, errNoObject},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got plainClaims
			err := readObject(test.text, &got, "claims")
			var claims []string
			for _, c := range got.Claims {
				claims = append(claims, c.Claim)
			}
			if err != test.err {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if diff := cmp.Diff(test.want, claims); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLenientTypes(t *testing.T) {
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
		got.Share != (share{0.5, true}) || got.Percent != (share{0.8, true}) || got.Wrong.given || got.Number2.value != 7 {
		t.Errorf("%+v", got)
	}
	if len(got.Mixed) != 2 || got.Mixed[0].Gap != "what?" || got.Mixed[1].Priority.value != 2 {
		t.Errorf("%+v", got.Mixed)
	}
}

// Whatever a model writes: no panic, and what is repaired is JSON or nothing.
func FuzzReadObject(f *testing.F) {
	for _, seed := range []string{`{"claims": [{"claim": "a"}, {"claim": "b", "sour`, `{"a":[1,2,],}`, "```json\n{\"claims\": \"x\\\"\"}\n```", `<think>{</think>{"claims":[]}`, `{"claims": {"a": [`, `{"a":"\u12`, `{{{{`, `}{][`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got synthesis
		_ = readObject(text, &got, "claims")
		var crit criticism
		_ = readObject(text, &crit)
		if len(got.Claims) > maxListed || len(crit.Gaps) > maxListed {
			t.Errorf("%d claims, %d gaps", len(got.Claims), len(crit.Gaps))
		}
	})
}
