package loopstate

import (
	"fmt"
	"strings"
)

// A debt is a gap that citeloop finds in the log: an angle, period, kind of source or language that was never searched, a
// claim with a single weak source, or a sentence of the synthesis that admits absence. The critic is asked for the same,
// but debts do not depend on it.
//
// Debts are cosmetic, because only the critic can judge whether closing one would change a claim. They never delay a loop,
// rank after the host's gaps, and appear in the report. They are opened and answered when a round closes.

// debtPriority ranks debts after the host's gaps.
const debtPriority = -1

// maxClaimDebts bounds the open debts of claims: many claims with a single source are one problem.
const maxClaimDebts = 10

// debt is a possible gap, and whether it exists now.
type debt struct {
	key  string // identity: "angle byCounterArg", "claim C3"
	gap  Gap
	owed bool
}

// takeDebts opens gaps for new debts, and answers the gaps of paid ones. absent are the sentences of this round's synthesis
// that admit absence.
func (s *State) takeDebts(p *Closed, absent []string) {
	var all []debt
	if len(s.Searches) > 0 { // a loop without searches has no modalities to judge
		all = append(s.modalityDebts(), s.claimDebts()...)
	}
	if p.SynthesisLen > 0 {
		all = append(all, s.absenceDebts(absent)...)
	}
	open, opened := 0, 0
	for _, d := range all {
		i, known := s.index.debts[d.key]
		switch {
		case known && !d.owed && s.Gaps[i].Status == GapOpen:
			p.Answered = append(p.Answered, s.Gaps[i].ID)
		case known && d.owed && s.Gaps[i].Status == GapOpen && d.gap.Kind == KindUnverified:
			open++
		case !known && d.owed && !s.hasGap(p, d.gap.Gap):
			if d.gap.Kind == KindUnverified {
				if open++; open > maxClaimDebts {
					continue
				}
			}
			number := lastGap + len(s.index.debts) + opened + 1
			if number > lastDebt {
				return
			}
			opened++
			g := d.gap
			g.ID, g.Debt, g.Status, g.OpenedRound = fmt.Sprintf("G%d", number), d.key, GapOpen, s.Round+1
			g.Priority = debtPriority
			if g.SourceTypes == nil {
				g.SourceTypes = []string{}
			}
			p.Gaps = append(p.Gaps, g)
		}
	}
}

func (s *State) hasGap(p *Closed, text string) bool {
	_, have := s.index.gaps[foldText(text)]
	_, minted := namedIn(p.Gaps, text)
	return have || minted
}

// Kinds of debts.
const (
	KindModality   = "modality"
	KindUnverified = "unverified-claim"
)

// modalityDebts returns a debt for each way to search the question.
func (s *State) modalityDebts() []debt {
	subject := s.Query
	if subject == "" && s.Entity != nil {
		subject = s.Entity.Name
	}
	modality := func(key, text, query string, types []string, tried bool) debt {
		if subject == "" {
			query = text
		}
		return debt{key: key, owed: !tried, gap: Gap{Gap: text, Kind: KindModality, Query: clip(query, MaxTextChars), Importance: "minor", SourceTypes: types}}
	}
	var out []debt
	angles, languages, recent := s.swept()
	for _, a := range Angles() {
		query := subject
		switch a.Angle {
		case "byEntity":
			if s.Entity != nil {
				query = s.Entity.Name
			}
		case "byTimeWindow":
			query = strings.TrimSpace(subject + " " + firstChars(s.AsOf, 4))
		case "byCounterArg":
			query = againstQuery(subject)
		}
		out = append(out, modality("angle "+a.Angle, "never searched from the angle "+a.Angle, query, nil, angles[a.Angle]))
	}
	if since := RecentSince(s.AsOf); since != "" {
		out = append(out, modality("recent", "nothing from the last 18 months, since "+since+", was looked for or found", strings.TrimSpace(subject+" "+firstChars(s.AsOf, 4)), nil, recent))
	}
	found := map[string]bool{}
	for _, e := range s.Evidence {
		found[e.SourceType] = true
	}
	for _, src := range s.Sources {
		found[src.SourceType] = true
	}
	for _, t := range sourceTypes {
		out = append(out, modality("type "+t, "no source of the type "+t+" was found", subject, []string{t}, found[t]))
	}
	if own := WrittenIn(s.Query); own != "" { // unknown for an alphabet that many languages share
		out = append(out,
			modality("language "+own, "never searched in the language of the question ("+own+")", subject, nil, languages[own]),
			modality("language en", "never searched in another language than the question's, such as English", subject, nil, languages["en"]))
	}
	return out
}

