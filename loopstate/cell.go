package loopstate

import (
	"slices"
	"strings"
)

// Cell is a place in the table of a comparison that a claim fills.
type Cell struct {
	ClaimID string `json:"claim_id"`
	Field   string `json:"field"`             // the column: what is compared
	Subject string `json:"subject,omitempty"` // the row: what is compared by it; empty for the claim's sources
	Value   string `json:"value,omitempty"`   // words of the claim; empty for all of them
}

// takeCell adds the cell that a claim fills. A value that the claim does not say is rejected: nothing would have checked it.
func (s *State) takeCell(c *checks, name string, in ClaimInput, claim Claim, p *Updated) {
	cell := Cell{ClaimID: claim.ID, Field: c.optional(name+".field", in.Field, maxCellChars),
		Subject: c.optional(name+".subject", in.Subject, maxCellChars), Value: c.optional(name+".value", in.Value, maxCellChars)}
	switch {
	case cell == Cell{ClaimID: claim.ID}:
	case cell.Field == "":
		reject(&p.Rejected, name, "it fills no cell: a subject or a value needs the field that it belongs to; the claim is recorded")
	case !strings.Contains(foldText(claim.Claim), foldText(cell.Value)):
		reject(&p.Rejected, name, "it fills no cell: the claim does not say the value in these words; the claim is recorded")
	case !slices.Contains(s.Cells, cell):
		p.Cells = append(p.Cells, cell)
	}
}

// maxCellChars bounds the names of a table's rows and columns, and the values.
const maxCellChars = 200

// fill records cells. A claim has one value for a subject and a field.
func (s *State) fill(cells []Cell) {
	for _, c := range cells {
		s.Cells = append(slices.DeleteFunc(s.Cells, func(old Cell) bool {
			return old.ClaimID == c.ClaimID && old.Field == c.Field && old.Subject == c.Subject
		}), c)
	}
}
