package loopstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/query"
	"github.com/citeloop/citeloop/internal/text/words"
)

// A debt is a gap that citeloop finds in the log: angles, recent sources, source types or languages that no search
// tried, claims with one weak source or with no support, and sentences of the synthesis that admit absence. Each of
// these reasons is one gap, whatever the number of its cases.
//
// Debts are never material, because only the critic can judge whether closing one would change a claim. They never
// delay a loop and rank after the host's gaps. They are opened, reworded and closed when a round closes: once the
// reason is gone, the gap is answered, and it opens again if the reason returns.

// debtPriority ranks debts after the host's gaps.
const debtPriority = -1

const (
	// maxListedClaims bounds the claim ids in the text of one gap.
	maxListedClaims = 8
	// maxListedSentences bounds the sentences in the text of one gap, each of maxListedChars.
	maxListedSentences = 5
	maxListedChars     = 150
)

// Keys of debts.
const (
	debtAngles      = "angles"
	debtRecent      = "recent"
	debtTypes       = "types"
	debtLanguages   = "languages"
	debtOneSource   = "one source"
	debtUnsupported = "unsupported"
	debtAbsence     = "absence"
)

// takeDebts opens the gaps of new debts, updates those whose cases changed and answers those without cases. absent are
// the sentences of this round's synthesis that admit absence.
func (s *State) takeDebts(p *Closed, absent []string) {
	owed := map[string]bool{}
	opened := 0
	for _, g := range s.debts(p, absent) {
		owed[g.Debt] = true
		g.Status, g.Priority = GapOpen, debtPriority
		if g.SourceTypes == nil {
			g.SourceTypes = []string{}
		}
		if i, known := s.index.debts[g.Debt]; known {
			s.changeDebt(p, s.Gaps[i], g)
			continue
		}
		number := lastGap + len(s.index.debts) + opened + 1
		if number > lastDebt || s.hasGap(p, g.Gap) {
			continue
		}
		opened++
		g.ID, g.OpenedRound = fmt.Sprintf("G%d", number), s.Round+1
		p.Gaps = append(p.Gaps, g)
	}
	for _, g := range s.Gaps {
		pending := p.SynthesisLen == 0 && strings.HasPrefix(g.Debt, debtAbsence) // only a synthesis can settle it
		if g.Debt != "" && g.Status == GapOpen && !owed[g.Debt] && !pending && !closedIn(p, g.ID) {
			g.Status, g.Settled, g.ClosedRound = GapAnswered, true, s.Round+1
			p.Changed = append(p.Changed, g)
		}
	}
}

// changeDebt records what is new about a debt. One that the host or a person closed stays closed.
func (s *State) changeDebt(p *Closed, have, now Gap) {
	if have.Status != GapOpen && !have.Settled || closedIn(p, have.ID) {
		return
	}
	now.ID, now.OpenedRound = have.ID, have.OpenedRound
	if have.Status != GapOpen || have.Gap != now.Gap || have.Query != now.Query {
		p.Changed = append(p.Changed, now)
	}
}

// closedIn reports whether the same call closes a gap.
func closedIn(p *Closed, id string) bool {
	return slices.Contains(p.Answered, id) || slices.ContainsFunc(p.OpenQuestions, func(q OpenQuestion) bool { return q.GapID == id })
}

func (s *State) hasGap(p *Closed, text string) bool {
	_, have := s.index.gaps[foldText(text)]
	_, minted := namedIn(p.Gaps, text)
	return have || minted
}

// debts returns the debts that exist now, without ids.
func (s *State) debts(p *Closed, absent []string) []Gap {
	var out []Gap
	if len(s.Searches) > 0 { // a loop without searches has nothing to judge
		out = append(s.modalityDebts(), s.claimDebts()...)
	}
	if p.SynthesisLen > 0 && len(absent) > 0 {
		out = append(out, s.absenceDebt(absent))
	}
	return out
}

