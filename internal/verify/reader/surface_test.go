package reader

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/seeded"
	"github.com/citeloop/citeloop/internal/text/words"
)

// contrastFolder holds claims with the words that decide them.
const contrastFolder = "../../../bench/contrast"

type contrastClaim struct {
	ID, Claim, Base, Evidence string
	Supported                 int
	SourceIDs                 []string `json:"source_ids"`
}

func readContrast[T any](t *testing.T, name string) (out []T) {
	data, err := os.ReadFile(filepath.Join(contrastFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func blocksIn(id, text string) (out []Passage) {
	start := 0
	for i, line := range strings.Split(text, "\n") {
		n := len([]rune(line))
		if strings.TrimSpace(line) != "" {
			out = append(out, Passage{SourceID: id, Lines: fmt.Sprint(i + 1), Start: start, End: start + n, Text: line})
		}
		start += n + 1
	}
	return out
}

// cited are the blocks that have the parts of the evidence.
func cited(c contrastClaim, blocks map[string][]Passage) (out []Passage) {
	for part := range strings.SplitSeq(c.Evidence, "[...]") {
		part = strings.TrimSpace(part)
		for _, id := range c.SourceIDs {
			i := slices.IndexFunc(blocks[id], func(p Passage) bool {
				return strings.Contains(p.Text, part) || len(p.Text) > 30 && strings.Contains(part, p.Text)
			})
			if i >= 0 && !slices.Contains(out, blocks[id][i]) {
				out = append(out, blocks[id][i])
			}
		}
	}
	return out
}

// TestSurface measures what tells planted errors from other items without reading: a logistic regression over surface
// features, trained on the batches of one half of the sources, ranks the items of the other half. CITELOOP_PLANTED=1 lists the
// planted errors.
func TestSurface(t *testing.T) {
	t.Parallel()
	if os.Getenv("CITELOOP_TEST_LONG") == "" {
		t.Skip("trains for seconds: set CITELOOP_TEST_LONG=1")
	}
	type source struct{ ID, Text string }
	blocks := map[string][]Passage{}
	var candidates [2]map[string][]Candidate // half -> source -> claims
	candidates[0], candidates[1] = map[string][]Candidate{}, map[string][]Candidate{}
	byID, trueOf := map[string]contrastClaim{}, map[string]string{}
	half := map[string]int{}
	for i, s := range readContrast[source](t, "sources.jsonl") {
		blocks[s.ID], half[s.ID] = blocksIn(s.ID, s.Text), i%2
	}
	claims := readContrast[contrastClaim](t, "claims.jsonl")
	for _, c := range claims {
		byID[c.ID] = c
	}
	for _, c := range claims {
		passages := cited(c, blocks)
		if len(passages) == 0 || len(c.SourceIDs) != 1 {
			continue
		}
		trueOf[c.Claim] = byID[c.Base].Claim
		id := c.SourceIDs[0]
		candidates[half[id]][id] = append(candidates[half[id]][id], Candidate{Key: c.ID, Claim: c.Claim, Passages: passages})
	}
	kinds, origin := map[string]int{}, map[string]int{}
	var rows [2][][]float64
	var labels [2][]bool
	for loop := range 40 {
		half := loop % 2
		r := seeded.New(fmt.Sprint("loop ", loop))
		var ids []string
		for id := range candidates[half] {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		seeded.Shuffle(r, ids)
		var of []Candidate
		size := 0
		for i, id := range ids { // two sources, and more where these are too short to test a reader with
			if i >= 2 && size > 8_000 {
				break
			}
			of = append(of, candidates[half][id]...)
			for _, b := range blocks[id] {
				size += len(b.Text)
			}
		}
		seeded.Shuffle(r, of)
		of = of[:min(len(of), 12+r.Intn(16))]
		if loop%4 < 2 {
			for i := range of[:len(of)/3] {
				of[i].Supported = byID[of[i].Key].Supported == 1
			}
		}
		items, err := Prepare(Request{Seed: fmt.Sprint(loop), Candidates: of, Blocks: func(id string) []Passage { return blocks[id] }})
		if err != nil {
			t.Errorf("loop %d: %v", loop, err)
			continue
		}
		for _, it := range items {
			rows[half] = append(rows[half], features(it))
			labels[half] = append(labels[half], it.Role == RolePlanted)
			if it.Role != RolePlanted {
				continue
			}
			kinds[it.Kind]++
			from := "texts"
			for _, c := range of {
				if c.Claim == it.Base {
					from = map[bool]string{true: "supported", false: "pending"}[c.Supported]
				}
			}
			origin[from]++
			if base := trueOf[it.Base]; base == it.Claim {
				t.Errorf("a twin is true: %s", it.Claim)
			}
			if os.Getenv("CITELOOP_PLANTED") != "" {
				t.Logf("%s, %s\n\t%s\n\t%s", it.Kind, from, it.Base, it.Claim)
			}
		}
	}
	t.Logf("kinds %v, made from %v", kinds, origin)
	for _, set := range []struct {
		name string
		n    int
		most float64
	}{
		{"of the sentence alone", ownFeatures, 0.65},
		{"with likeness to passages", ownFeatures + 3, 0.65},
		{"with numbers that no passage has", ownFeatures + 4, 1}, // which is part of what a reader is to see
	} {
		both := (auroc(rows[0], labels[0], rows[1], labels[1], set.n) + auroc(rows[1], labels[1], rows[0], labels[0], set.n)) / 2
		t.Logf("features %s: AUROC %.3f of %d items, mean of both directions", set.name, both, len(rows[0])+len(rows[1]))
		if both > set.most {
			t.Errorf("features %s: AUROC %.3f, at most %.2f", set.name, both, set.most)
		}
	}
}

const ownFeatures = 17

// features are those of the sentence alone, then its likeness to its passages.
func features(it Item) []float64 {
	text := it.Claim
	fields := strings.Fields(text)
	types := map[string]bool{}
	capitals := 0
	for _, w := range fields {
		types[strings.ToLower(w)] = true
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			capitals++
		}
	}
	count := func(f func(rune) bool) float64 {
		n := 0
		for _, r := range text {
			if f(r) {
				n++
			}
		}
		return float64(n)
	}
	is := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	n := float64(len([]rune(text)))
	out := []float64{n, float64(len(fields)), n / float64(len(fields)), count(unicode.IsDigit), is(strings.ContainsAny(text, "0123456789")),
		float64(len(figure.FindAllString(text, -1))), count(unicode.IsPunct), float64(strings.Count(text, ",")), float64(capitals) / float64(len(fields)),
		float64(len(types)) / float64(len(fields)), is(strings.HasSuffix(text, ".")), is(strings.ContainsAny(text, "“\"「„»")), count(unicode.IsUpper)}
	for _, language := range []string{"en", "de", "fr", "zh"} {
		out = append(out, is(words.Language(text) == language))
	}
	near := textOf(it.Passages)
	grams := func(size int) float64 {
		runes, found := []rune(strings.ToLower(text)), 0
		for i := range max(0, len(runes)-size) {
			found += int(is(strings.Contains(strings.ToLower(near), string(runes[i:i+size]))))
		}
		return float64(found) / math.Max(1, float64(len(runes)-size))
	}
	missing := 0.0
	for _, number := range figure.FindAllString(text, -1) {
		missing += is(!strings.Contains(near, number))
	}
	return append(out, grams(4), grams(12), float64(len(near)), missing)
}

// auroc trains a logistic regression over the first n features and returns how well it ranks the others.
func auroc(train [][]float64, trained []bool, test [][]float64, tested []bool, n int) float64 {
	mean, deviation := make([]float64, n), make([]float64, n)
	for j := range n {
		for _, x := range train {
			mean[j] += x[j] / float64(len(train))
		}
		for _, x := range train {
			deviation[j] += (x[j] - mean[j]) * (x[j] - mean[j]) / float64(len(train))
		}
		deviation[j] = math.Sqrt(deviation[j]) + 1e-9
	}
	weights := make([]float64, n+1)
	score := func(x []float64) float64 {
		s := weights[n]
		for j := range n {
			s += weights[j] * (x[j] - mean[j]) / deviation[j]
		}
		return s
	}
	for range 400 {
		step := make([]float64, n+1)
		for i, x := range train {
			e := 1 / (1 + math.Exp(-score(x)))
			if trained[i] {
				e--
			}
			for j := range n {
				step[j] += e * (x[j] - mean[j]) / deviation[j]
			}
			step[n] += e
		}
		for j := range weights {
			weights[j] -= 0.5*step[j]/float64(len(train)) + 0.005*weights[j]
		}
	}
	better, pairs := 0.0, 0.0
	for i, x := range test {
		for j, y := range test {
			if tested[i] && !tested[j] {
				pairs++
				switch a, b := score(x), score(y); {
				case a > b:
					better++
				case a == b:
					better += 0.5
				}
			}
		}
	}
	return better / pairs
}
