package loopstate

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// UpdateInput is a host's report between rounds. All fields are optional.
type UpdateInput struct {
	Evidence       []Evidence      `json:"evidence"`
	Query          string          `json:"query"`
	Channel        string          `json:"channel"`
	VisitedURLs    []string        `json:"visited_urls"`
	BadURLs        []BadURL        `json:"bad_urls"`
	AnsweredGaps   []string        `json:"answered_gaps"` // gap ids or texts
	Claims         []Claim         `json:"claims"`
	Retractions    []string        `json:"retract_claims"` // claim ids or texts
	Contradictions []Contradiction `json:"contradictions"`
	Failures       []string        `json:"evaluator_failures"`
	Usage          Usage           `json:"usage"`
	Abort          string          `json:"abort"`
	ConfirmRounds  int             `json:"confirm_rounds"`
}

// Update is the step that records a report. It rejects single invalid items (a hit without a title, an unknown gap) with a
// reason and records the rest. A mistake that affects the whole call (an unknown id, a citation of something that was not
// read) is an error, and nothing is recorded.
func (s *State) Update(in UpdateInput) (Updated, error) {
	c := s.running()
	p := Updated{Query: c.optional("query", in.Query, MaxTextChars), Channel: c.optional("channel", in.Channel, maxChannelChars)}
	s.takeEvidence(&c, in, &p)
	for name, u := range listed(&c, "visited", in.VisitedURLs) {
		p.Visited = append(p.Visited, c.address(name, u))
	}
	s.takeBad(&c, in.BadURLs, &p)
	p.Answered = s.resolveGaps(&c, "answered gaps", in.AnsweredGaps, &p.Rejected)
	s.takeClaims(&c, in.Claims, &p)
	s.takeRetractions(&c, in.Retractions, &p)
	s.takeContradictions(&c, in.Contradictions, &p)
	p.Failures = c.texts("failures", in.Failures)
	p.Usage = in.Usage.check(&c)
	if p.Abort = c.optional("abort", in.Abort, MaxTextChars); p.Abort != "" && declines(p.Abort) {
		reject(&p.Rejected, "abort", "the loop goes on; to abort it for good, say that the user stops and why, without a no: "+
			"\"stopped by the user\"")
		p.Abort = ""
	}
	c.fail(CheckRange("confirmed rounds", float64(in.ConfirmRounds), 0, maxConfirmedRounds))
	p.ConfirmRounds = in.ConfirmRounds
	return p, c.err
}

// Empty reports whether the update changes nothing.
func (p Updated) Empty() bool {
	p.Duplicates, p.KnownClaims, p.Rejected = nil, nil, nil
	return reflect.ValueOf(p).IsZero()
}

// maxConfirmedRounds bounds the input, far above real values.
const maxConfirmedRounds = 1_000

func (s *State) takeEvidence(c *checks, in UpdateInput, p *Updated) {
	var hits []Evidence
	for name, e := range listed(c, "evidence", in.Evidence) {
		e.Title, e.URL = strings.TrimSpace(e.Title), docid.WithoutCredentials(strings.TrimSpace(e.URL))
		e.Source = cmp.Or(strings.TrimSpace(e.Source), p.Channel)
		why := e.fault()
		if p.Channel != "" && e.Source != p.Channel {
			why = cmp.Or(why, fmt.Sprintf("its source is %q, but the channel of the call is %q", Shorten(e.Source, 60),
				Shorten(p.Channel, 60)))
		}
		if why != "" {
			reject(&p.Rejected, name, why)
			continue
		}
		e.DOI, e.PublishedAt = docid.NormalizeDOI(e.DOI), PublicationDate(e.PublishedAt)
		e.ID, e.Title = "", Shorten(e.Title, MaxTextChars)
		hits = append(hits, e)
	}
	s.FindRepeats(hits)
	hits = s.relevant(hits, func(e Evidence, why string) { reject(&p.Rejected, Shorten(e.URL, 200), why) })
	p.Evidence, p.Duplicates = s.mintEvidence(hits)
}

func (s *State) takeBad(c *checks, in []BadURL, p *Updated) {
	for name, b := range listed(c, "bad", in) {
		if _, read := s.SourceByKey(b.URL); !read { // it may be the key of a pasted text without an address
			b.URL = c.address(name+".address", b.URL)
		}
		reason := c.optional(name+".reason", b.Reason, MaxTextChars)
		p.Bad = append(p.Bad, BadURL{URL: b.URL, Reason: cmp.Or(reason, "reported by the host")})
	}
}

