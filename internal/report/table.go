package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// Row is a row of the evidence table: what one recorded claim says of one of its sources.
type Row struct {
	SourceID  string   `json:"source_id"`
	Title     string   `json:"title"`
	ClaimID   string   `json:"claim_id"`
	Claim     string   `json:"claim"`
	Lines     string   `json:"lines"`                  // "S1:120-128"; the id alone without lines
	Verdict   string   `json:"verdict"`                // of the last check, in words
	Published string   `json:"published"`              // "" if unknown
	Differs   []string `json:"differs_from,omitempty"` // ids of claims on the source with another number for the same quantity
	Flags     []string `json:"flags,omitempty"`        // of the source
}

// Evidence makes the evidence table of a loop: source by source, what the recorded claims say that cite it.
func Evidence(st *loopstate.State) []Row {
	var order []string
	of := map[string][]Row{}
	for _, c := range st.CurrentClaims() {
		references := c.References()
		if c.Check != nil && c.Check.Lines != "" {
			references = strings.Split(c.Check.Lines, "; ")
		}
		for _, id := range c.SourceIDs {
			if of[id] == nil {
				order = append(order, id)
			}
			of[id] = append(of[id], rowOf(st, c, id, references))
		}
	}
	var rows []Row
	for _, id := range order {
		compare(of[id])
		rows = append(rows, of[id]...)
	}
	return rows
}

func rowOf(st *loopstate.State, c loopstate.Claim, id string, references []string) Row {
	src, _ := st.SourceByID(id)
	title := src.Title
	if strings.HasPrefix(title, "file:") { // reports go to other people, whom the user's folders do not concern
		title = path.Base(title)
	}
	row := Row{SourceID: id, Title: sanitize.Line(title), ClaimID: c.ID, Claim: c.Claim, Verdict: "not checked", Published: src.PublishedAt}
	if c.Check != nil {
		row.Verdict = cmp.Or(VerdictOf(c).Word, row.Verdict)
	}
	references = slices.DeleteFunc(slices.Clone(references), func(ref string) bool { return ref != id && !strings.HasPrefix(ref, id+":") })
	row.Lines = cmp.Or(strings.Join(references, "; "), id)
	if src.Standing.Retracts() {
		row.Flags = append(row.Flags, src.Standing.Flag())
	}
	return row
}

// compare finds the claims that state another value of a quantity, and not also the same one.
func compare(rows []Row) {
	said := make([][]quantity.Quantity, len(rows))
	for i, r := range rows {
		said[i] = quantity.Read(words.Language(r.Claim), r.Claim)
	}
	for i := range rows {
		for j := range rows {
			if i != j && differ(said[i], said[j]) {
				rows[i].Differs = append(rows[i].Differs, rows[j].ClaimID)
			}
		}
	}
}

func differ(a, b []quantity.Quantity) (found bool) {
	for _, x := range a {
		for _, y := range b {
			if x.SameValue(y) || y.SameValue(x) {
				return false
			}
			found = found || x.Differs(y)
		}
	}
	return found
}

// cells returns the table as texts on one line each, with its header.
func cells(rows []Row) [][]string {
	out := [][]string{{"source", "title", "claim id", "claim", "lines", "verdict", "published", "differs from", "flags"}}
	for _, r := range rows {
		line := []string{r.SourceID, r.Title, r.ClaimID, r.Claim, r.Lines, r.Verdict, r.Published, strings.Join(r.Differs, "; "),
			strings.Join(r.Flags, "; ")}
		for i := range line {
			line[i] = sanitize.Line(line[i])
		}
		out = append(out, line)
	}
	return out
}

func renderCSV(d Document) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, line := range cells(d.Table) {
		for i, text := range line {
			line[i] = sanitize.CSV(text)
		}
		_ = w.Write(line) // a buffer refuses nothing
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func renderTable(d Document) ([]byte, error) {
	b := bytes.NewBufferString("# " + md(heading(d)) + "\n\n")
	for i, line := range cells(d.Table) {
		for j, text := range line {
			line[j] = sanitize.Markdown(text)
		}
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(line)) + "|\n")
		}
	}
	return b.Bytes(), nil
}
