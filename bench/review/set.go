package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

// source and claim have the columns that bench/contrast/README.md describes; those that are not needed are left out.
type source struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Site  string `json:"site"`
	URL   string `json:"url"`
	Text  string `json:"text"`
}

type claim struct {
	ID        string   `json:"id"`
	Lang      string   `json:"lang"`
	Claim     string   `json:"claim"`
	SourceIDs []string `json:"source_ids"`
	Supported int      `json:"supported"` // 1 if the text says it, 0 otherwise
	Kind      string   `json:"kind"`
	Base      string   `json:"base"` // id of the true claim that this false one edits
}

// set is a contrast set with its texts by id.
type set struct {
	sources []source
	claims  []claim
	texts   map[string]string
}

func loadSet(dir string) (set, error) {
	s := set{texts: map[string]string{}}
	if err := readLines(filepath.Join(dir, "sources.jsonl"), &s.sources); err != nil {
		return s, err
	}
	for _, src := range s.sources {
		s.texts[src.ID] = src.Text
	}
	return s, readLines(filepath.Join(dir, "claims.jsonl"), &s.claims)
}

func readLines[T any](name string, rows *[]T) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		var row T
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		*rows = append(*rows, row)
	}
	return nil
}

// checker compares claims with the texts of the set, as citeloop verify does.
func (s set) checker() *grounding.Checker {
	var texts []grounding.Source
	for _, src := range s.sources {
		texts = append(texts, grounding.Source{ID: src.ID, URL: src.URL, Title: src.Title, Publisher: src.Site, Text: src.Text})
	}
	return grounding.NewChecker(texts)
}

// byWording is the status of each claim by key 1.
func (s set) byWording(checker *grounding.Checker) map[string]string {
	statuses := map[string]string{}
	for _, c := range s.claims {
		asked := grounding.Claim{Text: c.Claim}
		for _, id := range c.SourceIDs {
			asked.Citations = append(asked.Citations, grounding.Citation{SourceID: id})
		}
		statuses[c.ID] = string(checker.Check(asked).Status)
	}
	return statuses
}

// grounded reports whether a status is the one that needs no reader.
func grounded(status string) bool { return status == loopstate.Grounded }
