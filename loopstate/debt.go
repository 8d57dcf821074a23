package loopstate

import (
	"fmt"
	"strings"
)

// A debt is a gap that the log itself shows: an angle, a time, a kind of source or a language that was never
// tried, a claim that rests on one weak source, and a sentence of the synthesis that only says that nothing was
// found. The critic is asked for the same (research-synthesis-loop,
// MODALITY and UNVERIFIED-CLAIM), but a debt does not depend on anybody noticing it.
//
// Debts are cosmetic: whether closing one would change a claim is a judgement, and the critic's. So they
// never hold a loop back, stand behind the host's own gaps, and say in the report what was not tried. They
// are opened and answered when a round closes.

// debtPriority puts debts behind the gaps that a host named.
const debtPriority = -1

// maxClaimDebts are open at once; a long synthesis of single-sourced claims is one problem, not seventy.
const maxClaimDebts = 10

// debt is what is owed, and whether it still is.
type debt struct {
	key  string // identity: "angle byCounterArg", "claim C3"
	gap  Gap
	owed bool
}

// takeDebts opens the gaps of what the log shows to be missing, and answers those that are no longer. absent
// are the sentences of this round's synthesis that admit absence.
func (s *State) takeDebts(p *Closed, absent []string) {
	var all []debt
	if len(s.Searches) > 0 { // a loop that only reads what it is handed has no sweep to judge
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

// Kinds of gap that debts have.
const (
	KindModality   = "modality"
	KindUnverified = "unverified-claim"
)

// modalityDebts are the ways to look at the question, each with whether it was never tried.
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
	if own := WrittenIn(s.Query); own != "" { // of an alphabet that many languages share, the log cannot tell
		out = append(out,
			modality("language "+own, "never searched in the language of the question ("+own+")", subject, nil, languages[own]),
			modality("language en", "never searched in another language than the question's, such as English", subject, nil, languages["en"]))
	}
	return out
}

// swept goes through the search log once: which angles and languages were searched, and whether anything
// was asked of the last 18 months, or found in them.
func (s *State) swept() (angles, languages map[string]bool, recent bool) {
	angles, languages = map[string]bool{}, map[string]bool{}
	since := RecentSince(s.AsOf)
	for _, search := range s.Searches {
		if !search.Looked() { // who could not look has not tried
			continue
		}
		angles[search.Angle] = true
		language := WrittenIn(search.Query)
		if language == "" {
			language = "en" // an alphabet that English shares: another language than one with a script of its own
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

// againstQuery asks for the other side, in the language of the question where its script tells it
// (research-synthesis-loop, "byCounterArg").
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

// claimDebts are the claims of the synthesis, each with whether it rests on one weak source (one origin, of
// press, of practitioners, or of a kind that nobody knows) or, worse, on none: the last verification found it
// in no text that it cites (critic-loop article: re-queue it, with the demand to find a source).
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
	for _, c := range s.Claims { // rewritten or dropped: nothing is owed for it any more
		if !current[c.ID] {
			out = append(out, debt{key: "claim " + c.ID}, debt{key: "unsupported " + c.ID})
		}
	}
	return out
}

// oneOrigin is the source of a claim that cites one origin only. Copies of one text are one origin.
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

// maxAbsenceDebts are opened by one synthesis.
const maxAbsenceDebts = 10

// absenceDebts are what the synthesis admits not to know: a gap, not coverage (Shannon's chapter 19). What an
// earlier synthesis admitted and this one no longer does is answered.
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
