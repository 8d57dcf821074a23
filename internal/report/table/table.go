// Package table makes the table of a comparison: what each claim of a loop says of a subject in a field, with its lines and its
// verdict.
package table

import (
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// Table has a row for each subject, and for each source of claims that name no subject; a column for each field.
type Table struct {
	Fields []string `json:"fields"`
	Rows   []Row    `json:"rows"`
}

// Row is a row of the table.
type Row struct {
	Name  string    `json:"name"`
	Cells [][]Entry `json:"cells"` // one for each field; empty where no claim says it
}

// Entry is what one claim says in a cell.
type Entry struct {
	ClaimID string   `json:"claim_id"`
	Claim   string   `json:"claim"`
	Value   string   `json:"value"`
	Lines   string   `json:"lines"`                  // "S1:120-128"
	Status  string   `json:"status"`                 // the verdict of the last check; empty if there was none
	Sources []string `json:"sources"`                // their titles
	Dated   []string `json:"dated"`                  // when the sources were published; "" if unknown
	Differs []string `json:"differs_from,omitempty"` // ids of claims with another number
	Flags   []string `json:"flags,omitempty"`        // "S1 retracted: 2014-03-01, …"
}

// Of makes the evidence table of a loop: for each source what the recorded claims say that cite it. It is nil without claims.
func Of(st *loopstate.State) *Table {
	at := map[string][]Entry{}
	var rows []string
	for _, claim := range st.CurrentClaims() {
		for row, entry := range entries(st, claim) {
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
			at[row] = append(at[row], entry)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	t := Table{Fields: []string{"Claims"}}
	for _, name := range rows {
		compare(at[name])
		t.Rows = append(t.Rows, Row{Name: name, Cells: [][]Entry{at[name]}})
	}
	return &t
}

// entries yields what a claim puts into the row of each of its sources.
func entries(st *loopstate.State, claim loopstate.Claim) func(yield func(string, Entry) bool) {
	return func(yield func(string, Entry) bool) {
		e := Entry{ClaimID: claim.ID, Claim: claim.Claim, Value: claim.Claim}
		references := claim.References()
		if claim.Check != nil {
			e.Status = claim.Check.Status
			if claim.Check.Lines != "" {
				references = strings.Split(claim.Check.Lines, "; ")
			}
		}
		for _, id := range claim.SourceIDs {
			own := e
			own.add(st, references, id)
			if !yield(strings.TrimSpace(id+" "+own.Sources[0]), own) {
				return
			}
		}
	}
}

// add adds sources with the references that lead to them.
func (e *Entry) add(st *loopstate.State, references []string, ids ...string) {
	var lines []string
	for _, id := range ids {
		src, _ := st.SourceByID(id)
		title := src.Title
		if strings.HasPrefix(title, "file:") { // reports go to other people, whom the user's folders do not concern
			title = path.Base(title)
		}
		e.Sources, e.Dated = append(e.Sources, sanitize.Line(title)), append(e.Dated, src.PublishedAt)
		if src.Standing.Retracts() {
			e.Flags = append(e.Flags, id+" "+src.Standing.Flag())
		}
		of := func(ref string) bool { return ref == id || strings.HasPrefix(ref, id+":") }
		if i := slices.IndexFunc(references, of); i < 0 {
			lines = append(lines, id)
		}
		for _, ref := range references {
			if of(ref) {
				lines = append(lines, ref)
			}
		}
	}
	e.Lines = strings.Join(lines, "; ")
}

// compare marks the entries of a cell whose numbers differ after their units were equalised: each has a quantity that the other gives
// with another value, and they agree in none.
func compare(cell []Entry) {
	said := make([][]quantity.Quantity, len(cell))
	for i, e := range cell {
		said[i] = quantity.Read(words.Language(e.Claim), e.Value)
	}
	for i := range cell {
		for j := range cell {
			if i != j && differ(said[i], said[j]) {
				cell[i].Differs = append(cell[i].Differs, cell[j].ClaimID)
			}
		}
	}
}

func differ(a, b []quantity.Quantity) bool {
	found := false
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
