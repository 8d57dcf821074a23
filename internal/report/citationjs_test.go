package report

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/report/bibliography"
	"github.com/citeloop/citeloop/loopstate"
)

// Citation.js, which is not ours, understands our BibTeX, CSL-JSON and RIS, and citeproc writes references from each (.ci/npm).
func TestCitationJSReadsTheBibliographies(t *testing.T) {
	folder := os.Getenv("CITELOOP_TEST_CITATIONJS")
	if folder == "" {
		t.Skip("CITELOOP_TEST_CITATIONJS does not name the folder in which npm installed Citation.js (.ci/npm does)")
	}
	preprint := english(t)
	preprint.Sources = []Source{{Number: 1, Source: loopstate.Source{ID: "S1", Key: "arxiv:2005.11401",
		URL: "https://arxiv.org/abs/2005.11401", Title: "Retrieval & generation: 100 % of {it}",
		Authors: []string{"Ludwig van Beethoven", "World Health Organization", "Núñez-O’Neill, Álvaro"}, PublishedAt: "2020-05-22"}}}
	args := []string{filepath.Join("testdata", "citations.cjs"), folder}
	var want []string
	for name, d := range map[string]Document{"english": english(t), "chinese": chinese(t), "hostile": hostile(t), "preprint": preprint} {
		for _, format := range []string{BibTeX, CSLJSON, RIS} {
			file := filepath.Join(t.TempDir(), name+Extension(format))
			if err := os.WriteFile(file, render(t, format, d), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
			for _, item := range items(d) {
				want = append(want, understood(item, format))
			}
			want = append(want, "")
		}
	}
	out, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := gocmp.Diff(want, strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// understood is what another program should read of an item.
func understood(item bibliography.Item, format string) string {
	var people []string
	for _, n := range item.Author {
		people = append(people, strings.TrimSuffix(n.Literal+n.Family+", "+n.Given, ", "))
	}
	year, month, _ := strings.Cut(string(item.Issued), "-")
	month, _, _ = strings.Cut(month, "-")
	if item.Type == bibliography.Preprint { // each format has its own word for one
		item.Type = map[string]string{CSLJSON: "article", BibTeX: "webpage", RIS: "manuscript"}[format]
	}
	return fmt.Sprint(item.Type, " | ", item.Title, " | ", strings.Join(people, "; "), " | ", cmp.Or(year, "0"), " | ",
		cmp.Or(strings.TrimLeft(month, "0"), "0"), " | ", item.DOI, " | ", item.URL)
}