// swept returns from the search log which angles and languages were searched, and whether a search asked for or found
// sources of the last 18 months.
func (s *State) swept() (angles, languages map[string]bool, recent bool) {
	angles, languages = map[string]bool{}, map[string]bool{}
	since := RecentSince(s.AsOf)
	for _, search := range s.Searches {
		if !search.Looked() { // blocked searches do not count
			continue
		}
		angles[search.Angle] = true
		language := WrittenIn(search.Query)
		if language == "" {
			language = "en" // a shared alphabet: differs from a language with its own script
		}
		languages[language] = true
		if tag, _, _ := strings.Cut(strings.ToLower(search.Language), "-"); tag != "" {
			languages[tag] = true
		}
		recent = recent || search.Angle == "byTimeWindow" || (search.Since != "" && onOrAfter(search.Since, since))
	}
	for _, e := range s.Evidence {
		recent = recent || onOrAfter(e.PublishedAt, since)
	}
	for _, src := range s.Sources {
		recent = recent || onOrAfter(src.PublishedAt, since)
	}
	return angles, languages, recent
}

// againstQuery returns a query for counter-evidence, in the language of the question if its script shows it.
func againstQuery(subject string) string {
	switch WrittenIn(subject) {
	case "zh":
		return subject + " 批评 局限 争议"
	case "ja":
		return subject + " 批判 限界 反論"
	case "ko":
		return subject + " 비판 한계 반론"
	case "ru":
		return subject + " критика недостатки"
	}
	return "criticism of " + subject
}

// claimDebts returns a debt for each claim of the synthesis. It exists if the claim has one weak source (one origin that is
// press, practitioner or of unknown type), or none: the last verification found it in no cited text.
func (s *State) claimDebts() []debt {
	var out []debt
	current := map[string]bool{}
	for _, c := range s.CurrentClaims() {
		current[c.ID] = true
		unsupported := c.Check != nil && c.Check.Status == Unsupported
		out = append(out, debt{key: "unsupported " + c.ID, owed: unsupported, gap: Gap{
			Gap: "no text that it cites supports: " + clip(c.Claim, 400), Kind: KindUnverified, Query: clip(c.Claim, 400), Importance: "important", SourceTypes: []string{"peer", "primary"}}})
		src, one := s.oneOrigin(c)
		weak := one && src.SourceType != "peer" && src.SourceType != "primary" && !unsupported
		kind := src.SourceType
		if kind == "" {
			kind = "of unknown kind"
		}
		out = append(out, debt{key: "claim " + c.ID, owed: weak, gap: Gap{
			Gap:  fmt.Sprintf("one source alone (%s, %s) stands behind: %s", src.ID, kind, clip(c.Claim, 400)),
			Kind: KindUnverified, Query: clip(c.Claim, 400), Importance: "important", SourceTypes: []string{"peer", "primary"}}})
	}
	for _, c := range s.Claims { // rewritten or dropped claims have no debt
		if !current[c.ID] {
			out = append(out, debt{key: "claim " + c.ID}, debt{key: "unsupported " + c.ID})
		}
	}
	return out
}

// oneOrigin returns the source of a claim that cites one origin only. Copies of a text are one origin.
func (s *State) oneOrigin(c Claim) (Source, bool) {
	var first Source
	for i, id := range c.SourceIDs {
		src, ok := s.SourceByID(id)
		if !ok {
			return Source{}, false
		}
		if i == 0 {
			first = src
		} else if src.Origin() != first.Origin() {
			return Source{}, false
		}
	}
	return first, len(c.SourceIDs) > 0
}

// maxAbsenceDebts bounds the debts that one synthesis opens.
const maxAbsenceDebts = 10

// absenceDebts returns a debt for each sentence of the synthesis that admits absence, which is a gap and not coverage.
// Sentences of an earlier synthesis that this one lacks are answered.
func (s *State) absenceDebts(absent []string) []debt {
	var out []debt
	now := map[string]bool{}
	for _, sentence := range absent {
		sentence = clip(sentence, 300)
		key := absenceDebt + foldText(sentence)
		if now[key] {
			continue
		}
		now[key] = true
		if _, known := s.index.debts[key]; !known && len(out) >= maxAbsenceDebts {
			continue
		}
		out = append(out, debt{key: key, owed: true, gap: Gap{Gap: "the synthesis admits not to know: " + sentence, Kind: "question", Query: sentence, Importance: "important"}})
	}
	for _, g := range s.Gaps {
		if strings.HasPrefix(g.Debt, absenceDebt) && !now[g.Debt] {
			out = append(out, debt{key: g.Debt})
		}
	}
	return out
}

const absenceDebt = "absence "

func firstChars(s string, n int) string { return s[:min(n, len(s))] }
