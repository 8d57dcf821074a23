package loopstate

import (
	"fmt"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Gap statuses.
const (
	GapOpen         = "open"
	GapAnswered     = "answered"
	GapUnanswerable = "unanswerable" // an open question of the report, with a why; it leaves the count
)

// GapKinds are what can be missing. The first is a plain sub-question; the others are the five that the
// completeness critic of research-synthesis-loop asks for.
func GapKinds() []string {
	return []string{"question", "modality", "unverified-claim", "unread-source", "missing-counterarg", "unresolved-contradiction"}
}

// Importances, after Shannon's chapter 19: critical (the target entity itself is not covered), important,
// minor.
func Importances() []string { return []string{"critical", "important", "minor"} }

// Gap is something the research does not know yet.
type Gap struct {
	ID          string   `json:"gap_id"`
	Gap         string   `json:"gap"`
	Kind        string   `json:"kind"`
	Query       string   `json:"query"`    // the search that would close it; the gap's own words when the host gave none
	Priority    float64  `json:"priority"` // higher first
	Material    bool     `json:"material"` // filling it would change a claim, not only confirm one
	Importance  string   `json:"importance"`
	SourceTypes []string `json:"source_types"`
	Questions   []string `json:"questions,omitempty"`
	Status      string   `json:"status"`
	Why         string   `json:"why,omitempty"`          // why it is unanswerable, or why a person closed it
	Debt        string   `json:"debt,omitempty"`         // what the log showed to be missing, when citeloop opened the gap itself
	OpenedRound int      `json:"opened_round"`           // the round it was found in, from 1
	ClosedRound int      `json:"closed_round,omitempty"` // the round it was answered or given up in
	Settled     bool     `json:"settled,omitempty"`      // citeloop answered it, because the reason of its debt was gone
}

// GapInput is a gap as a host names it. Only Gap is needed: a gap is taken as a material question of
// importance "important" unless the host says otherwise. A gap called minor is cosmetic by default.
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

// check validates the input, which subject names.
func (in GapInput) check(subject string) (Gap, error) {
	text, err := CheckText(subject+".text", in.Gap, MaxTextChars)
	if err != nil {
		return Gap{}, err
	}
	if err := CheckOneOf(subject+".kind", in.Kind, GapKinds()); err != nil {
		return Gap{}, err
	}
	if err := CheckOneOf(subject+".importance", in.Importance, Importances()); err != nil {
		return Gap{}, err
	}
	if err := CheckCount(subject+".types", len(in.SourceTypes), MaxItems); err != nil {
		return Gap{}, err
	}
	for _, t := range in.SourceTypes {
		if err := CheckOneOf(subject+".types", t, SourceTypes()); err != nil {
			return Gap{}, err
		}
	}
	questions, err := checkTexts(subject+".questions", in.Questions)
	if err != nil {
		return Gap{}, err
	}
	g := Gap{Gap: text, Kind: in.Kind, Query: strings.TrimSpace(in.Query), Importance: in.Importance, SourceTypes: in.SourceTypes, Questions: questions, Status: GapOpen}
	if g.Kind == "" {
		g.Kind = "question"
	}
	if g.Importance == "" {
		g.Importance = "important"
	}
	switch { // the critic's query takes precedence over the first question
	case g.Query != "":
	case len(g.Questions) > 0:
		g.Query = g.Questions[0]
	default:
		g.Query = text
	}
	if g.Query, err = CheckText(subject+".query", g.Query, MaxTextChars); err != nil {
		return Gap{}, err
	}
	g.Material = g.Importance != "minor"
	if in.Material != nil {
		g.Material = *in.Material
	}
	if in.Priority != nil {
		g.Priority = *in.Priority
	}
	if g.SourceTypes == nil {
		g.SourceTypes = []string{}
	}
	return g, nil
}

// closedWords say how a gap was closed.
func (g Gap) closedWords() string {
	return fmt.Sprintf("it was closed in round %d as %s", g.ClosedRound, g.Status)
}

// foldText is the form in which two gaps, claims or questions are compared: case, width, punctuation and
// white space do not make a difference. A text that is nothing else stays as it is.
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
		case strings.ContainsRune("%$€£¥+#<>=-", r): // these carry meaning: C and C++, 5 and 5 %, -3 and 3
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

// importanceRank orders gaps of one priority.
func importanceRank(importance string) int {
	for i, v := range Importances() {
		if v == importance {
			return i
		}
	}
	return len(Importances())
}

// sortGaps puts the gap to pursue first: material before cosmetic, then the host's priority, then
// importance, then the one that has waited longest.
func sortGaps(gaps []Gap) {
	sort.SliceStable(gaps, func(i, j int) bool {
		a, b := gaps[i], gaps[j]
		if a.Material != b.Material {
			return a.Material
		}
		if a.Priority != b.Priority {
			return a.Priority > b.Priority
		}
		return importanceRank(a.Importance) < importanceRank(b.Importance)
	})
}
