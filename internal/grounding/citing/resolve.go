package citing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Library has the sources that citations can refer to.
type Library struct {
	Loop     *loopstate.State // its sources; nil without a loop
	OnDemand bool             // other addresses are read later; otherwise they are dead
}

func (l Library) question() string {
	if l.Loop == nil {
		return ""
	}
	return l.Loop.Query
}

// titleChars of a title are quoted in a problem.
const titleChars = 60

// Follow resolves the citations of a list of claims and returns the dead ones.
func (l Library) Follow(claims []Claim) []Dead {
	var dead []Dead
	for i := range claims {
		c := &claims[i]
		c.Given = l.question()
		for j := range c.Citations {
			cite := c.Citations[j]
			switch {
			case cite.SourceID != "":
				l.byID(&cite, cite.SourceID)
			case cite.URL != "":
				l.byAddress(&cite, cite.URL)
			default:
				cite.Problem = "the citation names neither a source id nor an address"
			}
			if cite.Problem != "" {
				dead = append(dead, Dead{Citation: c.Citations[j], Claim: c.Text})
				dead[len(dead)-1].Problem = cite.Problem
			} else if cite.SourceID != "" {
				c.Ask(cite.SourceID, cite.Quote)
			}
			c.Citations[j] = cite
		}
	}
	return dead
}

// Text has the claims and citations of a draft.
type Text struct {
	Claims  []Claim
	Uncited []Claim // sentences that make a claim without a citation
	Own     []Claim // sentences that are the author's own statement, see grounding.DraftSentence
	Dead    []Dead
}

// Read finds the claims of a draft and resolves its citations. Marks that lead to nothing are reported wherever they
// are, on a claim, a question or a heading; links only on claims, because elsewhere they need not be citations.
func (l Library) Read(draft grounding.Draft) Text {
	var out Text
	for i := range draft.Sentences {
		s := &draft.Sentences[i]
		c := Claim{Text: s.Text, Sentence: s, Quotes: s.Quotes, Given: given(l.question(), s.Head), Covered: s.IsClaim && len(s.Markers) == 0}
		if !s.IsClaim {
			out.strays(l, draft, s.Text, s.Markers)
			if s.Own != "" {
				for _, m := range s.Markers {
					c.Citations = append(c.Citations, l.mark(draft, m))
				}
				out.Own = append(out.Own, c)
			}
			continue
		}
		if c.Covered && len(s.Covering) == 0 {
			c.Covered = false
			out.Uncited = append(out.Uncited, c)
			continue
		}
		for _, m := range slices.Concat(s.Markers, s.Covering) {
			cite := l.mark(draft, m)
			if cite.Problem != "" && c.Covered {
				continue // reported with the sentence that it is on
			}
			if cite.Problem != "" {
				out.Dead = append(out.Dead, Dead{Citation: cite, Claim: s.Text})
			} else if cite.SourceID != "" {
				c.Ask(cite.SourceID, "")
			}
			c.Citations = append(c.Citations, cite)
		}
		out.Claims = append(out.Claims, c)
	}
	out.strays(l, draft, "", draft.Strays)
	return out
}

// strays reports the dead marks that are on no claim. An entry without an address is reported where a claim cites it.
func (t *Text) strays(l Library, draft grounding.Draft, text string, marks []grounding.Marker) {
	for _, m := range marks {
		entry, listed := draft.Entry(m)
		if m.Kind == grounding.MarkerLink || m.Kind == grounding.MarkerURL || listed && entry.URL == "" {
			continue
		}
		if cite := l.mark(draft, m); cite.Problem != "" {
			t.Dead = append(t.Dead, Dead{Citation: cite, Claim: text, Stray: true})
		}
	}
}

// mark resolves a mark of a draft. An id is a source of the loop. A number leads through the reference list, and in a
// loop's draft without a list to the source of that number.
func (l Library) mark(draft grounding.Draft, m grounding.Marker) Citation {
	cite := Citation{Marker: m}
	entry, listed := draft.Entry(m)
	numbered := m.Kind == grounding.MarkerNumber || m.Kind == grounding.MarkerFootnote
	switch {
	case m.Kind == grounding.MarkerLink || m.Kind == grounding.MarkerURL:
		l.byAddress(&cite, m.Target)
	case m.Kind == grounding.MarkerDOI:
		l.byAddress(&cite, "https://doi.org/"+strings.TrimPrefix(m.Target, "doi:"))
	case l.Loop != nil && m.Kind == grounding.MarkerID:
		l.byID(&cite, m.Target)
	case l.Loop != nil && numbered && len(draft.References) == 0:
		l.byID(&cite, "S"+m.Target)
	case listed && entry.URL != "":
		l.byAddress(&cite, entry.URL)
	case listed:
		l.byTitle(&cite, entry)
	case m.Kind == grounding.MarkerID:
		cite.Problem = m.Target + " is the id of a source in a loop; name the loop, or list the address in the references"
	case len(draft.References) == 0:
		cite.Problem = "the text has no reference list with an entry for " + m.Target
	default:
		cite.Problem = "the reference list has no entry for " + m.Target
	}
	return cite
}

func (l Library) byID(cite *Citation, id string) {
	id = strings.TrimSpace(id)
	if l.Loop != nil {
		if src, ok := l.Loop.SourceByID(id); ok {
			cite.SourceID, cite.URL = src.ID, src.FinalURL
			return
		}
	}
	cite.SourceID, cite.Problem = "", "no source of the loop has the id "+id+": it was never read"
}

func (l Library) byAddress(cite *Citation, address string) {
	cite.URL = address
	if l.Loop != nil {
		if src, ok := l.Loop.SourceByAddress(address, ""); ok {
			cite.SourceID = src.ID
			return
		}
	}
	if !l.OnDemand {
		cite.Problem = address + " was never read in this loop; read it, then cite its source id"
	}
}

// byTitle finds the one source of the loop with the title of an entry that has no address.
func (l Library) byTitle(cite *Citation, entry grounding.Reference) {
	problem := fmt.Sprintf("the entry %q of the reference list has no address", sanitize.Short(entry.Title, titleChars))
	if l.Loop == nil {
		cite.Problem = problem + "; add its URL, or for a local file file:// and the absolute path"
		return
	}
	var found []loopstate.Source
	for _, src := range l.Loop.Sources {
		if entry.Names(src.Title) {
			found = append(found, src)
		}
	}
	switch len(found) {
	case 0:
		cite.Problem = problem + ", and no source that was read has that title"
	case 1:
		cite.SourceID, cite.URL = found[0].ID, found[0].FinalURL
	default:
		cite.Problem = fmt.Sprintf("%s, and both %s and %s have that title; write the address", problem, found[0].ID, found[1].ID)
	}
}

// given is what a claim need not cite: the heads of its columns in a table, and what the question says.
func given(question, head string) string {
	if head == "" {
		return question
	}
	return head + "\n" + question
}
