package report

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// understood has the fields of a source that another program reads.
type understood struct {
	Type, Title string
	Author      []string
	Year, Month int
	DOI, URL    string
}

// meant returns the sources of a document in the form that another program should read.
func meant(t *testing.T, d Document) []understood {
	t.Helper()
	var items []struct {
		Type, Title, DOI, URL string
		Author                []struct{ Family, Given, Literal string }
		Issued                *struct {
			DateParts [][]int `json:"date-parts"`
		}
	}
	if err := json.Unmarshal(render(t, CSLJSON, d), &items); err != nil {
		t.Fatal(err)
	}
	var out []understood
	for _, item := range items {
		u := understood{Type: item.Type, Title: item.Title, Author: []string{}, DOI: item.DOI, URL: item.URL}
		for _, n := range item.Author {
			u.Author = append(u.Author, strings.TrimSuffix(n.Literal+n.Family+", "+n.Given, ", "))
		}
		if item.Issued != nil {
			parts := append(item.Issued.DateParts[0], 0)
			u.Year, u.Month = parts[0], parts[1]
		}
		out = append(out, u)
	}
	return out
}

// Citation.js reads BibTeX, CSL-JSON and RIS, and citeproc writes references from each (.ci/npm).
func TestCitationJSReadsTheBibliographies(t *testing.T) {
	folder := os.Getenv("CITELOOP_TEST_CITATIONJS")
	if folder == "" {
		t.Skip("CITELOOP_TEST_CITATIONJS does not name the folder in which npm installed Citation.js (.ci/npm does)")
	}
	preprint := english(t)
	preprint.Sources = []Source{{Number: 1, Source: loopstate.Source{ID: "S1", Key: "arxiv:2005.11401",
		URL: "https://arxiv.org/abs/2005.11401", Title: "Retrieval & generation: 100 % of {it}",
		Authors: []string{"Ludwig van Beethoven", "World Health Organization", "Núñez-O’Neill, Álvaro"}, PublishedAt: "2020-05-22"}}}
	for name, d := range map[string]Document{"english": english(t), "chinese": chinese(t), "hostile": hostile(t), "preprint": preprint} {
		for _, format := range []string{BibTeX, CSLJSON, RIS} {
			t.Run(name+"/"+format, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "sources"+Extension(format))
				if err := os.WriteFile(file, render(t, format, d), 0o600); err != nil {
					t.Fatal(err)
				}
				var out, said bytes.Buffer
				cmd := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "citations.cjs"), folder, file)
				cmd.Stdout, cmd.Stderr = &out, &said
				if err := cmd.Run(); err != nil {
					t.Fatalf("%v\n%s", err, said.String())
				}
				var got []understood
				for dec := json.NewDecoder(&out); dec.More(); {
					var u understood
					if err := dec.Decode(&u); err != nil {
						t.Fatal(err)
					}
					got = append(got, u)
				}
				want := meant(t, d)
				if name == "preprint" { // each format has its own word for one
					want[0].Type = got[0].Type
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("wrong sources (-want +got):\n%s", diff)
				}
			})
		}
	}
}
