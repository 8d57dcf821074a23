package llm

import (
	"strings"
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
		{"in a code fence, with text around it", "Sure!\n```json\n{\"claims\": [{\"claim\": \"a\"}]}\n```\nAnything else?", []string{"a"}, nil},
		{"after reasoning that has an object", `<think>{"claims": [{"claim": "no"}]}</think>{"claims": [{"claim": "a"}]}`, []string{"a"}, nil},
		{"another object first", `{"note": 1} {"claims": [{"claim": "a"}]}`, []string{"a"}, nil},
		{"a comma too many", `{"claims": [{"claim": "a",}, ],}`, []string{"a"}, nil},
		{"a line break in a string", "{\"claims\": [{\"claim\": \"a\nb\"}]}", []string{"a\nb"}, nil},
		{"broken off within the second claim", `{"claims": [{"claim": "a", "source_ids": ["S1"]}, {"claim": "b", "sour`, []string{"a", "b"}, nil},
		{"broken off within the second claim's words", `{"claims": [{"claim": "a"}, {"claim": "b and`, []string{"a"}, nil},
		{"broken off before anything", `{"claims": `, nil, errBrokenObject},
		{"broken off in the reasoning", `<think>let me see {"claims": []}`, nil, errNoObject},
		{"another object, then a broken one", `{"note": 1} {"claims": [{"claim": "a"}, {"cl`, []string{"a"}, nil},
		{"prose", "I could not find anything.", nil, errNoObject},
		{"other keys", `{"answers": []}`, nil, errOtherKeys},
		{"empty", "", nil, errNoObject},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got plainClaims
			lost, err := ReadObject(test.text, &got, "claims")
			var claims []string
			for _, c := range got.Claims {
				claims = append(claims, c.Claim)
			}
			if broken := strings.Contains(test.name, "broken") && err == nil; lost != broken {
				t.Errorf("lost %v, want %v", lost, broken)
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
