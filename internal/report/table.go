package report

import (
	"bytes"
	"encoding/csv"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Row is a row of the evidence table: what one recorded claim says of one of its sources.
type Row struct {
	SourceID  string   `json:"source_id"`
	Title     string   `json:"title"`
	ClaimID   string   `json:"claim_id"`
	Claim     string   `json:"claim"`
	Lines     string   `json:"lines"`           // "S1:120-128"; the id alone without lines
	Verdict   string   `json:"verdict"`         // of the last check, in words
	Published string   `json:"published"`       // "" if unknown
	Flags     []string `json:"flags,omitempty"` // of the source
}

// Evidence makes the evidence table of a loop: source by source, what the recorded claims say that cite it.
func Evidence(st *loopstate.State) (rows []Row) {
	order := map[string]int{} // of first citation
	for _, c := range st.CurrentClaims() {
		for _, id := range c.SourceIDs {
			if _, ok := order[id]; !ok {
				order[id] = len(order)
			}
			rows = append(rows, rowOf(st, c, id))
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return order[a.SourceID] - order[b.SourceID] })
	return rows
}

func rowOf(st *loopstate.State, c loopstate.Claim, id string) Row {
	src, _ := st.SourceByID(id)
	title := src.Title
	if strings.HasPrefix(title, "file:") { // reports go to other people, whom the user's folders do not concern
		title = path.Base(title)
	}
	row := Row{SourceID: id, Title: sanitize.Line(title), ClaimID: c.ID, Claim: c.Claim, Verdict: Unchecked.Verdict().Word, Lines: id,
		Published: src.PublishedAt}
	references := c.References()
	if check := c.Check; check != nil {
		s := Sentence{Status: check.Status, Basis: check.Basis, Flags: check.Flags}
		if slices.Contains(s.Flags, uncited) {
			s.Status = uncited
		}
		if check.Reviewed != "" {
			s.Reading = &loopstate.Reading{Answer: loopstate.AnswerNotStated}
		}
		row.Verdict = s.State().Verdict().Word
		if check.Lines != "" {
			references = strings.Split(check.Lines, "; ")
		}
	}
	references = slices.DeleteFunc(slices.Clone(references), func(ref string) bool { return ref != id && !strings.HasPrefix(ref, id+":") })
	if len(references) > 0 {
		row.Lines = strings.Join(references, "; ")
	}
	if src.Standing.Retracts() {
		row.Flags = append(row.Flags, src.Standing.Flag())
	}
	return row
}

// cells returns the table as texts on one line each, with its header, each escaped.
func cells(rows []Row, escape func(string) string) [][]string {
	out := [][]string{{"source", "title", "claim id", "claim", "lines", "verdict", "published", "flags"}}
	for _, r := range rows {
		line := []string{r.SourceID, r.Title, r.ClaimID, r.Claim, r.Lines, r.Verdict, r.Published, strings.Join(r.Flags, "; ")}
		for i, text := range line {
			line[i] = escape(sanitize.Line(text))
		}
		out = append(out, line)
	}
	return out
}

func renderCSV(d Document) ([]byte, error) {
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(cells(d.Table, sanitize.CSV))
	return b.Bytes(), err
}

func renderTable(d Document) ([]byte, error) {
	b := bytes.NewBufferString("# " + md(heading(d)) + "\n\n")
	for i, line := range cells(d.Table, sanitize.Markdown) {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(line)) + "|\n")
		}
	}
	return b.Bytes(), nil
}
