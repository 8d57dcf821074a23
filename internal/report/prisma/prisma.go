// Package prisma counts the records of a systematic review from a loop's log, as the flow diagram of PRISMA 2020 shows them.
package prisma

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Review is a systematic review as its log has it.
type Review struct {
	Identified []Count `json:"identified"` // records by channel
	Duplicates int     `json:"duplicates"`
	Unfit      int     `json:"unfit"` // removed before screening for another reason: without a title or address, or not about the subject
	Databases  Column  `json:"databases"`
	Other      Column  `json:"other"` // sources that no search found, but on which somebody decided
	// Disagreements are records on which two people decided differently at one stage; the last decision counts.
	Disagreements int                `json:"disagreements"`
	Decisions     []Decision         `json:"decisions"`
	Searches      []loopstate.Search `json:"searches"`
}

// Column is one way of the flow.
type Column struct {
	Records      int     `json:"records"` // without duplicates
	Screened     int     `json:"screened"`
	Excluded     []Count `json:"excluded"` // by title and abstract, by reason
	Sought       int     `json:"sought"`
	NotRetrieved int     `json:"not_retrieved"` // reading it failed
	Assessed     int     `json:"assessed"`      // in full text
	Rejected     []Count `json:"rejected"`      // of those, excluded by reason
	Included     int     `json:"included"`
	ToRetrieve   int     `json:"to_retrieve"` // sought, but nobody tried to read it yet
	ToAssess     int     `json:"to_assess"`   // read, but not assessed yet
}

// Count is a number of records by channel or reason.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Decision is one decision with the title and address of its record.
type Decision struct {
	loopstate.Screened
	Title string `json:"title"`
	URL   string `json:"url"`
}

// record is a hit, or a source without one, with its last decisions.
type record struct {
	title, full     loopstate.Screened
	read, unfetched bool
}

// Of returns the review of a loop, or nil if it has no decision on a record.
func Of(st *loopstate.State) *Review {
	if len(st.Screening) == 0 {
		return nil
	}
	r := &Review{Unfit: st.Unfit, Searches: st.Searches, Identified: []Count{}, Decisions: []Decision{}}
	total := 0
	for _, channel := range slices.Sorted(maps.Keys(st.Identified)) {
		r.Identified = append(r.Identified, Count{channel, st.Identified[channel]})
		total += st.Identified[channel]
	}
	r.Duplicates = max(0, total-st.Unfit-len(st.Evidence))
	hits, others := map[string]*record{}, map[string]*record{}
	names, hitOf := map[string][2]string{}, hitsOf(st)
	for _, e := range st.Evidence {
		_, read := st.SourceOf(e)
		hits[e.ID] = &record{read: read, unfetched: st.IsBad(e.URL)}
		names[e.ID] = [2]string{e.Title, e.URL}
	}
	for _, s := range st.Sources {
		names[s.ID] = [2]string{s.Title, s.URL}
	}
	said := map[[2]string]string{} // record and stage -> decision
	disagreed := map[string]bool{}
	for _, d := range st.Screening {
		d.Record = cmp.Or(hitOf[d.Record], d.Record)
		at := hits[d.Record]
		if at == nil && others[d.Record] == nil {
			others[d.Record] = &record{read: true}
		}
		if at == nil {
			at = others[d.Record]
		}
		if d.Stage == loopstate.StageFullText {
			at.full = d
		} else {
			at.title = d
		}
		key := [2]string{d.Record, d.Stage}
		disagreed[d.Record] = disagreed[d.Record] || said[key] != "" && said[key] != d.Decision
		said[key] = d.Decision
		r.Decisions = append(r.Decisions, Decision{d, sanitize.Line(names[d.Record][0]), names[d.Record][1]})
	}
	for _, differ := range disagreed {
		if differ {
			r.Disagreements++
		}
	}
	r.Databases, r.Other = columnOf(hits), columnOf(others)
	return r
}

// hitsOf maps the ids of sources to those of the hits that led to them.
func hitsOf(st *loopstate.State) map[string]string {
	out := map[string]string{}
	for _, e := range st.Evidence {
		if src, ok := st.SourceOf(e); ok && out[src.ID] == "" {
			out[src.ID] = e.ID
		}
	}
	return out
}

func columnOf(records map[string]*record) Column {
	c := Column{Records: len(records)}
	excluded, rejected := map[string]int{}, map[string]int{}
	for _, r := range records {
		switch {
		case r.title.Decision == "" && r.full.Decision == "":
			continue
		case r.full.Decision == "" && r.title.Decision == loopstate.Exclude:
			c.Screened++
			excluded[r.title.Reason]++
			continue
		}
		c.Screened++
		c.Sought++
		switch {
		case r.full.Decision == loopstate.Include:
			c.Assessed++
			c.Included++
		case r.full.Decision == loopstate.Exclude:
			c.Assessed++
			rejected[r.full.Reason]++
		case r.read:
			c.ToAssess++
		case r.unfetched:
			c.NotRetrieved++
		default:
			c.ToRetrieve++
		}
	}
	c.Excluded, c.Rejected = counts(excluded), counts(rejected)
	return c
}

