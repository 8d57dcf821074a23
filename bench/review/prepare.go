package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/grounding/review"
	"github.com/citeloop/citeloop/loopstate"
)

// seed determines the random choices of batches. It is fixed, so that the same set gives the same batches.
const seed = "bench"

// key is hidden from readers: the role of each item, and the result of the wording check.
type key struct {
	Seed      string            `json:"seed"`
	ByWording map[string]string `json:"by_wording"` // claim id -> status by key 1
	Batches   []batchKey        `json:"batches"`
}

// batchKey describes one batch. The items' keys are claim ids.
type batchKey struct {
	Batch  string                 `json:"batch"`
	Claims []string               `json:"claims"` // all of its claims, including grounded ones that are not items
	Items  []loopstate.ReviewItem `json:"items"`
}

// sheet is everything that a reader sees of a batch.
type sheet struct {
	Batch string      `json:"batch"`
	Items []sheetItem `json:"items"`
}

type sheetItem struct {
	Item     string         `json:"item"`
	Claim    string         `json:"claim"`
	Passages []sheetPassage `json:"passages"`
}

type sheetPassage struct {
	ID      string `json:"id"`
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`

	as       string // "as in R01-2" for a passage that an earlier item has
	repeated bool
}

// MarshalJSON writes a passage that an earlier item has as its id and the name of that item.
func (p sheetPassage) MarshalJSON() ([]byte, error) {
	type plain sheetPassage
	if p.repeated {
		p.Heading, p.Text = "", p.as
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	err := lines.Encode(plain(p))
	return out.Bytes(), err
}

// prepare makes the batches of a set.
func prepare(s set) (key, error) { return prepareFrom(s, seed) }

func prepareFrom(s set, seed string) (key, error) {
	checker := s.checker()
	k := key{Seed: seed, ByWording: s.byWording(checker)}
	texts := review.NewTexts(checker, func(id string) string { return s.texts[id] })
	var before []string              // planted errors and controls of earlier batches
	var supported []review.Candidate // by the readers of earlier batches, if their answers match the labels
	families := map[string]string{}  // of their keys
	for i, group := range s.groups(k.ByWording) {
		b := batchKey{Batch: fmt.Sprintf("R%02d", i+1)}
		var candidates []review.Candidate
		for _, c := range group {
			b.Claims = append(b.Claims, c.ID)
			candidates = append(candidates, review.Candidate{Key: c.ID, Claim: c.Claim, SourceIDs: c.SourceIDs, Grounded: grounded(k.ByWording[c.ID])})
		}
		for _, c := range supported {
			if !slices.ContainsFunc(group, func(own claim) bool { return family(own) == families[c.Key] }) {
				candidates = append(candidates, c)
			}
		}
		items, err := review.Prepare(seed+"/"+b.Batch, candidates, texts, before)
		if err != nil {
			return k, fmt.Errorf("batch %s: %w", b.Batch, err)
		}
		shown := map[string]review.Item{}
		for n, it := range items {
			b.Items = append(b.Items, citing.ReviewItem(fmt.Sprintf("%s-%d", b.Batch, n+1), it))
			shown[it.Key] = it
			if it.Key == "" {
				before = append(before, it.Claim, it.Base)
			}
		}
		k.Batches = append(k.Batches, b)
		for _, c := range group {
			if c.Supported == 1 && k.ByWording[c.ID] == loopstate.Inferred && hasEvidence(shown[c.ID], c.Evidence) {
				supported = append(supported, review.Candidate{Key: c.ID, Claim: c.Claim, SourceIDs: c.SourceIDs, Supported: true})
				families[c.ID] = family(c)
			}
		}
	}
	return k, nil
}

// hasEvidence reports whether the passages of an item have all decisive words, so that a careful reader supports it.
func hasEvidence(it review.Item, evidence string) bool {
	var text strings.Builder
	for _, p := range it.Passages {
		text.WriteString(p.Text + "\n")
	}
	shown := strings.Join(strings.Fields(text.String()), " ")
	for fragment := range strings.SplitSeq(evidence, "[...]") {
		if !strings.Contains(shown, strings.Join(strings.Fields(fragment), " ")) {
			return false
		}
	}
	return true
}

// groups divides the claims into batches, in the order of their texts. A true claim and the false ones made from it go
// to different halves of the batches as far as possible: in one batch they would reveal the answer.
func (s set) groups(byWording map[string]string) [][]claim {
	halves := [2][]claim{}
	turn := 0
	for _, src := range s.Sources {
		var families []string
		members := map[string][]claim{}
		for _, c := range s.Claims {
			if len(c.SourceIDs) == 0 || c.SourceIDs[0] != src.ID {
				continue
			}
			of := family(c)
			if members[of] == nil {
				families = append(families, of)
			}
			members[of] = append(members[of], c)
		}
		for _, family := range families {
			for i, c := range members[family] {
				half := (turn + i) % 2
				halves[half] = append(halves[half], c)
			}
			turn++
		}
	}
	var groups [][]claim
	for _, half := range halves {
		groups = append(groups, divide(half, byWording)...)
	}
	return groups
}

// divide deals a list out to pieces with about equally many pending claims, review.MaxPendingNow at most. A batch has claims
// about many texts, as that of a report does.
func divide(claims []claim, byWording map[string]string) [][]claim {
	pending := 0
	for _, c := range claims {
		if !grounded(byWording[c.ID]) {
			pending++
		}
	}
	out := make([][]claim, (pending+review.MaxPendingNow-1)/review.MaxPendingNow)
	turn := 0
	for _, c := range claims {
		out[turn] = append(out[turn], c)
		if !grounded(byWording[c.ID]) {
			turn = (turn + 1) % len(out)
		}
	}
	return out
}

// sheet returns the batch as its reader sees it.
func (b batchKey) sheet(s set) sheet {
	out := sheet{Batch: b.Batch}
	sharing := review.Sharing{}
	for _, it := range b.Items {
		item := sheetItem{Item: it.Item, Claim: it.Claim, Passages: []sheetPassage{}}
		for _, p := range s.passages(it) {
			id, text, repeated := sharing.Give(it.Item, p)
			item.Passages = append(item.Passages, sheetPassage{id, p.Heading, p.Text, text, repeated})
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// chars counts what the reader of a batch gets: the claims, and each passage once.
func (b batchKey) chars(s set) int {
	n := 0
	for _, it := range b.sheet(s).Items {
		n += utf8.RuneCountInString(it.Claim)
		for _, p := range it.Passages {
			if !p.repeated {
				n += utf8.RuneCountInString(p.Heading) + utf8.RuneCountInString(p.Text)
			}
		}
	}
	return n
}

// passages reads an item's windows from the texts.
func (s set) passages(it loopstate.ReviewItem) []review.Passage {
	var out []review.Passage
	for _, w := range it.Passages {
		text := []rune(s.texts[w.SourceID])
		end := min(w.End, len(text))
		out = append(out, review.Passage{SourceID: w.SourceID, Start: w.Start, End: w.End, Heading: w.Heading, Text: string(text[min(w.Start, end):end])})
	}
	return out
}

// write puts one file a batch, batch-01.json and so on, and key.json into a folder.
func (k key) write(s set, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, b := range k.Batches {
		if err := writeJSON(filepath.Join(dir, "batch-"+strings.TrimPrefix(b.Batch, "R")+".json"), b.sheet(s)); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(dir, "key.json"), k)
}

func writeJSON(name string, v any) error {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false) // readers copy their quotes from the file
	lines.SetIndent("", " ")
	if err := lines.Encode(v); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}
