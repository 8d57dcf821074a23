package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/query"
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

// Gap is missing knowledge of the research.
type Gap struct {
	ID          string   `json:"gap_id"` // G1, G2, …
	Gap         string   `json:"gap"`
	Kind        string   `json:"kind"`
	Query       string   `json:"query"`    // to search for; default is the gap's text
	Priority    float64  `json:"priority"` // higher first
	Material    bool     `json:"material"` // closing it would change a claim, not only confirm one
	Importance  string   `json:"importance"`
	SourceTypes []string `json:"source_types"`
	Questions   []string `json:"questions,omitempty"`
	Where       string   `json:"where,omitempty"` // what a critic's finding is about: lines of a source ("S1:120"), or a place in the text
	Status      string   `json:"status"`
	Why         string   `json:"why,omitempty"`          // why it is unanswerable, or why a person closed it
	OpenedRound int      `json:"opened_round"`           // from 1
	ClosedRound int      `json:"closed_round,omitempty"` // 0 while open

	// Debt is set in logs of older versions: citeloop opened the gap itself. Such a gap is not folded.
	Debt string `json:"debt,omitempty"`
}

// GapInput is a gap from a host. Only Gap is required. Defaults: kind "question", importance "important", and material
// unless the importance is "minor".
type GapInput struct {
	Gap         string   `json:"gap"`
	Kind        string   `json:"kind"`
	Query       string   `json:"query"`
	Priority    float64  `json:"priority"`
	Material    *bool    `json:"material"`
	Importance  string   `json:"importance"`
	SourceTypes []string `json:"source_types"`
	Questions   []string `json:"questions"`
	Where       string   `json:"where"`
}

// check validates the input. subject names it in errors.
func (in GapInput) check(c *checks, subject string) Gap {
	g := Gap{
		Gap:        c.text(subject+".text", in.Gap, MaxTextChars),
		Kind:       c.word(subject+".kind", in.Kind, GapKinds(), "question"),
		Importance: c.word(subject+".importance", in.Importance, Importances(), "important"),
		Where:      c.optional(subject+".where", in.Where, MaxTextChars),
		Priority:   in.Priority, Status: GapOpen, SourceTypes: []string{},
	}
	for _, t := range listed(c, subject+".types", in.SourceTypes) {
		g.SourceTypes = append(g.SourceTypes, c.word(subject+".types", t, docid.SourceTypes(), ""))
	}
	g.Questions = c.texts(subject+".questions", in.Questions)
	first := append(slices.Clone(g.Questions), g.Gap)[0] // the critic's query takes precedence over the first question
	g.Query = c.text(subject+".query", cmp.Or(strings.TrimSpace(in.Query), first), MaxTextChars)
	if g.Material = g.Importance != "minor"; in.Material != nil {
		g.Material = *in.Material
	}
	return g
}

// closedWords describes how a gap was closed.
func (g Gap) closedWords() string {
	return fmt.Sprintf("it was closed in round %d as %s", g.ClosedRound, g.Status)
}

// AddGap is the step that adds a gap. If the loop already has the gap, it returns the gap's id in duplicateOf, and nothing
// is to be appended.
func (s *State) AddGap(in GapInput) (p GapAdded, duplicateOf string, err error) {
	c := s.running()
	p.Gap, duplicateOf = s.mintGap(&c, "gap", in, 0)
	return p, duplicateOf, c.err
}

// mintGap validates a new gap and assigns its id, after ahead others of the same call. It returns the id of a gap that the loop
// already has, open or closed: a closed gap opens again only in new words.
func (s *State) mintGap(c *checks, subject string, in GapInput, ahead int) (g Gap, duplicateOf string) {
	g = in.check(c, subject)
	if have, ok := at(s.Gaps, s.index.gaps, foldText(g.Gap)); ok && c.err == nil {
		return g, have.ID
	}
	g.ID, g.OpenedRound = fmt.Sprintf("G%d", len(s.Gaps)+ahead+1), s.Round+1
	return g, ""
}

// mintGaps is mintGap for a list, which may repeat a gap.
func (s *State) mintGaps(c *checks, subject string, in []GapInput) (gaps []Gap, duplicates []string) {
	minted := map[string]string{}
	for name, gi := range listed(c, subject, in) {
		g, duplicate := s.mintGap(c, name, gi, len(gaps))
		key := foldText(g.Gap)
		if duplicate = cmp.Or(duplicate, minted[key]); duplicate != "" {
			duplicates = append(duplicates, duplicate)
			continue
		}
		minted[key] = g.ID
		gaps = append(gaps, g)
	}
	return gaps, duplicates
}

var gapID = lazyregexp.New(`^[Gg]\d+$`)

