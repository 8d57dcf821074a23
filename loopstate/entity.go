package loopstate

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/query"
)

// Entity is the target entity of the question, if it has one: its name, aliases, and own domains.
type Entity struct {
	Name            string   `json:"name"`
	Aliases         []string `json:"aliases,omitempty"`
	OfficialDomains []string `json:"official_domains,omitempty"`
}

// Scores for the relevance of a hit to the target entity. They are added up.
const (
	scoreOfficial = 0.6 // on one of the entity's own domains
	scoreInURL    = 0.4 // its name in the address of another site
	scoreInText   = 0.4 // its name in the title or the snippet
	// relevanceThreshold is the score below which a hit is omitted. At 0.8 only the official site would pass.
	relevanceThreshold = 0.3
	// relevanceKeep is how many hits of a call are kept regardless of their score.
	relevanceKeep = 10
	// minURLName is the minimum length of a name to look for in addresses: shorter ones are in too many.
	minURLName = 5
)

// Relevance returns a hit's score for the entity, 0 to 1, and whether it is on one of the entity's own domains.
func (e Entity) Relevance(hit Evidence) (score float64, official bool) {
	u, err := url.Parse(hit.URL)
	if err == nil {
		official = e.owns(u.Hostname())
	}
	if official {
		score += scoreOfficial
	} else if err == nil && e.inAddress(u) {
		score += scoreInURL
	}
	if e.Mentions(hit.Title + "\n" + hit.Snippet) {
		score += scoreInText
	}
	return score, official
}

// Mentions reports whether a text contains the entity's name or an alias as a word: "mind" is not in "reminder". In scripts
// without word breaks, any occurrence counts.
func (e Entity) Mentions(text string) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc(append([]string{e.Name}, e.Aliases...), func(name string) bool {
		return query.ContainsWord(low, strings.ToLower(strings.TrimSpace(name)))
	})
}

// owns reports whether a host is one of the entity's domains or a subdomain.
func (e Entity) owns(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	for _, domain := range e.OfficialDomains {
		domain = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(domain)), "www.")
		if domain != "" && (host == domain || strings.HasSuffix(host, "."+domain)) {
			return true
		}
	}
	return false
}

// inAddress looks for the entity's names in host and path, however their words are joined: "Acme Robotics" is in
// /acme-robotics/ and in acmerobotics.example.
func (e Entity) inAddress(u *url.URL) bool {
	words := foldText(strings.NewReplacer("-", " ", "_", " ", "/", " ", ".", " ", "+", " ").Replace(u.Hostname() + " " + u.Path))
	for _, name := range append([]string{e.Name}, e.Aliases...) {
		folded := foldText(strings.ReplaceAll(name, "-", " "))
		first, _ := utf8.DecodeRuneInString(folded)
		short := utf8.RuneCountInString(folded) < minURLName && query.Joins(first)
		if !short && (query.ContainsWord(words, folded) || query.ContainsWord(words, strings.ReplaceAll(folded, " ", ""))) {
			return true
		}
	}
	return false
}

// minEntityFacts is the number of grounded claims about the target entity below which a critical gap is open.
const minEntityFacts = 3

// entityFacts counts the distinct grounded claims that name the target entity. In a loop without claims, which need not be
// recorded, it counts the read sources with its name in their titles.
func (s *State) entityFacts() int {
	facts := map[string]bool{} // the same claim with other citations counts once
	current := s.CurrentClaims()
	claims := len(current) > 0
	for _, c := range current {
		if c.Check != nil && c.Check.Status == Grounded && s.Entity.Mentions(c.Claim) {
			facts[foldText(c.Claim)] = true
		}
	}
	for _, src := range s.Sources {
		if !claims && src.DuplicateOf == "" && s.Entity.Mentions(src.Title) {
			facts[src.ID] = true
		}
	}
	return len(facts)
}

// entityGapText returns the text of a target entity's gap.
func (s *State) entityGapText() string {
	return "fewer than three verifiable facts about " + s.Entity.Name
}

// IsEntityGap reports whether a gap is the one that the loop opens for a target entity with too few facts.
func (s *State) IsEntityGap(g Gap) bool { return s.Entity != nil && g.Gap == s.entityGapText() }

// tooFewFacts returns why a host cannot yet close the gap of the target entity, or "".
func (s *State) tooFewFacts(g Gap) string {
	if !s.IsEntityGap(g) || s.entityFacts() >= minEntityFacts {
		return ""
	}
	return fmt.Sprintf("too few grounded claims about %s: %d; %d answer this gap automatically. If they cannot be found, record it as "+
		"an open question with a reason", Shorten(s.Entity.Name, 100), s.entityFacts(), minEntityFacts)
}
