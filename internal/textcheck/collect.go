package textcheck

import (
	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

// The statuses of a citation, besides those of fetch.
const (
	statusRead       = "read"
	statusNotRead    = "not_read"
	statusNotFound   = "not_found"
	statusUnresolved = "unresolved"
)

// collector collects the claims of drafts and the sources that they cite, each source once.
type collector struct {
	loop    *Loop
	drafts  []parsed
	claims  []sentence
	uncited []Sentence
	dead    []DeadCitation
	sources []Source
	byKey   map[string]int
	listed  []listedTitle
}

// sentence is a claim of a draft.
type sentence struct {
	citing.Claim
	draft int
	cites []Citation

	reading *loopstate.Reading // of an accepted second reader
}

func (c *collector) library() citing.Library {
	library := citing.Library{OnDemand: true}
	if c.loop != nil {
		library.Loop = c.loop.state
	}
	return library
}

func (c *collector) collect(d Draft) {
	p := parse(d)
	n := len(c.drafts)
	c.drafts = append(c.drafts, p)
	text := c.library().Read(p.draft)
	for _, claim := range text.Claims {
		c.claims = append(c.claims, c.sentence(n, claim))
	}
	for _, u := range text.Uncited {
		c.uncited = append(c.uncited, p.uncited(n, u))
	}
	for _, x := range text.Dead {
		c.dead = append(c.dead, DeadCitation{Claim: x.Claim, Citation: x.Written(), Why: x.Problem, Place: p.places.place(p.name, x.Start, x.End), draft: n, stray: x.Stray})
	}
	for _, ref := range p.draft.References {
		if ref.URL != "" {
			c.listed = append(c.listed, listedTitle{ref, c.keyOf(ref.URL), n})
		}
	}
}

// sentence registers the sources that a claim cites.
func (c *collector) sentence(draft int, claim citing.Claim) sentence {
	out := sentence{Claim: claim, draft: draft}
	counted := map[int]bool{}
	for _, from := range claim.Citations {
		cite := Citation{Marker: from.Raw, URL: from.URL, Reason: from.Problem, start: from.Start, end: from.End, source: -1}
		switch {
		case from.Problem != "":
			cite.Status, cite.URL = statusUnresolved, ""
		case from.SourceID != "":
			src, _ := c.loop.state.SourceByID(from.SourceID)
			cite.source = c.kept(src)
		default:
			cite.source = c.add(Source{ID: from.URL, URL: from.URL, key: c.keyOf(from.URL)})
		}
		if cite.source >= 0 && !claim.Covered && !counted[cite.source] {
			counted[cite.source] = true
			c.sources[cite.source].Cited++
		}
		out.cites = append(out.cites, cite)
	}
	return out
}

func (p parsed) uncited(draft int, c citing.Claim) Sentence {
	start, end := c.Span()
	return Sentence{Text: c.Text, Place: p.places.place(p.name, start, end), draft: draft, start: start, end: end, covered: c.Covered}
}

// listedTitle is an entry of a reference list with the source that it names.
type listedTitle struct {
	grounding.Reference
	key   string
	draft int
}

// keyOf returns the key of the source at an address.
func (c *collector) keyOf(raw string) string {
	if c.loop != nil {
		if src, ok := c.loop.state.SourceByAddress(raw, ""); ok {
			return loopKey(src)
		}
	}
	return loopstate.CanonicalKey(raw, "")
}

func loopKey(src loopstate.Source) string { return "loop:" + src.ID }

// kept registers a source of the loop with a stored text.
func (c *collector) kept(src loopstate.Source) int {
	return c.add(Source{ID: src.ID, URL: src.URL, FinalURL: src.FinalURL, Title: src.Title, SourceType: src.SourceType, SHA256: src.SHA256,
		Chars: src.Chars, From: fromLoop, FetchedAt: &src.FetchedAt, key: loopKey(src), publisher: src.Publisher, authors: src.Authors, publication: src.Publication(), pages: src.Pages})
}

func (c *collector) add(src Source) int {
	if i, ok := c.byKey[src.key]; ok {
		return i
	}
	i := len(c.sources)
	c.byKey[src.key] = i
	c.sources = append(c.sources, src)
	return i
}