// counts sorts by number, then by name.
func counts(n map[string]int) []Count {
	out := []Count{}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		out = append(out, Count{sanitize.Line(name), n[name]})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return b.N - a.N })
	return out
}

// Sum adds up counts.
func Sum(list []Count) (n int) {
	for _, c := range list {
		n += c.N
	}
	return n
}

// Included returns the ids of the records that are included in the review.
func Included(st *loopstate.State) []string {
	last, hitOf := map[string]string{}, hitsOf(st)
	for _, d := range st.Screening {
		if d.Stage == loopstate.StageFullText {
			last[cmp.Or(hitOf[d.Record], d.Record)] = d.Decision
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(last)), func(id string) bool { return last[id] != loopstate.Include })
}

// Step is a step of the flow: so many records by searches, and by other methods.
type Step struct {
	Name             string
	Databases, Other int
}

// Steps returns the flow from identification to inclusion.
func (r *Review) Steps() []Step {
	d, o := r.Databases, r.Other
	return []Step{
		{"Records identified", Sum(r.Identified), o.Records},
		{"Duplicates removed", r.Duplicates, 0},
		{"Removed for other reasons before screening", r.Unfit, 0},
		{"Records screened", d.Screened, o.Screened},
		{"Records excluded", Sum(d.Excluded), Sum(o.Excluded)},
		{"Reports sought for retrieval", d.Sought, o.Sought},
		{"Reports not retrieved", d.NotRetrieved, o.NotRetrieved},
		{"Reports assessed for eligibility", d.Assessed, o.Assessed},
		{"Reports excluded", Sum(d.Rejected), Sum(o.Rejected)},
		{"Studies included", d.Included, o.Included},
	}
}

// Pending says what is left to do before the counts are final, or returns "".
func (r *Review) Pending() string {
	var parts []string
	for _, p := range []struct {
		n     int
		words string
	}{
		{r.Databases.Records - r.Databases.Screened, "not screened"},
		{r.Databases.ToRetrieve + r.Other.ToRetrieve, "not retrieved yet"},
		{r.Databases.ToAssess + r.Other.ToAssess, "read, but not assessed in full text"},
	} {
		if p.n > 0 {
			parts = append(parts, drawing.Plural(p.n, "record")+" "+p.words)
		}
	}
	return strings.Join(parts, "; ")
}

// Flow is the flow diagram.
func (r *Review) Flow() drawing.Flow {
	f := drawing.Flow{Title: "PRISMA 2020 flow diagram", Says: "Records from identification to inclusion, with those that left the flow at each step."}
	identified := append([]string{line("Records identified", Sum(r.Identified))}, lines(r.Identified)...)
	removed := []string{"Records removed before screening", line("duplicates", r.Duplicates), line("for other reasons", r.Unfit)}
	if n := r.Other.Screened; n > 0 {
		identified = append(identified, line("and by other methods", n))
	}
	d, o := r.Databases, r.Other
	both := func(list []Count, more []Count) []Count {
		n := map[string]int{}
		for _, c := range append(slices.Clone(list), more...) {
			n[c.Name] += c.N
		}
		return counts(n)
	}
	excluded, rejected := both(d.Excluded, o.Excluded), both(d.Rejected, o.Rejected)
	f.Steps = []drawing.Step{
		{Box: identified, Left: removed},
		{Box: []string{line("Records screened", d.Screened+o.Screened)}, Left: append([]string{line("Records excluded", Sum(excluded))}, lines(excluded)...)},
		{Box: []string{line("Reports sought for retrieval", d.Sought+o.Sought)}, Left: []string{line("Reports not retrieved", d.NotRetrieved+o.NotRetrieved)}},
		{Box: []string{line("Reports assessed for eligibility", d.Assessed+o.Assessed)}, Left: append([]string{line("Reports excluded", Sum(rejected))}, lines(rejected)...)},
		{Box: []string{line("Studies included in review", d.Included+o.Included)}},
	}
	if pending := r.Pending(); pending != "" {
		f.Steps[len(f.Steps)-1].Left = append([]string{"Not finished"}, strings.Split(pending, "; ")...)
	}
	return f
}

func line(words string, n int) string { return words + " (n = " + drawing.FormatNumber(n) + ")" }

// Channels or reasons in a box of the drawing, and characters of each (chosen); the text has all.
const maxLines, maxName = 12, 160

func lines(list []Count) (out []string) {
	for i, c := range list {
		if i == maxLines {
			return append(out, line("others", Sum(list[i:])))
		}
		out = append(out, line(sanitize.Short(nameOf(c.Name), maxName), c.N))
	}
	return out
}

func nameOf(channel string) string {
	if channel == "" {
		return "reported without a channel"
	}
	return channel
}
