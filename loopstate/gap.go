package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/docid"
)

// Gap statuses.
const (
	GapOpen         = "open"
	GapAnswered     = "answered"
	GapUnanswerable = "unanswerable" // an open question of the report, with a reason; it is not counted
)

// GapKinds returns the kinds of gaps: a sub-question, and the five that a completeness critic looks for.
func GapKinds() []string {
	return []string{"question", "modality", "unverified-claim", "unread-source", "missing-counterarg", "unresolved-contradiction"}
}

// Importances returns the importances of gaps, highest first. Critical means that the target entity is not covered.
func Importances() []string { return []string{"critical", "important", "minor"} }

// Kinds of debts.
const (
	KindModality   = "modality"
	KindUnverified = "unverified-claim"
)

// Gap is missing knowledge of the research.
type Gap struct {
	ID          string   `json:"gap_id"`
	Gap         string   `json:"gap"`
	Kind        string   `json:"kind"`
	Query       string   `json:"query"`    // to search for; default is the gap's text
	Priority    float64  `json:"priority"` // higher first
	Material    bool     `json:"material"` // closing it would change a claim, not only confirm one
	Importance  string   `json:"importance"`
	SourceTypes []string `json:"source_types"`
	Questions   []string `json:"questions,omitempty"`
	Status      string   `json:"status"`
	Why         string   `json:"why,omitempty"`          // why it is unanswerable, or why a person closed it
	Debt        string   `json:"debt,omitempty"`         // key of the debt, if citeloop opened the gap
	OpenedRound int      `json:"opened_round"`           // from 1
	ClosedRound int      `json:"closed_round,omitempty"` // 0 while open
	Settled     bool     `json:"settled,omitempty"`      // citeloop answered it, because its debt is gone
}

// GapInput is a gap from a host. Only Gap is required. Defaults: kind "question", importance "important", and material
// unless the importance is "minor".
type GapInput struct {
	Gap         string
	Kind        string
	Query       string
	Priority    *float64
	Material    *bool
	Importance  string
	SourceTypes []string
	Questions   []string
}

// check validates the input. subject names it in errors.
func (in GapInput) check(c *checks, subject string) Gap {
	g := Gap{
		Gap:        c.text(subject+".text", in.Gap, MaxTextChars),
		Kind:       c.word(subject+".kind", in.Kind, GapKinds(), "question"),
		Importance: c.word(subject+".importance", in.Importance, Importances(), "important"),
		Status:     GapOpen, SourceTypes: []string{},
	}
	for _, t := range listed(c, subject+".types", in.SourceTypes, MaxItems) {
		g.SourceTypes = append(g.SourceTypes, c.word(subject+".types", t, docid.SourceTypes(), ""))
	}
	g.Questions = c.texts(subject+".questions", in.Questions)
	g.Query = strings.TrimSpace(in.Query)
	if g.Query == "" && len(g.Questions) > 0 { // the critic's query takes precedence over the first question
		g.Query = g.Questions[0]
	}
	g.Query = c.text(subject+".query", cmp.Or(g.Query, g.Gap), MaxTextChars)
	g.Material = g.Importance != "minor"
	if in.Material != nil {
		g.Material = *in.Material
	}
	if in.Priority != nil {
		g.Priority = *in.Priority
	}
	return g
}

// closedWords describes how a gap was closed.
func (g Gap) closedWords() string {
	return fmt.Sprintf("it was closed in round %d as %s", g.ClosedRound, g.Status)
}

// rank returns a number that is lower for gaps of higher importance.
func (g Gap) rank() int {
	if i := slices.Index(Importances(), g.Importance); i >= 0 {
		return i
	}
	return len(Importances())
}

// sortGaps puts the gap to pursue first: material ones, then by the host's priority, by importance, and by age.
func sortGaps(gaps []Gap) {
	slices.SortStableFunc(gaps, func(a, b Gap) int {
		if a.Material != b.Material {
			if a.Material {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.rank(), b.rank()))
	})
}

// foldText normalizes a gap, claim or question for comparison: without case, width, punctuation and white space. A text
// of nothing else is unchanged.
func foldText(s string) string {
	var b strings.Builder
	space := false
	for _, r := range norm.NFKC.String(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(unicode.ToLower(r))
		case strings.ContainsRune("%$€£¥+#<>=-", r): // C and C++, 5 and 5 %, -3 and 3 differ
			b.WriteRune(r)
		default:
			space = true
		}
	}
	if b.Len() == 0 {
		return s
	}
	return b.String()
}

// OpenQuestion is a gap that the available sources cannot close, and why.
type OpenQuestion struct {
	GapID string `json:"gap_id"`
	Why   string `json:"why"`
}

// ClosedGap is a gap that a person closed between rounds, with the reason.
type ClosedGap struct {
	GapID  string `json:"gap_id"`
	Status string `json:"status"` // GapAnswered or GapUnanswerable
	Why    string `json:"why"`
}
