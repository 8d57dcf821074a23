package contrast

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
)

// Source is a text that claims are about.
type Source struct {
	ID    string `json:"id"`
	Lang  string `json:"lang"`
	Title string `json:"title"`
	Site  string `json:"site"`
	URL   string `json:"url"`
	Text  string `json:"text"`
}

// Claim is a sentence with its label.
type Claim struct {
	ID        string   `json:"id"`
	Lang      string   `json:"lang"` // "x" if the claim is in another language than its source
	Claim     string   `json:"claim"`
	SourceIDs []string `json:"source_ids"`
	Supported int      `json:"supported"` // 1 if the text states it, 0 otherwise
	Kind      string   `json:"kind"`
	Base      string   `json:"base"`     // id of the true claim that this false one edits
	Evidence  string   `json:"evidence"` // the words of the text that decide
}

// Set has texts, and claims about them.
type Set struct {
	Sources []Source
	Claims  []Claim
}

// Load reads sources.jsonl and a file of claims about them.
func Load(dir fs.FS, claims string) (Set, error) {
	var s Set
	var err error
	if s.Sources, err = readFile[Source](dir, "sources.jsonl"); err != nil {
		return s, err
	}
	s.Claims, err = readFile[Claim](dir, claims)
	return s, err
}

func readFile[T any](dir fs.FS, name string) ([]T, error) {
	data, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	rows, err := ReadLines[T](bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// ReadLines reads JSON lines and skips empty ones.
func ReadLines[T any](r io.Reader) ([]T, error) {
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

// Texts returns the text of each source by id.
func (s Set) Texts() map[string]string {
	texts := map[string]string{}
	for _, src := range s.Sources {
		texts[src.ID] = src.Text
	}
	return texts
}
