package loopstate

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/text/query"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/internal/translations"
)

// Origins counts the independent origins among the sources.
func (s *State) Origins() int {
	all := map[string]bool{}
	for _, origin := range s.originsByID() {
		all[origin] = true
	}
	return len(all)
}

// OriginOf returns a function from the id of a source to its origin, the same for sources that are one. It is the only rule
// for that, and follows the threshold of near copies under which the sources were recorded.
func (s *State) OriginOf() func(id string) string {
	byID := s.originsByID()
	return func(id string) string { return byID[id] }
}

// OriginsOf maps sources outside a loop to their origins, by the same rule.
func OriginsOf(sources []Source) map[string]string { return (&State{Sources: sources}).originsByID() }

// originsByID maps each source to its origin: the id of the first source of that origin.
func (s *State) originsByID() map[string]string {
	byID, byName := make(map[string]string, len(s.Sources)), map[string]string{}
	for i, src := range s.Sources {
		origin, copied := byID[src.DuplicateOf]
		names := s.index.publication(src, i)
		for i := 0; !copied && i < len(names); i++ {
			origin, copied = byName[names[i]]
		}
		if !copied {
			origin = src.ID
		}
		byID[src.ID] = origin
		for _, name := range names {
			if _, ok := byName[name]; !ok {
				byName[name] = origin
			}
		}
	}
	return byID
}

// publication returns the names of the source at a position: those of the index, if it has them.
func (ix *index) publication(src Source, position int) []string {
	if position < len(ix.publications) {
		return ix.publications[position]
	}
	return src.Publication()
}

// ShownOf returns the parts of a source's text that were shown, under its own id or as another source with an identical
// text.
func (s *State) ShownOf(id string) Spans {
	src, ok := s.SourceByID(id)
	if !ok {
		return nil
	}
	spans := s.Shown[id]
	for _, other := range s.Sources {
		if other.SHA256 == src.SHA256 && other.ID != id {
			spans = spans.With(s.Shown[other.ID]...)
		}
	}
	return spans
}

// OneSourceClaims returns the claims that rest on one weak source: one origin that is press, practitioner or of unknown
// type.
func (s *State) OneSourceClaims() []Claim {
	_, weak := s.weakClaims()
	return weak
}

func (s *State) weakClaims() (unsupported, weak []Claim) {
	origins := s.originsByID()
	for _, c := range s.CurrentClaims() {
		if c.Check != nil && c.Check.Status == Unsupported {
			unsupported = append(unsupported, c)
		} else if src, one := s.oneOrigin(c, origins); one && src.SourceType != "peer" && src.SourceType != "primary" {
			weak = append(weak, c)
		}
	}
	return unsupported, weak
}

// oneOrigin returns the first source of a claim whose sources are all of one origin.
func (s *State) oneOrigin(c Claim, origins map[string]string) (Source, bool) {
	for _, id := range c.SourceIDs {
		if _, ok := s.SourceByID(id); !ok || origins[id] != origins[c.SourceIDs[0]] {
			return Source{}, false
		}
	}
	if len(c.SourceIDs) == 0 {
		return Source{}, false
	}
	return s.SourceByID(c.SourceIDs[0])
}

//go:embed data/messages.txt
var messagesFile string

var messages = sync.OnceValue(func() map[string]translations.Table { return translations.Parse(messagesFile) })

// Language returns the language of the question: de, fr, es, zh or ja, or en for English, other and unknown ones.
func (s *State) Language() string {
	return query.Language(s.Query + " " + strings.Join(s.Rubrics, " "))
}

// messages returns the texts of gaps in the language of the question.
func (s *State) messages() translations.Table { return messages()[s.Language()] }

// against returns a query for counter-evidence.
func (s *State) against(subject string) string {
	table := s.messages()
	if l := words.Script(subject); l == "ko" || l == "ru" {
		table = messages()[l]
	}
	return table.T("criticism of %s", subject)
}

// entityFacts counts the distinct grounded claims that name the target entity. In a loop without claims, which need not be
// recorded, it counts the read sources with its name in their titles.
func (s *State) entityFacts() int {
	facts := map[string]bool{} // the same claim with other citations counts once
	claims := false
	for _, c := range s.Claims {
		claims = claims || c.counts()
		if c.counts() && c.Check != nil && c.Check.Status == Grounded && s.Entity.Mentions(c.Claim) {
			facts[foldText(c.Claim)] = true
		}
	}
	if !claims {
		for _, source := range s.Sources {
			if source.DuplicateOf == "" && s.Entity.Mentions(source.Title) {
				facts[source.ID] = true
			}
		}
	}
	return len(facts)
}

// entityGapText returns the text of a target entity's gap.
func (s *State) entityGapText() string {
	return s.messages().T("fewer than three verifiable facts about %s", s.Entity.Name)
}

// IsEntityGap reports whether a gap is the one that the loop opens for a target entity with too few facts.
func (s *State) IsEntityGap(g Gap) bool { return s.Entity != nil && g.Gap == s.entityGapText() }

// tooFewFacts returns why a host cannot yet close the gap of the target entity, or "".
func (s *State) tooFewFacts(g Gap) string {
	if !s.IsEntityGap(g) || s.entityFacts() >= minEntityFacts {
		return ""
	}
	return fmt.Sprintf("too few grounded claims about %s: %d; %d answer this gap automatically. If they cannot be found, record it as an open question with a reason", clip(s.Entity.Name, 100), s.entityFacts(), minEntityFacts)
}
