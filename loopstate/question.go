package loopstate

import (
	"fmt"
	"maps"
	"math"
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
		if utf8.RuneCountInString(folded) < minURLName && query.Joins(firstRune(folded)) {
			continue
		}
		if query.ContainsWord(words, folded) || query.ContainsWord(words, strings.ReplaceAll(folded, " ", "")) {
			return true
		}
	}
	return false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// unrelatedWhy returns why a hit that is not about the target entity is rejected. A page in another language may
// write the name in its own way, so its language is part of the reason.
func unrelatedWhy(e *Entity, hit Evidence) string {
	why := fmt.Sprintf("it is not about %s: it is not on its domains and does not name it", clip(e.Name, 100))
	if language, _, _ := strings.Cut(strings.ToLower(hit.Language), "-"); language != "" && language != "en" {
		why += fmt.Sprintf("; the page is in another language: %s", clip(hit.Language, 20))
	}
	return why
}

// minEntityFacts is the number of grounded claims about the target entity below which a critical gap is open.
const minEntityFacts = 3

// Budget limits what a loop may spend. Zero means no limit.
type Budget struct {
	Rounds         int     `json:"rounds"`
	CostUSD        float64 `json:"cost_usd,omitempty"`
	LatencySeconds int     `json:"latency_seconds,omitempty"` // from the start to the last call
	Tokens         int     `json:"tokens"`
}

// Remaining is the rest of a budget. Limits that are not set are nil.
type Remaining struct {
	Rounds         int      `json:"rounds" jsonschema:"rounds that may still be closed"`
	CostUSD        *float64 `json:"cost_usd,omitempty" jsonschema:"absent when no limit was set"`
	LatencySeconds *int     `json:"latency_seconds,omitempty" jsonschema:"absent when no limit was set"`
	Tokens         int      `json:"tokens"`
}

// Usage is the spending that a host reports. citeloop cannot measure the host's model.
type Usage struct {
	CostUSD float64 `json:"cost_usd"`
	Tokens  int     `json:"tokens"`
}

const (
	// DefaultTokens is the default token budget (mechanism 8 in docs/mechanisms.md).
	DefaultTokens = 250_000
	// ConfirmBeyondRounds is the number of rounds beyond which the user must confirm.
	ConfirmBeyondRounds = 8
	// EscalatedRounds replaces the limit of three rounds if more than EscalateFailureShare of the rubrics fail after round
	// EscalateAfterRound.
	EscalatedRounds      = 5
	EscalateAfterRound   = 3
	EscalateFailureShare = 0.30
)

// Complexities, each with its round limit.
func Complexities() []string { return []string{"simple", "moderate", "complex", "breaking"} }

// RoundsFor returns the round limit of a complexity; the default is moderate.
func RoundsFor(complexity string) int {
	switch complexity {
	case "simple":
		return 3
	case "complex":
		return 10
	case "breaking":
		return 15
	}
	return 5
}

// Limits of the input, far above real budgets.
const (
	maxAmount = 1e12
	maxCost   = 1e9
)

// BudgetInput is a budget from a host; nil fields take their default.
type BudgetInput struct {
	Rounds         *int
	CostUSD        *float64
	LatencySeconds *int
	Tokens         *int
}

func (in BudgetInput) check(c *checks, complexity string) Budget {
	b := Budget{Rounds: RoundsFor(complexity), Tokens: DefaultTokens}
	take(c, &b.Rounds, in.Rounds, "budget.rounds")
	take(c, &b.CostUSD, in.CostUSD, "budget.cost")
	take(c, &b.LatencySeconds, in.LatencySeconds, "budget.seconds")
	take(c, &b.Tokens, in.Tokens, "budget.tokens")
	return b
}

// take sets an amount to the given one, if there is one. It must be above 0.
func take[N int | float64](c *checks, amount, given *N, subject string) {
	if given != nil {
		*amount = *given
		c.number(subject, float64(*given), math.SmallestNonzeroFloat64, maxAmount)
	}
}

func (u Usage) check(c *checks) Usage {
	c.number("usage.cost", u.CostUSD, 0, maxCost)
	c.number("usage.tokens", float64(u.Tokens), 0, maxAmount)
	return u
}

// Answered counts calls of a loop and the characters of their results.
type Answered struct {
	Calls int `json:"calls"`
	Chars int `json:"characters"`
}

func (a *Answered) add(b Answered) { a.Calls, a.Chars = a.Calls+b.Calls, a.Chars+b.Chars }

// Coverage is the host's estimate of how much of the question is answered, 0 to 1. It is recorded and shown; guardrails
// override it.
type Coverage struct {
	Overall    float64            `json:"overall"`
	Dimensions map[string]float64 `json:"dimensions,omitempty"`
	Reasoning  string             `json:"reasoning,omitempty"`
}

// Dimension is one part of the question, with its weight in the host's plan: high, medium or low.
type Dimension struct {
	Dimension string `json:"dimension"`
	Priority  string `json:"priority"`
}

// DefaultComplete is the default coverage at which a question counts as answered.
const DefaultComplete = 0.85

// Thresholds of the guardrails.
const (
	coverageFirstRound = 0.50 // below, after round 1: continue
	coverageLow        = 0.30 // below, in any round: continue
	HighCoverage       = 0.70 // above, with a short synthesis: low confidence
	ShortSynthesis     = 500  // characters
	coverageAbsent     = 0.39 // maximum if most of the synthesis admits absence
	absenceMost        = 0.5  // share of its sentences
)

func (v Coverage) check(c *checks) {
	c.number("coverage.overall", v.Overall, 0, 1)
	for _, name := range slices.Sorted(maps.Keys(v.Dimensions)) { // deterministic errors
		c.number("coverage.dimensions."+clip(name, 60), v.Dimensions[name], 0, 1)
	}
}