// address checks an address or a typed id, and removes its credentials.
func (c *checks) address(subject, address string) string {
	address = c.text(subject, docid.WithoutCredentials(address), MaxURLChars)
	if !readableURL(address) {
		c.fail(&Error{Code: CodeNotAddress, Subject: subject, Value: Shorten(address, 80)})
	}
	return address
}

func (s *State) takeClaims(c *checks, in []Claim, p *Updated) {
	minted := map[string]int{}
	for name, ci := range listed(c, "claims", in) {
		if len(ci.SourceIDs) == 0 {
			reject(&p.Rejected, name, "it cites no source: a sentence without a source is an opinion; remove it, or find the source")
			continue
		}
		before := len(p.Claims)
		if claim := s.mintClaim(c, name, ci, &p.Claims, minted); len(p.Claims) == before && claim.ID != "" {
			p.KnownClaims = append(p.KnownClaims, claim.ID)
		}
	}
}

func (s *State) takeContradictions(c *checks, in []Contradiction, p *Updated) {
	for name, ci := range listed(c, "contradictions", in) {
		x := Contradiction{Topic: c.text(name+".topic", ci.Topic, MaxTextChars), Round: s.Round + 1,
			Resolution: c.optional(name+".resolution", ci.Resolution, MaxTextChars), Why: c.optional(name+".why", ci.Why, MaxTextChars)}
		if x.Resolution == "" && x.Why == "" {
			reject(&p.Rejected, name, "it has neither a resolution nor a reason: resolve it, or state why it stays unresolved")
			continue
		}
		x.SourceIDs, x.Cites = splitReferences(s.byIDs(ci.SourceIDs))
		s.checkSourceIDs(c, name+".sources", x.Topic, x.SourceIDs)
		x.ID = fmt.Sprintf("X%d", len(s.Contradictions)+len(p.Contradictions)+1)
		p.Contradictions = append(p.Contradictions, x)
	}
}

// A host retracts a claim. Counts, decisions and the report then ignore it; the log keeps it under its id.

var claimID = lazyregexp.New(`^[Cc]\d+$`)

// takeRetractions finds claims by id or text. An unknown id is an error; an unknown text is rejected. A text names all
// claims with these words, whatever they cite.
func (s *State) takeRetractions(c *checks, names []string, p *Updated) {
	for item, name := range listed(c, "retractions", names) {
		name = c.text(item, name, MaxTextChars)
		found := s.claimsNamed(name)
		if len(found) == 0 && claimID.MatchString(name) {
			c.fail(&Error{Code: CodeUnknownClaim, Subject: item, Value: Shorten(name, 40)})
		} else if len(found) == 0 {
			reject(&p.Rejected, Shorten(name, 200), "no claim of this loop has this text; use the claim's id")
		}
		for _, claim := range found {
			if claim.Retracted > 0 {
				reject(&p.Rejected, claim.ID, fmt.Sprintf("it was retracted in round %d", claim.Retracted))
			} else if !slices.Contains(p.Retracted, claim.ID) {
				p.Retracted = append(p.Retracted, claim.ID)
			}
		}
	}
}

// claimsNamed returns the claim with an id, or the claims with a text.
func (s *State) claimsNamed(name string) []Claim {
	if i, ok := numbered("C", strings.ToUpper(name), len(s.Claims)); ok {
		return []Claim{s.Claims[i]}
	}
	words := foldClaim(name)
	return keep(s.Claims, func(c Claim) bool { return foldClaim(c.Claim) == words })
}

var (
	// goesOn matches what models fill the argument with if nobody stops: nothing, a word for no, or "keep going".
	goesOn = lazyregexp.New(`(?i)^\PL*$|n['’]t\b|[不否无別别继継続]|нет|продолж` +
		`|\b(?:no|none|not|never|nothing|nobody|without|cannot|dont|false|f|n|na|nan|nil|null|off|nein|nicht|keine?|non|ne)\b` +
		`|\b(?:continu|proceed|resum|keep |go on|goes on|going on|go ahead|carry|carrying|weiter|fortsetz)`)
	// ends matches what begins with an end.
	ends = lazyregexp.New(`(?i)^\W*(?:the user )?(?:wants to |asked to |decided to )?(?:stop|abort|cancel|quit|halt|terminat|end)`)
)

// declines reports whether a reason to abort may say that nobody aborts. An abort cannot be undone, so a doubtful one needs other words.
func declines(reason string) bool { return goesOn.MatchString(reason) && !ends.MatchString(reason) }
