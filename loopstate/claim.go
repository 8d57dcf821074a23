package loopstate

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Claim statuses. A claim that was not verified yet has none.
const (
	Grounded    = "grounded"    // a cited source states it
	Inferred    = "inferred"    // the sources support it, but no single passage states it
	Unsupported = "unsupported" // no cited source supports it
)

// Claim is a sentence of the synthesis with the sources that it cites. In a request it has only Claim, Confidence and SourceIDs,
// which may name lines: "S1:120-128".
type Claim struct {
	ID         string       `json:"claim_id"` // C1, C2, …
	Claim      string       `json:"claim"`
	SourceIDs  []string     `json:"source_ids"`
	Cites      []string     `json:"cites,omitempty"`      // the same with their lines, "S1:120-128", if the host named any
	Confidence string       `json:"confidence,omitempty"` // high, med or low; the host's estimate
	Round      int          `json:"round"`
	Check      *ClaimCheck  `json:"check,omitempty"`        // the last verification
	Tries      []ClaimCheck `json:"earlier,omitempty"`      // the verifications before it, oldest first
	Angle      string       `json:"angle,omitempty"`        // of the subagent that found it
	Gap        bool         `json:"coverage_gap,omitempty"` // unsupported twice, with new searches between
	Retracted  int          `json:"retracted,omitempty"`    // the round in which the host retracted it
}

// ClaimCheck is one verification of a claim.
type ClaimCheck struct {
	Cycle    int      `json:"cycle"`
	Status   string   `json:"status"`
	SourceID string   `json:"source_id,omitempty"`
	Start    int      `json:"start,omitempty"`
	End      int      `json:"end,omitempty"`
	Lines    string   `json:"lines,omitempty"` // that it rests on, cited or found: "S1:120-128; S3:7"
	Cites    []string `json:"cites,omitempty"` // as Claim.Cites, where the check named other lines
	Flags    []string `json:"flags,omitempty"`
	Key      string   `json:"key,omitempty"`      // see ReviewKey
	Searches int      `json:"searches"`           // different queries that some channel had searched for
	Reviewed string   `json:"reviewed,omitempty"` // the review item that changed or confirmed the status
}

// Contradiction is a disagreement between sources: resolved, or recorded with the reason why it is not.
type Contradiction struct {
	ID         string   `json:"contradiction_id"` // X1, X2, …
	Topic      string   `json:"topic"`
	Resolution string   `json:"resolution"`
	Why        string   `json:"why,omitempty"` // why it stays unresolved
	SourceIDs  []string `json:"source_ids"`
	Cites      []string `json:"cites,omitempty"` // the same with their lines, as of a claim
	Round      int      `json:"round"`
}

// Quoted is a verbatim part of a source's stored text. Start and End count Unicode code points, half open.
type Quoted struct {
	SourceID string `json:"source_id"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text"`
	Page     int    `json:"page,omitempty"` // PDF page on which it begins, from 1
}

// References returns what the claim cites, with the lines that were named last.
func (c Claim) References() []string {
	if c.Check != nil && len(c.Check.Cites) > 0 {
		return c.Check.Cites
	} else if len(c.Cites) > 0 {
		return c.Cites
	}
	return c.SourceIDs
}

// splitReferences separates the ids of sources, each once, from the references to lines. cites is nil without lines.
func splitReferences(references []string) (ids, cites []string) {
	ids = []string{}
	for _, ref := range references {
		id, lines, found := strings.Cut(strings.TrimSpace(ref), ":")
		if strings.HasPrefix(lines, "//") { // an address
			id = strings.TrimSpace(ref)
		} else if found {
			cites = references
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, slices.Clone(cites)
}

// claimKey identifies a claim by its text and the set of its sources, so that it is recorded once.
func claimKey(text string, sourceIDs []string) string {
	ids := slices.Sorted(slices.Values(sourceIDs))
	return foldClaim(text) + "\x00" + strings.Join(slices.Compact(ids), ",")
}

// markup matches the signs of emphasis and code around words.
var markup = regexp.MustCompile("`+|(^|[\\s(“\"'])[*_]{1,3}(\\S)|(\\S)[*_]{1,3}($|[\\s).,;:!?”\"'])")

// unitFirst matches a symbol that another case of its first letter makes another one: Mg, Gb, mW.
var unitFirst = regexp.MustCompile(`^\pL[bBgWVJmlsA](?:[^\pL]|$)`)

// foldClaim is the same for claims that differ only in white space, markup, the mark at the end and the capital of an ordinary first
// word: 1.5 l and 15 l, mW and MW are not one. Stored review keys are hashes of it.
func foldClaim(claim string) string {
	for range 2 { // of ***word*** each side
		claim = markup.ReplaceAllString(claim, "$1$2$3$4")
	}
	claim = strings.TrimRight(strings.Join(strings.Fields(claim), " "), ".。!！")
	first, n := utf8.DecodeRuneInString(claim)
	if second, _ := utf8.DecodeRuneInString(claim[n:]); unicode.IsLower(second) && !unitFirst.MatchString(claim) {
		claim = string(unicode.ToLower(first)) + claim[n:]
	}
	return claim
}

// OneSourceClaims returns the claims that rest on one weak source: one origin that is press, practitioner or of unknown
// type. It leaves out claims that no cited text supports.
func (s *State) OneSourceClaims() []Claim {
	return keep(s.CurrentClaims(), func(c Claim) bool {
		if len(c.SourceIDs) == 0 || c.Check != nil && c.Check.Status == Unsupported {
			return false
		}
		src, ok := s.SourceByID(c.SourceIDs[0])
		return ok && src.SourceType != "peer" && src.SourceType != "primary" && !slices.ContainsFunc(c.SourceIDs, func(id string) bool {
			other, _ := s.SourceByID(id)
			return other.Origin() != src.Origin()
		})
	})
}

// CheckOf is the check of one claim.
type CheckOf struct {
	ClaimID string     `json:"claim_id"`
	Check   ClaimCheck `json:"check"`
}

// Hallucinated is a citation of something that was never read.
type Hallucinated struct {
	Claim    string `json:"claim"`
	Citation string `json:"citation"`
	Why      string `json:"why"`
}
