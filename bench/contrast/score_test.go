package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/bench/claimset"
)

var labelled = []claimset.Claim{
	{ID: "t1", Lang: "en", Supported: 1, Kind: "near"},
	{ID: "t2", Lang: "de", Supported: 1, Kind: "paraphrase"},
	{ID: "f1", Lang: "en", Kind: "number"},
	{ID: "f2", Lang: "de", Kind: "unit"},
}

// shares lists false grounded, false unsupported, true grounded, true unsupported and precision; -1 is none.
func shares(f figures) [5]float64 {
	var all [5]float64
	for i, share := range []*float64{f.FalseGrounded, f.FalseUnsupported, f.TrueGrounded, f.TrueUnsupported, f.Precision} {
		all[i] = -1
		if share != nil {
			all[i] = *share
		}
	}
	return all
}

func TestScore(t *testing.T) {
	for name, test := range map[string]struct {
		verdicts string
		want     [5]float64
		missing  int
	}{
		"perfect":             {"t1 grounded,t2 grounded,f1 unsupported,f2 unsupported", [5]float64{0, 100, 100, 0, 100}, 0},
		"inverted":            {"t1 unsupported,t2 unsupported,f1 grounded,f2 grounded", [5]float64{100, 0, 0, 100, 0}, 0},
		"all grounded":        {"t1 grounded,t2 grounded,f1 grounded,f2 grounded", [5]float64{100, 0, 100, 0, 50}, 0},
		"inferred is neither": {"t1 inferred,t2 inferred,f1 inferred,f2 inferred", [5]float64{0, 0, 0, 0, -1}, 0},
		"mixed":               {"t1 grounded,t2 unsupported,f1 grounded,f2 inferred", [5]float64{50, 0, 50, 50, 50}, 0},
		"missing":             {"t1 grounded,f1 unsupported", [5]float64{0, 50, 50, 0, 100}, 2},
		"other statuses":      {"t1 uncited,t2 not_checked,f1 uncited,f2 unsupported", [5]float64{0, 50, 0, 0, -1}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := score(labelled, verdictsOf(test.verdicts))
			if err != nil {
				t.Fatal(err)
			}
			if got := shares(r.All); got != test.want || len(r.Missing) != test.missing {
				t.Errorf("got %v and %d missing, want %v and %d", got, len(r.Missing), test.want, test.missing)
			}
			if r.All.AUROC != nil {
				t.Errorf("AUROC %v without support", *r.All.AUROC)
			}
		})
	}
}

func verdictsOf(list string) []said {
	var verdicts []said
	for pair := range strings.SplitSeq(list, ",") {
		id, status, _ := strings.Cut(pair, " ")
		verdicts = append(verdicts, said{ID: id, Status: status})
	}
	return verdicts
}

