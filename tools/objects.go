package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools/arguments"
)

// gapArg is a gap as a host writes it: a string, or an object with details.
type gapArg struct {
	Gap string `json:"gap"`

	Kind string `json:"kind,omitempty" enum:"question,modality,unverified-claim,unread-source,missing-counterarg,unresolved-contradiction"`

	Query       string   `json:"query,omitempty" jsonschema:"a search for it"`
	Priority    *float64 `json:"priority,omitempty" jsonschema:"higher first"`
	Material    *bool    `json:"material,omitempty" jsonschema:"would change a claim"`
	Importance  string   `json:"importance,omitempty" enum:"critical,important,minor"`
	SourceTypes []string `json:"source_types,omitempty" enum:"peer,primary,press,practitioner"`
	Questions   []string `json:"questions,omitempty"`
	Where       string   `json:"where,omitempty" jsonschema:"of a critic: S1:120"`
}

func (g *gapArg) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &g.Gap)
	}
	type plain gapArg
	return json.Unmarshal(data, (*plain)(g))
}

func (g gapArg) input() loopstate.GapInput { return loopstate.GapInput(g) }

// evidenceArg is a hit as run_channel returns it. Unknown fields are ignored, so that hits of other search tools can be
// passed on unchanged.
type evidenceArg struct {
	Title       string    `json:"title,omitempty"`
	URL         string    `json:"url,omitempty"`
	Snippet     string    `json:"snippet,omitempty"`
	Source      string    `json:"source,omitempty"`
	SourceType  string    `json:"source_type,omitempty"`
	PublishedAt string    `json:"published_at,omitempty"`
	Authors     []string  `json:"authors,omitempty"`
	DOI         string    `json:"doi,omitempty"`
	Language    string    `json:"language,omitempty"`
	Score       looseReal `json:"score,omitempty"`
}

// looseReal is a number that is ignored if it is invalid.
type looseReal float64

func (r *looseReal) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if err == nil {
		*r = looseReal(f)
	}
	return nil
}

func (e evidenceArg) evidence() loopstate.Evidence {
	return loopstate.Evidence{Title: e.Title, URL: e.URL, Snippet: e.Snippet, Source: e.Source, SourceType: e.SourceType,
		PublishedAt: e.PublishedAt,
		Authors:     e.Authors, DOI: e.DOI, Score: float64(e.Score), Language: e.Language}
}

// confidenceArg is high, med or low, or a number that is mapped to one of them.
type confidenceArg string

func (c *confidenceArg) UnmarshalJSON(data []byte) error {
	word := strings.ToLower(strings.Trim(string(data), `"`))
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		switch {
		case f >= 0.8:
			word = "high"
		case f >= 0.5:
			word = "med"
		default:
			word = "low"
		}
	}
	if word == "medium" {
		word = "med"
	}
	*c = confidenceArg(word)
	return nil
}

// abortArg is the user's reason to abort, or true.
type abortArg string

func (a *abortArg) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true":
		*a = "by the user"
		return nil
	case "false":
		return nil
	}
	var reason string
	if err := json.Unmarshal(data, &reason); err != nil {
		return err
	}
	*a = abortArg(reason)
	return nil
}

func gapTexts(gaps []loopstate.Gap) []string {
	return each(gaps, func(g loopstate.Gap) string { return g.Gap })
}

// each converts the items of a list. The list of none is nil.
func each[T, U any](items []T, convert func(T) U) (out []U) {
	for _, item := range items {
		out = append(out, convert(item))
	}
	return out
}

// plainIDs returns source ids that may be written as in a text, "[S1:3]", as S1:3.
func plainIDs(written []string) []string {
	var ids []string
	for _, ref := range written {
		ids = append(ids, draft.IDs(ref)...)
	}
	return ids
}

// withoutLines returns source ids, each once, without the lines that a citation may carry: "S1" for "S1:120-128".
func withoutLines(references []string) []string {
	var ids []string
	for _, ref := range plainIDs(references) {
		id, _, _ := strings.Cut(ref, ":")
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// clamp returns a number of an argument, at most its maximum. It adds a remark where the argument is above it.
func clamp(argument string, n, most int, remarks *[]string) int {
	if n > most {
		*remarks = append(*remarks, fmt.Sprintf("%s: %d is above the maximum; %d is used", argument, n, most))
	}
	return min(n, most)
}

// maxQueries bounds the queries of one call.
const maxQueries = 8

// severalQueries returns the queries of a call, each once.
func severalQueries(first string, further []string) ([]string, error) {
	out := []string{first}
	for _, query := range further {
		if !slices.Contains(out, query) {
			out = append(out, query)
		}
	}
	if len(out) > maxQueries {
		return nil, &wording.Mistake{Argument: "queries", Problem: fmt.Sprintf("too many: %d", len(out)),
			Remedy: fmt.Sprintf("ask at most %d in one call", maxQueries)}
	}
	return out, nil
}

// unionSchemas are the schemas of the types above that accept several JSON types.
func unionSchemas() (arguments.Types, error) {
	type plainGap gapArg
	text := &jsonschema.Schema{Type: "string"}
	all := arguments.Types{
		reflect.TypeFor[looseReal]():     {Type: "number"},
		reflect.TypeFor[confidenceArg](): {Type: "string", Description: "high, med or low"},
		reflect.TypeFor[abortArg]():      {AnyOf: []*jsonschema.Schema{text, {Type: "boolean"}}},
	}
	gap, err := arguments.Of[plainGap](nil)
	if err != nil {
		return nil, err
	}
	all[reflect.TypeFor[gapArg]()] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, gap}}
	evidence, err := arguments.Of[evidenceArg](all)
	if err != nil {
		return nil, err
	}
	arguments.Drop(evidence, "score")   // accepted, but nobody has to give it
	evidence.AdditionalProperties = nil // open: see evidenceArg
	evidence.Required = nil             // an item without a title is rejected alone, not with the whole call
	all[reflect.TypeFor[evidenceArg]()] = evidence
	return all, nil
}
