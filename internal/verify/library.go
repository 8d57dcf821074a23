package verify

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Library has the sources that citations can refer to. Without a loop it has none, and every address is read later.
type Library struct {
	Sources  []loopstate.Source
	InLoop   bool // ids such as S1 name Sources
	OnDemand bool // other addresses are read later; otherwise they are dead
	// Resolve makes a relative link absolute; nil: such links match files among Sources only.
	Resolve func(link string) string

	byID, byKey map[string]int
}

// LibraryOf returns the library of a loop, or of a state that is none and has no id. It copies what it needs, so that it outlives
// the loop's lock.
func LibraryOf(st *loopstate.State) Library {
	l := Library{Sources: slices.Clone(st.Sources), InLoop: st.Loop != ""}.Indexed()
	l.byKey = st.SourceKeys() // with the addresses that led to a source
	return l
}

// Indexed returns the library with its sources indexed by id and address. Only such a library finds them.
func (l Library) Indexed() Library {
	l.byID, l.byKey = map[string]int{}, map[string]int{}
	for i, src := range l.Sources {
		l.byID[src.ID], l.byKey[src.Key] = i, i
	}
	return l
}

// maxLean is how many lines a sentence may stand behind the one that its pronoun is about.
const maxLean = 3

// Dead is a citation that leads to nothing.
type Dead struct {
	Citation
	Claim string // the sentence that it is on; empty for none
}

// Follow resolves the citations of a list of claims.
func (l Library) Follow(claims []Claim) {
	for i := range claims {
		for j := range claims[i].Citations {
			cite := &claims[i].Citations[j]
			switch {
			case cite.Problem != "":
			case cite.SourceID != "":
				l.byName(cite, cite.SourceID)
			case cite.URL != "":
				l.byAddress(cite, cite.URL)
			default:
				cite.Problem = "the citation names neither a source id nor an address"
			}
		}
	}
}

// Statements has the claims and citations of a draft or a list of claims.
type Statements struct {
	Claims  []Claim
	Uncited []Claim // sentences that make a claim without a citation
	Own     []Claim // of a draft: the author's own statements, which are not checked, see draft.Sentence
	Strays  []Dead  // citations that are on no claim and dead, or not followed
}

// Read finds the claims of a draft and resolves its citations. Marks that lead to nothing are reported wherever they are, on
// a claim, a question or a heading; links only on claims, because elsewhere they need not be citations.
func (l Library) Read(d draft.Draft) Statements {
	var out Statements
	for i := range d.Sentences {
		s := &d.Sentences[i]
		c := Claim{Text: s.Text, Sentence: s, Quotes: s.Quotes, Covered: s.IsClaim && len(s.Markers) == 0}
		if i > 0 && reader.Leans(s.Text) && s.Line-d.Sentences[i-1].Line <= maxLean {
			c.Before = d.Sentences[i-1].Text
		}
		marks := s.Markers
		switch {
		case !s.IsClaim:
			if out.Strays = append(out.Strays, l.strays(d, s.Text, s.Markers)...); s.Own == "" {
				continue
			}
		case c.Covered && len(s.Covering) == 0:
			c.Covered = false
			out.Uncited = append(out.Uncited, c)
			continue
		case c.Covered:
			marks = s.Covering
		}
		for _, m := range marks {
			if entry, listed := d.Entry(m); listed { // the title of the work is no quotation from it
				c.Quotes = slices.DeleteFunc(slices.Clone(c.Quotes), func(said string) bool { return titled(said, entry.Title) })
			}
			cite := l.mark(d, m)
			if cite.Problem == "" || !c.Covered { // a dead one is reported with the sentence that it is on
				c.Citations = append(c.Citations, cite)
			}
		}
		if s.IsClaim {
			out.Claims = append(out.Claims, c)
		} else {
			out.Own = append(out.Own, c)
		}
	}
	out.Strays = append(out.Strays, l.strays(d, "", d.Strays)...)
	return out
}

// strays returns the dead marks that are on no claim. An entry without an address is reported where a claim cites it.
func (l Library) strays(d draft.Draft, text string, marks []draft.Marker) []Dead {
	var out []Dead
	for _, m := range marks {
		entry, listed := d.Entry(m)
		link := m.Kind == draft.MarkerLink || m.Kind == draft.MarkerURL || listed && entry.URL == ""
		if cite := l.mark(d, m); cite.Problem != "" && !link {
			out = append(out, Dead{Citation: cite, Claim: text})
		}
	}
	return out
}

