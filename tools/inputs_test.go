package tools

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools/arguments"
)

// probe has an argument of each type.
type probe struct {
	Text   string               `json:"text"`
	Count  int                  `json:"count"`
	Share  *float64             `json:"share"`
	Yes    bool                 `json:"yes"`
	Words  []string             `json:"words"`
	Kind   string               `json:"kind"`
	Gaps   []loopstate.GapInput `json:"gaps"`
	Shares map[string]float64   `json:"shares"`
	Inner  *loopstate.Amounts   `json:"inner"`
	Found  []loopstate.Evidence `json:"found"`
	Abort  string               `json:"abort"`
	Sure   string               `json:"confidence"`
}

func probeSchema(t testing.TB) *arguments.Schema {
	t.Helper()
	update := gjson.GetBytes(schemaOf(t, "loop_update"), "inputSchema.properties")
	start := gjson.GetBytes(schemaOf(t, "loop_init"), "inputSchema.properties")
	var s arguments.Schema
	if err := json.Unmarshal([]byte(`{"type": "object", "properties": {"text": {"type": "string", "description": "a text"},
		"count": {"type": "integer"}, "share": {"type": "number"}, "yes": {"type": "boolean"},
		"words": {"type": "array", "items": {"type": "string"}}, "kind": {"type": "string", "enum": ["red", "green"]},
		"gaps": `+start.Get("gaps").Raw+`, "shares": {"type": "object", "additionalProperties": {"type": "number"}},
		"inner": `+start.Get("budget").Raw+`, "found": `+update.Get("evidence").Raw+`, "abort": `+update.Get("abort").Raw+`,
		"confidence": {"type": "string"}}, "required": ["text"], "additionalProperties": false}`), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestDecodeCoerces(t *testing.T) {
	t.Parallel()
	half, five := 0.5, 5
	tests := []struct {
		name, args string
		want       probe
	}{
		{"plain", `{"text":"a","count":5,"share":0.5,"yes":true,"words":["x"]}`, probe{Text: "a", Count: 5, Share: &half, Yes: true,
			Words: []string{"x"}}},
		{"a year for a date", `{"text":"a","found":[{"title":"t","url":"u","published_at":2026}]}`,
			probe{Text: "a", Found: []loopstate.Evidence{{Title: "t", URL: "u", PublishedAt: "2026"}}}},
		{"a string for a number", `{"text":"a","count":"5","share":" 0.5 "}`, probe{Text: "a", Count: 5, Share: &half}},
		{"a whole number written with a point", `{"text":"a","count":5.0}`, probe{Text: "a", Count: 5}},
		{"a word for a boolean", `{"text":"a","yes":"True"}`, probe{Text: "a", Yes: true}},
		{"a list of one for a string", `{"text":["a"]}`, probe{Text: "a"}},
		{"a list in a string", `{"text":"a","words":"[\"x\", \"y\"]"}`, probe{Text: "a", Words: []string{"x", "y"}}},
		{"an object in a string", `{"text":"a","inner":"{\"rounds\": 5}"}`, probe{Text: "a", Inner: &loopstate.Amounts{Rounds: &five}}},
		{"null counts as missing", `{"text":"a","words":null,"share":null}`, probe{Text: "a"}},
		{"an enum in capitals", `{"text":"a","kind":"RED"}`, probe{Text: "a", Kind: "red"}},
		{"camel case", `{"text":"a","gaps":[{"gap":"g","sourceTypes":["peer"]}]}`,
			probe{Text: "a", Gaps: []loopstate.GapInput{{Gap: "g", SourceTypes: []string{"peer"}}}}},
		{"gaps as strings and objects", `{"text":"a","gaps":["g1",{"description":"g2"}]}`,
			probe{Text: "a", Gaps: []loopstate.GapInput{{Gap: "g1"}, {Gap: "g2"}}}},
		{"gaps as JSON in texts", `{"text":"a","gaps":["{\"gap\":\"g1\",\"query\":\"q\"}"]}`,
			probe{Text: "a", Gaps: []loopstate.GapInput{{Gap: "g1", Query: "q"}}}},
		{"a gap as JSON in a text", `{"text":"a","gaps":"{\"gap\":\"g1\"}"}`, probe{Text: "a", Gaps: []loopstate.GapInput{{Gap: "g1"}}}},
		{"a gap of two lines", `{"text":"a","gaps":"g1\ng2"}`, probe{Text: "a", Gaps: []loopstate.GapInput{{Gap: "g1\ng2"}}}},
		{"a map of numbers", `{"text":"a","shares":{"team":"0.5"}}`, probe{Text: "a", Shares: map[string]float64{"team": 0.5}}},
		{"unknown fields of a hit", `{"text":"a","found":[{"title":"t","url":"u","seen":false,"rank":3,"score":"high"}]}`,
			probe{Text: "a", Found: []loopstate.Evidence{{Title: "t", URL: "u"}}}},
		{"abort by a word", `{"text":"a","abort":"enough"}`, probe{Text: "a", Abort: "enough"}},
		{"abort by true", `{"text":"a","abort":true}`, probe{Text: "a", Abort: "by the user"}},
		{"abort by false", `{"text":"a","abort":false}`, probe{Text: "a"}},
		{"abort by a reason that begins with none", `{"text":"a","abort":"None of the sources are readable"}`,
			probe{Text: "a", Abort: "None of the sources are readable"}},
		{"abort by a list of null", `{"text":"a","abort":["null"]}`, probe{Text: "a"}},
		{"abort by the word true", `{"text":"a","abort":"true"}`, probe{Text: "a", Abort: "by the user"}},
		{"empty texts for optional arguments", `{"text":"a","count":"","share":"","yes":"","words":"","kind":"","inner":"","found":"",` +
			`"abort":"","confidence":""}`, probe{Text: "a"}},
		{"words for nothing", `{"text":"a","count":"none","share":"null","yes":"no","kind":"undefined","inner":"None","gaps":["null"]}`,
			probe{Text: "a"}},
		{"unknown arguments without a value", `{"text":"a","txet":null,"critic":""}`, probe{Text: "a"}},
		{"a needed text may be such a word", `{"text":"null","words":["none","x"]}`, probe{Text: "null", Words: []string{"none", "x"}}},
		{"words for nothing in free texts", `{"text":"a","words":["none"],"confidence":"null","gaps":"n/a","found":"no","abort":"N/A"}`,
			probe{Text: "a"}},
		{"false for everything", `{"text":"a","count":false,"share":"false","words":"false","kind":false,"gaps":false,"shares":"no",` +
			`"inner":"false","found":false,"abort":"false"}`, probe{Text: "a"}},
		{"empty lists and objects", `{"text":"a","count":[],"share":"[]","yes":{},"words":"[]","kind":[],"gaps":{},"shares":[],` +
			`"inner":{},"found":"{}","abort":[]}`, probe{Text: "a"}},
		{"null in a list", `{"text":"a","words":["x",null]}`, probe{Text: "a", Words: []string{"x"}}},
		{"a sentence with commas for a list", `{"text":"a","words":"x, y"}`, probe{Text: "a", Words: []string{"x, y"}}},
		{"a number for a boolean", `{"text":"a","yes":1}`, probe{Text: "a", Yes: true}},
		{"abort by 0", `{"text":"a","abort":0}`, probe{Text: "a"}},
	}
	in := probeSchema(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got probe
			if err := in.Decode(json.RawMessage(tt.args), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("decode (-want +got):\n%s", diff)
			}
		})
	}
}

