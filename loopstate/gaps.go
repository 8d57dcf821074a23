package loopstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/query"
	"github.com/citeloop/citeloop/internal/text/words"
)

// AddGap is the step that adds a gap. If the loop already has the gap, it returns the gap's id in duplicateOf, and nothing
// is to be appended.
func (s *State) AddGap(in GapInput) (p GapAdded, duplicateOf string, err error) {
	c := s.running()
	g := in.check(&c, "gap")
	if i, ok := s.index.gaps[foldText(g.Gap)]; ok && c.err == nil {
		return p, s.Gaps[i].ID, nil
	}
	g.ID, g.OpenedRound = s.nextGapID(0), s.Round+1
	return GapAdded{Gap: g}, "", c.err
}

// Numbers of gaps. The host's gaps are numbered from 1, the debts that citeloop opens from 901. From the host's 901st gap
// on, its numbers continue after the last possible debt.
const (
	lastGap   = 900
	lastDebt  = 99_999
	beyondGap = 100_000
)

// nextGapID returns the id of the host's next gap, after ahead others of the same call.
func (s *State) nextGapID(ahead int) string {
	n := len(s.Gaps) - len(s.index.debts) + ahead + 1
	if n > lastGap {
		n += beyondGap
	}
	return fmt.Sprintf("G%d", n)
}

// mintGaps validates new gaps and assigns their ids. It omits a gap that the loop already has, open or closed, or that the
// list repeats, and returns its id in duplicates: a closed gap opens again only in new words.
func (s *State) mintGaps(c *checks, subject string, in []GapInput) (gaps []Gap, duplicates []string) {
	minted := map[string]string{}
	for i, gi := range listed(c, subject, in, MaxItems) {
		g := gi.check(c, fmt.Sprintf("%s[%d]", subject, i))
		key := foldText(g.Gap)
		if j, ok := s.index.gaps[key]; ok {
			duplicates = append(duplicates, s.Gaps[j].ID)
		} else if id, ok := minted[key]; ok {
			duplicates = append(duplicates, id)
		} else {
			g.ID, g.OpenedRound = s.nextGapID(len(gaps)), s.Round+1
			minted[key] = g.ID
			gaps = append(gaps, g)
		}
	}
	return gaps, duplicates
}

var gapID = lazyregexp.New(`^[Gg]\d+$`)

// resolveGaps finds open gaps by id or text. An unknown id is an error; an unknown text and a closed gap are rejected.
func (s *State) resolveGaps(c *checks, subject string, names []string, rejected *[]Rejected) (ids []string) {
	for i, name := range listed(c, subject, names, MaxItems) {
		item := fmt.Sprintf("%s[%d]", subject, i)
		name = c.text(item, name, MaxTextChars)
		g, ok := s.gapNamed(name)
		switch {
		case !ok && gapID.MatchString(name):
			c.fail(unknownGap(item, name))
		case !ok:
			reject(rejected, clip(name, 200), "no gap of this loop has this text; use the gap's id")
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

func unknownGap(subject, id string) error {
	return &Error{Code: CodeUnknownGap, Subject: subject, Value: clip(id, 40)}
}

// takeClosedGaps validates gaps that a person closes. A person may close a gap at any time, with a reason; unlike a host's
// answer, it is not compared with the results. A gap that is already closed is rejected.
func (s *State) takeClosedGaps(c *checks, in []ClosedGap, p *Updated) {
	for i, closed := range listed(c, "closed gaps", in, MaxItems) {
		name := fmt.Sprintf("closed gaps[%d]", i)
		g, ok := s.GapByID(closed.GapID)
		if !ok {
			c.fail(unknownGap(name+".gap", closed.GapID))
		}
		if valid := []string{GapAnswered, GapUnanswerable}; !slices.Contains(valid, closed.Status) {
			c.fail(&Error{Code: CodeUnknownValue, Subject: name + ".status", Value: clip(closed.Status, 40), Valid: valid})
		}
		closed.Why = c.text(name+".why", closed.Why, MaxTextChars)
		if g.Status != GapOpen {
			reject(&p.Rejected, g.ID, g.closedWords())
		} else if !slices.ContainsFunc(p.ClosedGaps, func(other ClosedGap) bool { return other.GapID == g.ID }) {
			p.ClosedGaps = append(p.ClosedGaps, closed)
		}
	}
}

// OpenQuestionInput is a gap, by id or text, that cannot be answered, and why.
type OpenQuestionInput struct{ Gap, Why string }

// takeOpenQuestions records open questions. A question that is not yet a gap becomes one, so that it has an id and is in
// the report.
func (s *State) takeOpenQuestions(c *checks, in []OpenQuestionInput, p *Closed) {
	for i, q := range listed(c, "open questions", in, MaxItems) {
		name := fmt.Sprintf("open questions[%d]", i)
		text, why := c.text(name+".gap", q.Gap, MaxTextChars), c.text(name+".why", q.Why, MaxTextChars)
		g, ok := s.gapNamed(text)
		if !ok && gapID.MatchString(text) {
			c.fail(unknownGap(name+".gap", text))
		}
		if !ok {
			g, ok = namedIn(p.Gaps, text)
		}
		if !ok {
			g = GapInput{Gap: text}.check(c, name)
			g.ID, g.OpenedRound = s.nextGapID(len(p.Gaps)), s.Round+1
			p.Gaps = append(p.Gaps, g)
		}
		switch {
		case g.Status != GapOpen:
			reject(&p.Rejected, g.ID, g.closedWords())
		case slices.Contains(p.Answered, g.ID):
			reject(&p.Rejected, g.ID, "the same call also answers it")
		default:
			p.OpenQuestions = append(p.OpenQuestions, OpenQuestion{GapID: g.ID, Why: why})
		}
	}
}

func namedIn(gaps []Gap, text string) (Gap, bool) {
	return first(gaps, func(g Gap) bool { return foldText(g.Gap) == foldText(text) })
}

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
		ids := each(claims, func(c Claim) string { return c.ID })
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