func TestScoreGroups(t *testing.T) {
	r, err := score(labelled, verdictsOf("t1 grounded,t2 unsupported,f1 grounded,f2 unsupported"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		got  figures
		want [5]float64
	}{
		"language en": {r.Lang["en"], [5]float64{100, 0, 100, 0, 50}},
		"language de": {r.Lang["de"], [5]float64{0, 100, 0, 100, -1}},
		"kind near":   {r.Kind["near"], [5]float64{-1, -1, 100, 0, 100}},
		"kind unit":   {r.Kind["unit"], [5]float64{0, 100, -1, -1, -1}},
	} {
		if got := shares(test.got); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestScoreRejects(t *testing.T) {
	for verdicts, want := range map[string]string{
		"t1 grounded,t1 inferred": "duplicate verdict: t1",
		"t1 grounded,q grounded":  "verdicts on unknown claims: 1",
	} {
		if _, err := score(labelled, verdictsOf(verdicts)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", verdicts, err, want)
		}
	}
}

func TestAUROC(t *testing.T) {
	for name, test := range map[string]struct {
		positive, negative []float64
		want               float64
	}{
		"separated": {[]float64{.8, .9}, []float64{.1, .2}, 1},
		"inverted":  {[]float64{.1}, []float64{.9}, 0},
		"ties":      {[]float64{.5, .5}, []float64{.5}, .5},
		"mixed":     {[]float64{.9, .3}, []float64{.5, .1}, .75},
	} {
		if got := auroc(test.positive, test.negative); *got != test.want {
			t.Errorf("%s: got %v, want %v", name, *got, test.want)
		}
	}
	if got := auroc(nil, []float64{1}); got != nil {
		t.Errorf("without positives: got %v, want none", *got)
	}
}

func TestMatchWords(t *testing.T) {
	s := claimset.Set{Sources: []claimset.Source{
		{ID: "en", Text: "The old mill burned down in 1902. Nobody was hurt. Rain fell. Sheep grazed near the railway."},
		{ID: "zh", Text: "老磨坊在一九〇二年被烧毁。没有人受伤。"},
	}}
	for i, test := range []struct{ source, claim, want string }{
		{"en", "The mill burned down in 1902.", "grounded"},
		{"en", "The mill burned down in 1903.", "grounded"}, // one wrong word of four passes
		{"en", "The mill opened to visitors in 1902.", "inferred"},
		{"en", "The mill burned near sheep.", "inferred"}, // in no single window
		{"en", "Bakers prefer darker bread.", "unsupported"},
		{"zh", "老磨坊被烧毁。", "grounded"},
		{"zh", "面包师喜欢黑麦。", "unsupported"},
	} {
		s.Claims = []claimset.Claim{{ID: "c", Claim: test.claim, SourceIDs: []string{test.source}}}
		if got := matchWords(s)[0]; got.Status != test.want {
			t.Errorf("%d: %s: got %s (%.2f), want %s", i, test.claim, got.Status, *got.Support, test.want)
		}
	}
}

func TestParseStatus(t *testing.T) {
	for answer, want := range map[string]string{
		`{"status": "grounded"}`:                              "grounded",
		"```json\n{\"status\":\"inferred\"}\n```":             "inferred",
		`{"status": "grounded"} no: {"status":"unsupported"}`: "unsupported",
		`{"status": "supported"}`:                             "",
		"grounded":                                            "",
		"":                                                    "",
	} {
		got, err := parseStatus(answer)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", answer, got, err, want)
		}
	}
}

// TestRun runs each command from its flags to its output. A server of the test plays the model.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, lines := range map[string]string{
		"sources.jsonl": `{"id":"s","lang":"en","text":"Prices fell sharply."}`,
		"claims.jsonl": `{"id":"a","lang":"en","claim":"Prices fell sharply.","source_ids":["s"],"supported":1,"kind":"near"}
{"id":"b","lang":"en","claim":"Prices rose sharply.","source_ids":["s"],"supported":0,"kind":"direction","base":"a"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CONTRAST_TEST_KEY", "secret")
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Messages []struct{ Content string } `json:"messages"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.Header.Get("Authorization") != "Bearer secret" || len(asked.Messages) != 2 {
			http.Error(w, "unexpected request", http.StatusBadRequest)
			return
		}
		question, status := asked.Messages[1].Content, "unsupported"
		text, claim, _ := strings.Cut(question, "\n\nClaim:\n")
		if strings.Contains(text, claim) {
			status = "grounded"
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{
			"role": "assistant", "content": `{"status": "` + status + `"}`}}}})
	}))
	defer model.Close()

	command := func(in string, args ...string) (string, error) {
		var out bytes.Buffer
		err := run(context.Background(), args, strings.NewReader(in), &out)
		return out.String(), err
	}
	answers, err := command("", "ask", "--set", dir, "--url", model.URL, "--model", "m", "--key", "CONTRAST_TEST_KEY", "--parallel", "2")
	if err != nil {
		t.Fatal(err)
	}
	table, err := command(answers, "score", "--set", dir, "-")
	if want := "| **all** | 1 / 1 | 0 % | 100 % | 100 % | 0 % | 100 % |"; err != nil || !strings.Contains(table, want) {
		t.Errorf("score of ask: got %v\n%s", err, table)
	}
	answers, err = command("", "words", "--set", dir)
	if err != nil {
		t.Fatal(err)
	}
	scored, err := command(answers, "score", "--set", dir, "--json", "-")
	var r result
	if err != nil || json.Unmarshal([]byte(scored), &r) != nil || shares(r.All) != [5]float64{0, 0, 100, 0, 100} || *r.All.AUROC != 1 {
		t.Errorf("score of words: got %v\n%s", err, scored)
	}

	for _, test := range []struct{ args, want string }{
		{"guess", "unknown command: guess"},
		{"score", "score needs one file"},
		{"ask", "--model"},
		{"words --set " + filepath.Join(dir, "none"), "sources.jsonl"},
		{"ask --model m --key CONTRAST_OTHER_KEY --url " + model.URL, "400"},
	} {
		if _, err := command("", strings.Fields(test.args)...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.args, err, test.want)
		}
	}
}