// mark resolves a mark of a draft. An id is a source of the loop. A number leads through the reference list, and in a loop's
// draft without a list to the source of that number.
func (l Library) mark(d draft.Draft, m draft.Marker) Citation {
	entry, listed := d.Entry(m)
	if m.Lines == "" && m.Quote == "" && !(l.InLoop && m.Kind == draft.MarkerID) {
		m.Lines, m.Quote = entry.Lines, entry.Quote
	}
	cite := Citation{Marker: m, Quote: m.Quote}
	if m.Lines != "" {
		cite.setLines(m.Lines)
	}
	numbered := m.Kind == draft.MarkerNumber || m.Kind == draft.MarkerFootnote
	switch {
	case cite.Problem != "":
	case m.Kind == draft.MarkerLink || m.Kind == draft.MarkerURL:
		l.byAddress(&cite, m.Target)
	case m.Kind == draft.MarkerDOI:
		l.byAddress(&cite, "https://doi.org/"+strings.TrimPrefix(m.Target, "doi:"))
	case l.InLoop && m.Kind == draft.MarkerID:
		l.byName(&cite, m.Target)
	case l.InLoop && entry.ID != "":
		l.byName(&cite, entry.ID)
	case l.InLoop && numbered && len(d.References) == 0:
		l.byName(&cite, "S"+m.Target)
	case listed && entry.URL != "":
		l.byAddress(&cite, entry.URL)
	case listed:
		l.byTitle(&cite, entry)
	case m.Kind == draft.MarkerID:
		cite.Problem = m.Target + " is the id of a source in a loop; name the loop, or list the address in the references"
	case m.Kind == draft.MarkerKey && d.Bibliography != "":
		cite.Problem = fmt.Sprintf("the entry of @%s is in %s, which is not read; write the list into the text "+
			"(pandoc --citeproc), or its address here", m.Target, d.Bibliography)
	case len(d.References) == 0:
		cite.Problem = "the text has no reference list with an entry for " + m.Target
	default:
		cite.Problem = "the reference list has no entry for " + m.Target
	}
	return cite
}

func (l Library) byName(cite *Citation, id string) {
	cite.SourceID, id = "", strings.TrimSpace(id)
	if at, ok := l.byID[id]; ok {
		cite.SourceID, cite.URL = id, l.Sources[at].FinalURL
	} else if strings.ContainsAny(id, "./") { // the address of a source, or its file
		l.byAddress(cite, id)
	} else {
		cite.Problem = "no source of the loop has the id " + sanitize.Short(id, 60) + ": it was never read"
	}
}

// ByID returns the source with an id.
func (l Library) ByID(id string) (loopstate.Source, bool) {
	if at, ok := l.byID[id]; ok {
		return l.Sources[at], true
	}
	return loopstate.Source{}, false
}

// ByAddress returns the source that was read at an address.
func (l Library) ByAddress(address string) (loopstate.Source, bool) {
	if at, ok := l.byKey[docid.CanonicalKey(address, "")]; ok {
		return l.Sources[at], true
	}
	return loopstate.Source{}, false
}

func (l Library) byAddress(cite *Citation, address string) {
	src, ok := loopstate.Source{}, false
	if !strings.Contains(address, "://") { // a file beside the text, unless it is an address without its scheme
		if src, ok = l.byFile(address); !ok && l.Resolve != nil {
			address = l.Resolve(address)
		}
	}
	if !ok {
		src, ok = l.ByAddress(address)
	}
	switch cite.URL = address; {
	case ok:
		cite.SourceID, cite.URL = src.ID, src.FinalURL
	case !l.OnDemand:
		cite.Problem = address + " was never read in this loop; read it, then cite its source id"
	}
}

// byFile finds the one file among the sources to which a relative link can lead.
func (l Library) byFile(link string) (found loopstate.Source, ok bool) {
	link, _, _ = strings.Cut(link, "#")
	plain, _ := url.PathUnescape(link) // "" fits no file
	name := (&url.URL{Path: path.Clean("/" + plain)}).EscapedPath()
	for _, src := range l.Sources {
		if file, is := strings.CutPrefix(src.Key, "file:"); is && strings.HasSuffix(file, name) {
			if ok {
				return loopstate.Source{}, false // two files fit
			}
			found, ok = src, true
		}
	}
	return found, ok
}

// byTitle finds the one source of the loop with the title of an entry that has no address.
func (l Library) byTitle(cite *Citation, entry draft.Reference) {
	problem := fmt.Sprintf("the entry %q of the reference list has no address", sanitize.Short(entry.Title, 60))
	if !l.InLoop {
		cite.Problem = problem + "; add its URL, or for a local file file:// and the absolute path"
		return
	}
	var found []loopstate.Source
	for _, src := range l.Sources {
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

// linesOf sets the lines of a citation that names a page, and reports lines that the text does not have.
func (c *Citation) linesOf(src Source) {
	text := src.Text.Lines()
	if page, ok := strings.CutPrefix(c.Marker.Lines, "page="); ok && len(c.Lines) == 0 && len(src.Pages) > 0 {
		ends := append(slices.Clone(src.Pages), src.Chars)
		if n, _ := strconv.Atoi(page); 0 < n && n < len(ends) {
			c.Lines = lines.Ranges{text.Lines(ends[n-1], ends[n])}
		} else {
			c.Problem = fmt.Sprintf("%s has %d pages, so there is no page %s", c.SourceID, len(src.Pages), page)
		}
		return
	}
	if !text.Has(c.Lines) {
		c.Problem = fmt.Sprintf("%s has %s, so there is no %s", c.SourceID, english.Plural(text.Len(), "line", ""), c.Reference())
	}
}