// Ids and addresses are read as they stand in a text; a claim cites what stands in its sentence.
func TestWrittenAsInAText(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{"[G1]": "G1", "G1: When was it opened?": "G1", "G1, G2": "G1 G2", "g1 and G2": "G1 G2",
		"**G1**": "G1", "G1.": "G1", "[C1]; [C2]": "C1 C2", "What do G1 and G2 say?": "What do G1 and G2 say?",
		"who asked?": "who asked?"} {
		if got := strings.Join(named([]string{written}), " "); got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
	for written, want := range map[string]string{"[S1]": "S1", "[S1:3]": "S1:3", "<weir.md>": "weir.md", `"weir.md"`: "weir.md",
		"[log](weir.md)": "weir.md", "weir.md:3": "weir.md#L3", "notes/weir.md:3-5": "notes/weir.md#L3-L5", "https://a.example/x_(y)": "" +
			"https://a.example/x_(y)", "https://a.example:8080": "https://a.example:8080", "/a b/c.md": "/a b/c.md"} {
		if got := bare(written); got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
	for claim, want := range map[string]string{"It is wide. [S1:3]": "It is wide. S2 S1:3", "It is wide [S1:3, S2].": "It is wide. S2 S1:3",
		"It [S7 of the code] is wide.": "It [S7 of the code] is wide. S2", "It is wide.": "It is wide. S2"} {
		if text, ids := cited(claim, []string{"S2"}); text+" "+strings.Join(ids, " ") != want {
			t.Errorf("%q is %q and %q, want %q", claim, text, ids, want)
		}
	}
}

func TestDecodeRejects(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, args, want string }{
		{"missing", `{}`, "text: missing; give it: a text"},
		{"unknown", `{"text":"a","txet":"b"}`, `txet: unknown argument; valid arguments: text, count, share, yes, words, kind, gaps, ` +
			`shares, inner, found, abort, confidence; did you mean "text"?`},
		{"unknown, no similar name", `{"text":"a","zzzzzz":1}`,
			`zzzzzz: unknown argument; valid arguments: text, count, share, yes, words, kind, gaps, shares, inner, found, abort, ` +
				`confidence`},
		{"unknown inside", `{"text":"a","inner":{"round":3}}`,
			`inner.round: unknown field; valid fields: rounds, cost_usd, latency_seconds, tokens; did you mean "rounds"?`},
		{"a list for a number", `{"text":"a","count":[1,2]}`,
			"count: must be a whole number, not a list; give a whole number in digits, or leave it out"},
		{"half a round", `{"text":"a","count":1.5}`,
			"count: must be a whole number, not 1.5; give a whole number in digits, or leave it out"},
		{"a word for a number", `{"text":"a","count":"many"}`,
			`count: must be a whole number, not "many"; give a whole number in digits, or leave it out`},
		{"not a number", `{"text":"a","share":"NaN"}`, `share: must be a number, not "NaN"; give a number in digits, or leave it out`},
		{"too large a number", `{"text":"a","count":1e300}`,
			"count: must be a whole number, not 1e300; give a whole number in digits, or leave it out"},
		{"a word for a boolean", `{"text":"a","yes":"perhaps"}`,
			`yes: must be true or false, not "perhaps"; give true or false without quotes, or leave it out`},
		{"a number for a string", `{"text":1}`, `text: must be a text, not 1; give a text in quotes, such as "1", if it is meant`},
		{"a number in a list of strings", `{"text":"a","words":["x",5]}`,
			`words[1]: must be a text, not 5; give a text in quotes, such as "5", if it is meant`},
		{"an object for a string", `{"text":{}}`, "text: must be a text, not an object; give it as one text"},
		{"an object in a list of strings", `{"text":"a","words":["x",{}]}`, "words[1]: must be a text, not an object; give it as one text"},
		{"an unknown word", `{"text":"a","kind":"blue"}`, `kind: unknown value: "blue"; use one of red, green`},
		{"a string for an object", `{"text":"a","found":"E1"}`,
			`found[0]: must be an object, not "E1"; give it as one with these keys: title, url, snippet, source, source_type, ` +
				`published_at, authors, doi, language`},
		{"a list as arguments", `[1]`, "arguments: must be an object, not a list; send one JSON object"},
		{"invalid JSON", `{"text":`, "arguments: invalid JSON; send one JSON object"},
		{"null alone", `null`, "text: missing; give it: a text"},
		{"a gap that is a number", `{"text":"a","gaps":[true]}`, "gaps[0]: must be a text, not true; give it as one text"},
	}
	in := probeSchema(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got probe
			err := in.Decode(json.RawMessage(tt.args), &got)
			var argument *wording.Mistake
			if !errors.As(err, &argument) {
				t.Fatalf("decode: %v, want a Mistake", err)
			}
			if err.Error() != tt.want {
				t.Errorf("error text\n got %s\nwant %s", err, tt.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"text":"a"}`, `{"text":1,"gaps":["x",{"description":"y"}],"found":[{}]}`,
		`{"text":"[","inner":"{","words":"[1"}`, `[[[[`, `{"abort":{"a":1}}`, "null", ""} {
		f.Add([]byte(s))
	}
	in := probeSchema(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var got probe
		if err := in.Decode(raw, &got); err != nil {
			var argument *wording.Mistake
			if !errors.As(err, &argument) {
				t.Fatalf("%q: %v: a client would be told nothing of use", raw, err)
			}
			return
		}
		if _, err := json.Marshal(got); err != nil {
			t.Fatal(err)
		}
	})
}
