package verify

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

// The statuses of a citation that are not fetch's.
const (
	statusRead       = "read"
	statusNotRead    = "not_read"
	statusNotFound   = "not_found"
	statusUnresolved = "unresolved"
)

// collector takes drafts apart: their claims, and the sources that these cite, each once however it is spelt.
type collector struct {
	loop    *Loop
	drafts  []parsed
	claims  []Claim
	quotes  [][]string // of each claim
	uncited []Sentence
	dead    []DeadCitation // marks that lead to no address
	sources []Source
	byKey   map[string]int
	listed  []listedTitle
}

func (c *collector) collect(d Draft) {
	p := parse(d)
	n := len(c.drafts)
	c.drafts = append(c.drafts, p)
	for _, s := range p.draft.Sentences {
		place := p.places.place(d.Name, s.Start, s.End)
		if s.IsClaim && len(s.Markers) == 0 && len(s.Covering) > 0 {
			c.cover(n, s, place)
			continue
		}
		if s.IsClaim && len(s.Markers) == 0 {
			c.uncited = append(c.uncited, Sentence{Text: s.Text, Place: place, draft: n, start: s.Start, end: s.End})
			continue
		}
		if !s.IsClaim {
			c.strays(n, s.Text, s.Markers)
			continue
		}
		claim := Claim{Claim: s.Text, Place: place, draft: n, start: s.Start, end: s.End, dead: true}
		cited := map[int]bool{}
		for _, m := range s.Markers {
			cite := Citation{Marker: m.Raw, start: m.Start, end: m.End, source: -1}
			cite.source, cite.URL, cite.Reason = c.resolve(m, p.draft)
			if cite.source < 0 {
				cite.Status = statusUnresolved
				c.lost(n, s.Text, m, cite.Reason)
			} else if !cited[cite.source] {
				cited[cite.source] = true
				c.sources[cite.source].Cited++
			}
			claim.Citations = append(claim.Citations, cite)
		}
		c.claims = append(c.claims, claim)
		c.quotes = append(c.quotes, s.Quotes)
	}
	c.strays(n, "", p.draft.Strays)
	for _, ref := range p.draft.References {
		if ref.URL != "" {
			c.listed = append(c.listed, listedTitle{ref, c.keyOf(ref.URL), n})
		}
	}
}

// cover takes a sentence without a mark whose paragraph is cited further on: it counts as cited where that source
// grounds it, and else as uncited.
func (c *collector) cover(draft int, s grounding.DraftSentence, place Place) {
	claim := Claim{Claim: s.Text, Place: place, draft: draft, start: s.Start, end: s.End, covered: true}
	for _, m := range s.Covering {
		if i, address, _ := c.resolve(m, c.drafts[draft].draft); i >= 0 {
			claim.Citations = append(claim.Citations, Citation{Marker: m.Raw, URL: address, start: m.Start, end: m.End, source: i})
		}
	}
	c.claims = append(c.claims, claim)
	c.quotes = append(c.quotes, s.Quotes)
}

// listedTitle is what a list of references calls a source.
type listedTitle struct {
	grounding.Reference
	key   string
	draft int
}

// strays looks at the marks that cite for no claim: in headings, questions and talk about the work. A number that
// leads nowhere is a mistake there too; a link need not be a citation.
func (c *collector) strays(draft int, text string, marks []grounding.Marker) {
	for _, m := range marks {
		if m.Kind == grounding.MarkerLink || m.Kind == grounding.MarkerURL || m.Kind == grounding.MarkerDOI {
			continue
		}
		if _, listed := c.drafts[draft].draft.Entry(m); listed {
			continue
		}
		if source, _, why := c.resolve(m, c.drafts[draft].draft); source < 0 {
			c.lost(draft, text, m, why)
			c.dead[len(c.dead)-1].stray = true
		}
	}
}

// lost notes a mark that leads to nothing.
func (c *collector) lost(draft int, text string, m grounding.Marker, why string) {
	p := c.drafts[draft]
	c.dead = append(c.dead, DeadCitation{Claim: text, Citation: m.Raw, Why: why, Place: p.places.place(p.name, m.Start, m.End), draft: draft})
}

// resolve finds the source that a mark leads to, or says why there is none (-1).
func (c *collector) resolve(m grounding.Marker, d grounding.Draft) (source int, address, why string) {
	switch m.Kind {
	case grounding.MarkerLink, grounding.MarkerURL:
		return c.address(m.Target), m.Target, ""
	case grounding.MarkerDOI:
		address = "https://doi.org/" + strings.TrimPrefix(m.Target, "doi:")
		return c.address(address), address, ""
	}
	entry, listed := d.Entry(m)
	id := m.Target
	if m.Kind != grounding.MarkerID {
		id = "S" + m.Target
	}
	numbered := m.Kind == grounding.MarkerNumber || m.Kind == grounding.MarkerFootnote
	switch {
	case c.loop != nil && (m.Kind == grounding.MarkerID || numbered && len(d.References) == 0):
		src, ok := c.loop.state.SourceByID(id)
		if !ok {
			return -1, "", "no source of the loop has the id " + id + ": it was never read"
		}
		return c.kept(src), src.FinalURL, ""
	case listed && entry.URL != "":
		return c.address(entry.URL), entry.URL, ""
	case listed && c.loop != nil:
		return c.titled(entry)
	case listed:
		return -1, "", fmt.Sprintf("the entry %q of the list of references names no address", shorten(entry.Title, 60))
	case m.Kind == grounding.MarkerID:
		return -1, "", id + " is the id of a source in a loop: name the loop, or list the address in the references"
	case len(d.References) == 0:
		return -1, "", "the text has no list of references that " + m.Target + " could lead to"
	}
	return -1, "", "the list of references has no entry " + m.Target
}

// titled is the one source of the loop that an entry without an address names.
func (c *collector) titled(entry grounding.Reference) (source int, address, why string) {
	var found []loopstate.Source
	for _, src := range c.loop.state.Sources {
		if entry.Names(src.Title) {
			found = append(found, src)
		}
	}
	if len(found) != 1 {
		return -1, "", fmt.Sprintf("the entry %q of the list of references names no address, and %d sources of the loop have that title", shorten(entry.Title, 60), len(found))
	}
	return c.kept(found[0]), found[0].FinalURL, ""
}

// address is the source at an address. Addresses of one document are one source.
func (c *collector) address(raw string) int {
	if c.loop != nil {
		if src, ok := c.loop.state.SourceByAddress(raw, ""); ok {
			return c.kept(src)
		}
	}
	return c.add(Source{ID: raw, URL: raw, key: c.keyOf(raw)})
}

// keyOf is the key under which the source at an address counts once.
func (c *collector) keyOf(raw string) string {
	if c.loop != nil {
		if src, ok := c.loop.state.SourceByAddress(raw, ""); ok {
			return loopKey(src)
		}
	}
	return loopstate.CanonicalKey(raw, "")
}

func loopKey(src loopstate.Source) string { return "loop:" + src.ID }

// kept is a source of the loop; its text is taken from there.
func (c *collector) kept(src loopstate.Source) int {
	return c.add(Source{ID: src.ID, URL: src.URL, FinalURL: src.FinalURL, Title: src.Title, SourceType: src.SourceType, SHA256: src.SHA256,
		Chars: src.Chars, From: fromLoop, FetchedAt: &src.FetchedAt, key: loopKey(src), pages: src.Pages})
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
