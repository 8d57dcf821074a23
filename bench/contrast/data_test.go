package contrast

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func embeddedSet(t *testing.T, claims string) Set {
	t.Helper()
	s, err := Load(os.DirFS("."), claims)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDataIsValid(t *testing.T) {
	for claims, surplus := range map[string]int{"claims.jsonl": 0, "near.jsonl": 1} { // near.jsonl has a harmless cut for each text
		if err := validate(embeddedSet(t, claims), surplus); err != nil {
			t.Errorf("%s: %v", claims, err)
		}
	}
}

func TestDataCoverage(t *testing.T) {
	s := embeddedSet(t, "claims.jsonl")
	if len(s.Claims) < 300 {
		t.Errorf("%d claims, want at least 300", len(s.Claims))
	}
	languages := map[string]int{}
	for _, src := range s.Sources {
		languages[src.Lang]++
		words := len(strings.Fields(src.Text))
		if src.Lang == "zh" || src.Lang == "ja" {
			words = utf8.RuneCountInString(src.Text) / 2
		}
		if words < 150 || words > 400 {
			t.Errorf("%s: about %d words, want 150 to 400", src.ID, words)
		}
	}
	for lang, want := range map[string]int{"en": 7, "de": 3, "fr": 3, "es": 2, "zh": 3, "ja": 2} {
		if languages[lang] != want {
			t.Errorf("%d texts in %s, want %d", languages[lang], lang, want)
		}
	}
	kinds, spread := map[string]int{}, map[string][]string{}
	for _, c := range s.Claims {
		kinds[c.Kind]++
		if !slices.Contains(spread[c.Kind], c.Lang) {
			spread[c.Kind] = append(spread[c.Kind], c.Lang)
		}
	}
	for _, kind := range slices.Concat(trueKinds[:1], trueKinds[2:], falseKinds) {
		if kinds[kind] < 8 || len(spread[kind]) < 4 {
			t.Errorf("kind %s: %d claims in %v, want at least 8 in 4 languages", kind, kinds[kind], spread[kind])
		}
	}
}

func TestValidateFindsMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Set)
		want   string
	}{
		"duplicate claim":  {func(s *Set) { s.Claims[1].ID = "a" }, "duplicate claim id: a"},
		"duplicate source": {func(s *Set) { s.Sources = append(s.Sources, s.Sources[0]) }, "duplicate source id"},
		"unknown source":   {func(s *Set) { s.Claims[0].SourceIDs = []string{"q"} }, "a: unknown source: q"},
		"two sources":      {func(s *Set) { s.Claims[0].SourceIDs = []string{"s", "s"} }, "a: 2 sources"},
		"same wording":     {func(s *Set) { s.Claims[1].Claim = s.Claims[0].Claim }, "b: same wording as a"},
		"no evidence":      {func(s *Set) { s.Claims[0].Evidence = "" }, "a: evidence is empty"},
		"invented evidence": {func(s *Set) { s.Claims[0].Evidence = "Prices fell. [...] Wages fell." },
			`a: evidence is not in the text: "Wages fell."`},
		"kind of a false claim": {func(s *Set) { s.Claims[0].Kind = "number" }, "a: unknown kind of a true claim: number"},
		"kind of a true claim":  {func(s *Set) { s.Claims[1].Kind = "near" }, "b: unknown kind of a false claim: near"},
		"base of a true claim":  {func(s *Set) { s.Claims[0].Base = "b" }, "a: a true claim has a base"},
		"unknown base":          {func(s *Set) { s.Claims[1].Base = "q" }, "b: base is not a true claim"},
		"false base":            {func(s *Set) { s.Claims[1].Base = "b" }, "b: base is not a true claim"},
		"other language":        {func(s *Set) { s.Claims[1].Lang = "x" }, "b: base is not a true claim"},
		"label":                 {func(s *Set) { s.Claims[0].Supported = 2 }, "a: supported is 2"},
		"balance":               {func(s *Set) { s.Claims = s.Claims[:1] }, "s: true claims minus false claims is 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Set{
				Sources: []Source{{ID: "s", Lang: "en", Text: "Prices fell. Wages rose."}},
				Claims: []Claim{
					{ID: "a", Lang: "en", Claim: "Prices went down.", SourceIDs: []string{"s"}, Supported: 1, Kind: "paraphrase",
						Evidence: "Prices fell."},
					{ID: "b", Lang: "en", Claim: "Prices went up.", SourceIDs: []string{"s"}, Kind: "direction", Base: "a",
						Evidence: "Prices fell."},
				},
			}
			if err := validate(s, 0); err != nil {
				t.Fatal(err)
			}
			test.change(&s)
			if err := validate(s, 0); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// Both splits together are the set, and no text is in both.
func TestSplits(t *testing.T) {
	body, err := os.ReadFile("splits.json")
	if err != nil {
		t.Fatal(err)
	}
	var splits struct{ Dev, Test []string }
	if err := json.Unmarshal(body, &splits); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, src := range embeddedSet(t, "claims.jsonl").Sources {
		all = append(all, src.ID)
	}
	both := slices.Concat(splits.Dev, splits.Test)
	slices.Sort(both)
	slices.Sort(all)
	if !slices.Equal(both, all) || len(splits.Dev) == 0 || len(splits.Test) == 0 {
		t.Errorf("the splits have %v, the set has %v", both, all)
	}
}

// The scorer prints the published row of the baseline, counts as documented, and refuses what it cannot count.
func TestScorer(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	words, err := exec.Command(python, "words.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	near, err := exec.Command(python, "words.py", "near.jsonl").Output()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	published := "| **all** | 166 / 166 | 28 % | 14 % | 33 % | 12 % | 54 % |"
	if !strings.Contains(string(readme), published) {
		t.Errorf("README.md does not have %q", published)
	}
	answers, err := os.ReadFile("reader.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	one := `{"id":"en-ferry-01","status":"grounded","support":1}` + "\n"
	for _, row := range []struct {
		name, said string
		args       []string
		want       string
		fails      bool
	}{
		{"words", string(words), nil, published, false},
		{"near", string(near), []string{"--claims", "near.jsonl"}, "| **all** | 77 / 57 | 93 % | 0 % | 97 % | 0 % | 59 % |", false},
		{"reader", string(answers), nil, "| **all** | 166 / 166 | 0 % | 100 % | 99 % | 1 % | 100 % |", false},
		{"support", string(words), nil, "AUROC of support: 0.558", false},
		{"test split", string(words), []string{"--split", "test"}, "| **all** | 64 / 64 | 31 % | 12 % | 36 % | 12 % | 53 % |", false},
		{"missing", `{"summary":true}` + "\n" + one, nil, "No verdict on 331 claims", false},
		{"one of 166", one, []string{"--json"}, `"true_grounded": 0.602`, false},
		{"twice", one + one, nil, "duplicate verdict: en-ferry-01", true},
		{"unknown", `{"id":"en-01","status":"grounded"}`, nil, "verdicts on unknown claims: en-01", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			cmd := exec.Command(python, append([]string{"score.py", "-"}, row.args...)...)
			cmd.Stdin = strings.NewReader(row.said)
			out, err := cmd.CombinedOutput()
			if (err != nil) != row.fails || !strings.Contains(string(out), row.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// The baseline that asks a model takes the last JSON object of each answer.
func TestAsk(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"It {may} be: {\"status\": \"unsupported\"}"}}]}`))
	}))
	defer endpoint.Close()
	out, err := exec.Command(python, "ask.py", endpoint.URL+"/v1", "any").Output()
	if err != nil || strings.Count(string(out), `"status": "unsupported"`) != 332 {
		t.Errorf("%v: %.300s", err, out)
	}
}
