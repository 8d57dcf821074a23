package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

//go:embed sources.jsonl claims.jsonl
var embedded embed.FS

// trueKinds and falseKinds are all values of the column kind.
var (
	trueKinds = []string{"near", "paraphrase", "number_form", "attribution", "multi", "summary", "denial"}
	// falseKinds are named as the differences in docs/verdicts.md.
	falseKinds = []string{"number", "unit", "rate", "negation", "direction", "quantifier", "certainty", "ordinal",
		"name", "role", "binding", "speaker", "time", "condition", "myth"}
)

// evidenceGap joins several spans of a text in the column evidence.
const evidenceGap = " [...] "

type source struct {
	ID    string `json:"id"`
	Lang  string `json:"lang"`
	Title string `json:"title"`
	Site  string `json:"site"`
	URL   string `json:"url"`
	Text  string `json:"text"`
}

type claim struct {
	ID        string   `json:"id"`
	Lang      string   `json:"lang"` // "x" if the claim is in another language than its source
	Claim     string   `json:"claim"`
	SourceIDs []string `json:"source_ids"`
	Supported int      `json:"supported"` // 1 if the text says it, 0 otherwise
	Kind      string   `json:"kind"`
	Base      string   `json:"base"`     // id of the true claim that this false one edits
	Evidence  string   `json:"evidence"` // the words of the text that decide
}

// set is a contrast set: texts, and claims about them.
type set struct {
	sources []source
	claims  []claim
}

func loadSet(dir fs.FS) (set, error) {
	var s set
	var err error
	if s.sources, err = readFile[source](dir, "sources.jsonl"); err != nil {
		return s, err
	}
	s.claims, err = readFile[claim](dir, "claims.jsonl")
	return s, err
}

func readFile[T any](dir fs.FS, name string) ([]T, error) {
	data, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	rows, err := readLines[T](bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// readLines reads JSON lines and skips empty ones.
func readLines[T any](r io.Reader) ([]T, error) {
	var rows []T
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}

// texts returns the text of each source by id.
func (s set) texts() map[string]string {
	texts := map[string]string{}
	for _, src := range s.sources {
		texts[src.ID] = src.Text
	}
	return texts
}

// validate reports everything that is wrong with the set.
func (s set) validate() error {
	var problems []error
	report := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	texts := s.texts()
	if len(texts) != len(s.sources) {
		report("duplicate source id")
	}
	byID := map[string]claim{}
	for _, c := range s.claims {
		if _, ok := byID[c.ID]; ok {
			report("duplicate claim id: %s", c.ID)
		}
		byID[c.ID] = c
	}
	balance, wording := map[string]int{}, map[string]string{}
	for _, c := range s.claims {
		if len(c.SourceIDs) != 1 {
			report("%s: %d sources, want 1", c.ID, len(c.SourceIDs))
			continue
		}
		id := c.SourceIDs[0]
		text, ok := texts[id]
		if !ok {
			report("%s: unknown source: %s", c.ID, id)
		}
		if other, ok := wording[id+c.Claim]; ok {
			report("%s: same wording as %s", c.ID, other)
		}
		wording[id+c.Claim] = c.ID
		if c.Evidence == "" {
			report("%s: evidence is empty", c.ID)
		}
		for _, span := range strings.Split(c.Evidence, evidenceGap) {
			if !strings.Contains(text, span) {
				report("%s: evidence is not in the text: %q", c.ID, span)
			}
		}
		switch c.Supported {
		case 1:
			balance[id]++
			if !slices.Contains(trueKinds, c.Kind) {
				report("%s: unknown kind of a true claim: %s", c.ID, c.Kind)
			}
			if c.Base != "" {
				report("%s: a true claim has a base: %s", c.ID, c.Base)
			}
		case 0:
			balance[id]--
			if !slices.Contains(falseKinds, c.Kind) {
				report("%s: unknown kind of a false claim: %s", c.ID, c.Kind)
			}
			base, ok := byID[c.Base]
			if !ok || base.Supported != 1 || !slices.Equal(base.SourceIDs, c.SourceIDs) || base.Lang != c.Lang {
				report("%s: base is not a true claim about the same text in the same language: %q", c.ID, c.Base)
			}
		default:
			report("%s: supported is %d, want 0 or 1", c.ID, c.Supported)
		}
	}
	for _, src := range s.sources {
		if balance[src.ID] != 0 {
			report("%s: true claims minus false claims is %d, want 0", src.ID, balance[src.ID])
		}
	}
	return errors.Join(problems...)
}