// modalityDebts returns a debt for each way to search the question that no search took.
func (s *State) modalityDebts() []Gap {
	table, local := s.messages(), s.LocalOnly()
	subject := s.subject()
	dated := strings.TrimSpace(subject + " " + firstChars(s.AsOf, 4))
	var out []Gap
	add := func(key, text, search string, types []string) {
		out = append(out, Gap{Debt: key, Gap: text, Kind: KindModality, Query: clip(query.Of(search, text), MaxTextChars), Importance: "minor", SourceTypes: types})
	}
	angles, languages, recent := s.swept()
	var missing []string
	counter := ""
	for _, a := range Angles() {
		given := a.Angle == "byTimeWindow" || a.Angle == "bySourceType" || a.Angle == "byEntity" && s.Entity == nil
		if angles[a.Angle] || local && given {
			continue
		}
		missing = append(missing, a.Angle)
		switch {
		case a.Angle == "byCounterArg": // the most valuable one
			counter = s.against(query.Of(subject))
		case counter != "":
		case a.Angle == "byEntity" && s.Entity != nil:
			counter = s.Entity.Name
		case a.Angle == "byTimeWindow":
			counter = dated
		default:
			counter = subject
		}
	}
	if len(missing) > 0 {
		add(debtAngles, table.T("not searched from these angles: %s", strings.Join(missing, ", ")), counter, nil)
	}
	if since := RecentSince(s.AsOf); since != "" && !recent && !local {
		add(debtRecent, table.T("nothing from the last 18 months, since %s, was searched for or found", since), dated, nil)
	}
	if missing := s.missingTypes(); len(missing) > 0 && !local {
		add(debtTypes, table.T("no source of these types was found: %s", strings.Join(missing, ", ")), subject, missing)
	}
	if own := words.Script(s.Query); own != "" { // unknown for an alphabet that many languages share
		missing := slices.DeleteFunc([]string{own, "en"}, func(l string) bool { return languages[l] })
		if len(missing) > 0 {
			add(debtLanguages, table.T("not searched in these languages: %s", strings.Join(missing, ", ")), subject, nil)
		}
	}
	return out
}

// claimDebts returns a debt for the claims that the last verification found in no cited text, and one for those with one
// weak source.
func (s *State) claimDebts() []Gap {
	table := s.messages()
	unsupported, weak := s.weakClaims()
	var out []Gap
	add := func(key, one, many string, claims []Claim) {
		if len(claims) == 0 {
			return
		}
		ids := make([]string, len(claims))
		for i, c := range claims {
			ids[i] = c.ID
		}
		if n := len(ids) - maxListedClaims; n > 0 {
			ids = append(ids[:maxListedClaims], fmt.Sprintf("… (+%d)", n))
		}
		text := many
		if len(claims) == 1 {
			text = one
		}
		out = append(out, Gap{Debt: key, Gap: table.T(text, len(claims), strings.Join(ids, ", ")), Kind: KindUnverified,
			Query: query.Keywords(claims[0].Claim, s.subject()), Importance: "important", SourceTypes: []string{"peer", "primary"}})
	}
	add(debtUnsupported, "%d claim is not supported by any text that it cites: %s", "%d claims are not supported by any text that they cite: %s", unsupported)
	if !s.LocalOnly() || s.Origins() > 1 { // a corpus of one origin has no second source
		add(debtOneSource, "%d claim rests on one source: %s", "%d claims rest on one source: %s", weak)
	}
	return out
}

// absenceDebt returns the debt of a synthesis that admits absence, which is a gap and not coverage.
func (s *State) absenceDebt(absent []string) Gap {
	var sentences []string
	seen := map[string]bool{}
	for _, sentence := range absent {
		if sentence = clip(sentence, maxListedChars); !seen[foldText(sentence)] && len(sentences) < maxListedSentences {
			seen[foldText(sentence)] = true
			sentences = append(sentences, sentence)
		}
	}
	return Gap{Debt: debtAbsence, Gap: s.messages().T("the synthesis admits not knowing: %s", strings.Join(sentences, " / ")), Kind: "question",
		Query: query.Keywords(sentences[0], s.subject()), Importance: "important"}
}

// entityGap opens the critical gap of a target entity with too few facts, or answers it once there are enough.
func (s *State) entityGap(p *Closed) {
	if s.Entity == nil {
		return
	}
	text := s.entityGapText()
	have, known := s.gapNamed(text)
	switch facts := s.entityFacts(); {
	case facts >= minEntityFacts && known && have.Status == GapOpen:
		p.Answered = append(p.Answered, have.ID)
	case facts < minEntityFacts && !known:
		g := Gap{Gap: text, Kind: "question", Query: s.Entity.Name, Material: true, Importance: "critical", SourceTypes: []string{"primary"}, Status: GapOpen, OpenedRound: s.Round + 1}
		g.ID = s.nextGapID(len(p.Gaps))
		p.Gaps = append(p.Gaps, g)
	}
}