// resolveGaps finds open gaps by id or text. An unknown id is an error; an unknown text and a closed gap are rejected.
func (s *State) resolveGaps(c *checks, subject string, names []string, rejected *[]Rejected) (ids []string) {
	for item, name := range listed(c, subject, names) {
		name = c.text(item, name, MaxTextChars)
		g, ok := s.gapNamed(c, item, name)
		switch {
		case !ok:
			reject(rejected, Shorten(name, 200), "no gap of this loop has this text; use the gap's id")
		case g.Status != GapOpen:
			reject(rejected, g.ID, g.closedWords())
		case s.tooFewFacts(g) != "":
			reject(rejected, g.ID, s.tooFewFacts(g))
		case !slices.Contains(ids, g.ID):
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// ClosedGap is a gap that is closed with a reason.
type ClosedGap struct {
	GapID  string `json:"gap_id"`
	Status string `json:"status,omitempty"` // GapUnanswerable if empty
	Why    string `json:"why"`
}

// takeOpenQuestions records open questions: gaps, by id or text, and why nobody can answer them. A question that is not yet a gap
// becomes one, so that it has an id and is in the report.
func (s *State) takeOpenQuestions(c *checks, in []Gap, p *Closed) {
	for name, q := range listed(c, "open questions", in) {
		text, why := c.text(name+".gap", q.Gap, MaxTextChars), c.text(name+".why", q.Why, MaxTextChars)
		g, ok := s.gapNamed(c, name+".gap", text)
		if !ok {
			g, ok = first(p.Gaps, func(g Gap) bool { return foldText(g.Gap) == foldText(text) })
		}
		if !ok {
			g, _ = s.mintGap(c, name, GapInput{Gap: text}, len(p.Gaps))
			p.Gaps = append(p.Gaps, g)
		}
		switch {
		case g.Status != GapOpen:
			reject(&p.Rejected, g.ID, g.closedWords())
		case slices.Contains(p.Answered, g.ID):
			reject(&p.Rejected, g.ID, "the same call also answers it")
		default:
			p.OpenQuestions = append(p.OpenQuestions, ClosedGap{GapID: g.ID, Why: why})
		}
	}
}

// addGaps folds new gaps, without those that citeloop opened itself in logs of older versions.
func (s *State) addGaps(gaps []Gap) {
	for _, g := range gaps {
		if g.Debt == "" {
			s.indexGap(g, len(s.Gaps))
			s.Gaps = append(s.Gaps, g)
		}
	}
}

// closeGaps folds which open gaps were answered, or closed with a reason.
func (s *State) closeGaps(answered []string, closed []ClosedGap) {
	all := each(answered, func(id string) ClosedGap { return ClosedGap{GapID: id, Status: GapAnswered} })
	for _, c := range append(all, closed...) {
		if i := slices.IndexFunc(s.Gaps, func(g Gap) bool { return g.ID == c.GapID && g.Status == GapOpen }); i >= 0 {
			s.Gaps[i].Status, s.Gaps[i].Why, s.Gaps[i].ClosedRound = cmp.Or(c.Status, GapUnanswerable), c.Why, s.Round+1
			s.Open.ClosedGaps++
		}
	}
}

// GapByID returns the gap with an id.
func (s *State) GapByID(id string) (Gap, bool) {
	return first(s.Gaps, func(g Gap) bool { return g.ID == id })
}

// gapNamed returns the gap with an id or a text. An unknown id is an error.
func (s *State) gapNamed(c *checks, subject, name string) (Gap, bool) {
	g, ok := s.GapByID(strings.ToUpper(name))
	if !ok && gapID.MatchString(name) {
		c.fail(&Error{Code: CodeUnknownGap, Subject: subject, Value: Shorten(name, 40)})
	}
	if !ok {
		g, ok = at(s.Gaps, s.index.gaps, foldText(name))
	}
	return g, ok
}

// OpenGaps returns the open gaps, the one to pursue first.
func (s *State) OpenGaps() []Gap { return s.GapsWith(GapOpen) }

// GapsWith returns the gaps with a status ("" or "all" for any), the one to pursue first: material ones, then by the host's
// priority, by importance, and by age.
func (s *State) GapsWith(status string) []Gap {
	rank := func(g Gap) int { return slices.Index(Importances(), g.Importance) }
	gaps := keep(s.Gaps, func(g Gap) bool { return status == "" || status == "all" || g.Status == status })
	slices.SortStableFunc(gaps, func(a, b Gap) int { return cmp.Or(cmp.Compare(b.Priority, a.Priority), rank(a)-rank(b)) })
	material := append([]Gap{}, keep(gaps, func(g Gap) bool { return g.Material })...)
	return append(material, keep(gaps, func(g Gap) bool { return !g.Material })...)
}

// MaterialGaps returns the open material gaps, the one to pursue first.
func (s *State) MaterialGaps() []Gap {
	return keep(s.OpenGaps(), func(g Gap) bool { return g.Material })
}

// Target returns the one gap to pursue: the first material gap. A round pursues one gap.
func (s *State) Target() (Gap, bool) {
	return first(s.OpenGaps(), func(g Gap) bool { return g.Material })
}

// queryFor returns the query that may close a gap.
func (s *State) queryFor(g Gap) string {
	if g.Query != g.Gap && query.IsQuery(g.Query) {
		return g.Query
	}
	return query.Of(g.Query, g.Gap, s.subject())
}

// maxQuestionWords is how long a question is of which the first content words still say what it asks (chosen: three sentences). The
// host words the searches of a longer one.
const maxQuestionWords = 60

// nextQueries returns what to search for next: the target gap's query, else the question. Dates that a query depends on are added.
func (s *State) nextQueries(target string) []string {
	if target == "" && (s.Query == "" || len(strings.Fields(s.Query)) > maxQuestionWords) {
		return nil
	}
	return []string{query.Dated(cmp.Or(target, query.Of(s.Query)), s.AsOf)}
}

// foldText normalizes a gap, claim or question for comparison: without case, width, punctuation and white space. A text
// of nothing else is unchanged.
func foldText(s string) string {
	var b strings.Builder
	space := false
	for _, r := range norm.NFKC.String(s) {
		switch {
		case unicode.In(r, unicode.L, unicode.N, unicode.M):
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
	return cmp.Or(b.String(), s)
}
