package loops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/auto"
	"github.com/citeloop/citeloop/internal/text/query"
	"github.com/citeloop/citeloop/loopstate"
)

// SearchInput is one search. Without a loop, nothing is recorded.
type SearchInput struct {
	Loop      string
	Operation string // identifies a repeated call, which is logged once; may be empty
	Channels  []string
	Angle     string
	Query     channels.Query
	Done      func(channels.Outcome) // called when a channel is done; may be nil
	Again     bool                   // for another part of the hits; if they are not known any more, it is a new search
}

// Hit is one result.
type Hit struct {
	loopstate.Evidence
	Seen     bool           `json:"seen"`                // see [loopstate.State.SeenBy]
	SourceID string         `json:"source_id,omitempty"` // the source, if the loop has read it
	Ranks    map[string]int `json:"ranks,omitempty"`     // channel -> best rank, from 1
	Share    float64        `json:"-"`                   // see [channels.Ranked]
	Lines    string         `json:"lines,omitempty"`     // of the snippet; with Section, only for files of the user's folders
	Section  string         `json:"section,omitempty"`   // the headings above the snippet
}

// Found is the result of Search.
type Found struct {
	Hits     []Hit                `json:"evidence"`
	Outcomes []channels.Outcome   `json:"-"`
	Chosen   string               `json:"chosen_because,omitempty"` // why citeloop chose these channels, if it did
	Sent     string               `json:"dated_query,omitempty"`    // the query with the date added, if it was
	Rejected []loopstate.Rejected `json:"rejected,omitempty"`       // rejected hits by address
	Version  int64                `json:"-"`                        // of the loop, if any
}

// AutoChannels selects channels by the query's kind and the source types of the gap.
const AutoChannels = "auto"

// Channels returns the available channels in a fixed order.
func (s *Service) Channels() []channels.Info { return s.Searcher.List() }

// Search searches the channels and, if in.Loop is set, logs the search and stores its new hits. Hits are sorted by
// relevance, whether the loop has seen them or not.
func (s *Service) Search(ctx context.Context, in SearchInput) (Found, error) {
	in.Angle = loopstate.AngleNamed(in.Angle)
	if n := utf8.RuneCountInString(in.Angle); n > loopstate.MaxAngleChars {
		return Found{}, tooLong("angle", n, loopstate.MaxAngleChars)
	}
	// What identifies the search among those whose hits are kept.
	key := fmt.Sprintf("%q %q %q %q %#v", cmp.Or(OwnerOf(ctx), s.Owner), in.Loop, in.Angle, in.Channels, in.Query)
	if found, known := s.searches.Get(key); known && in.Again {
		return found, nil
	}
	found, err := s.search(ctx, in)
	if err == nil && !in.Query.List {
		s.searches.Add(key, found)
	}
	return found, err
}

// maxSearches bounds the searches whose hits are kept for further pages, of all owners: 128 with 50 hits of 2 kB have 13 MB.
const maxSearches = 128

func (s *Service) search(ctx context.Context, in SearchInput) (Found, error) {
	asOf := s.Now().UTC().Format(time.DateOnly)
	var wanted []string // source types of the gap
	if in.Loop != "" {  // before any request
		if err := checkOperation(in.Operation); err != nil {
			return Found{}, err
		}
		err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
			asOf, wanted = st.AsOf, st.SourceTypesFor(in.Query.Text)
			return nil
		})
		if err != nil {
			return Found{}, err
		}
	}
	var chosen string
	if slices.Equal(in.Channels, []string{AutoChannels}) {
		choice := auto.Choose(in.Query.Text, wanted, s.Searcher.List())
		if len(choice.Channels) == 0 {
			return Found{}, &loopstate.Error{Code: loopstate.CodeNoChannel, Subject: "channels"}
		}
		in.Channels, chosen = choice.Channels, choice.Reason
	}
	asked := strings.TrimSpace(in.Query.Text)
	if in.Query.Since == "" && in.Query.Until == "" && !in.Query.List {
		if in.Query.Text = query.Dated(asked, asOf); in.Query.Text != asked {
			in.Query.Else = asked // for channels that match every word
		}
	}
	begun := s.Now()
	answer, err := s.Searcher.Search(ctx, in.Channels, in.Query, in.Done)
	if err != nil {
		return Found{}, err
	}
	took := s.Now().Sub(begun)
	out := Found{Outcomes: answer.Outcomes, Chosen: chosen, Hits: make([]Hit, len(answer.Evidence))}
	if in.Query.Text != asked {
		out.Sent = in.Query.Text
	}
	found := make([]loopstate.Evidence, len(answer.Evidence))
	for i, r := range answer.Evidence {
		found[i] = evidenceOf(r)
		out.Hits[i] = Hit{Evidence: found[i], Ranks: r.Ranks, Share: r.Share, Lines: r.Lines, Section: r.Section}
	}
	if in.Loop == "" {
		return out, nil
	}
	identify := func(st *loopstate.State) {
		for i := range out.Hits {
			h := &out.Hits[i]
			have, _ := st.Seen(found[i])
			h.ID = have.ID
			// Searchers of one round do not see each other's sources. Reading one again is free: its text is stored.
			if src, ok := st.SourceOf(h.Evidence); ok && (h.Seen || in.Angle == "" || src.Round <= st.Round) {
				h.SourceID = src.ID
			}
		}
	}
	if in.Query.List { // it is not logged
		return out, s.view(ctx, in.Loop, func(st *loopstate.State) error {
			for i := range out.Hits {
				out.Hits[i].Seen = st.SeenBy(found[i], in.Angle)
			}
			identify(st)
			return nil
		})
	}
	outcomes := make([]loopstate.SearchOutcome, len(answer.Outcomes))
	for i, o := range answer.Outcomes {
		outcomes[i] = loopstate.SearchOutcome{Channel: o.Name, Status: string(o.Status), Count: o.Count, TookMS: o.Took.Milliseconds(),
			Message: o.Message}
	}
	err = change(ctx, s, in.Loop, in.Operation, asked, func(st *loopstate.State) (loopstate.Payload, error) {
		st.FindRepeats(found)
		for i := range out.Hits {
			out.Hits[i].Seen = st.SeenBy(found[i], in.Angle)
		}
		return st.Search(loopstate.Search{Query: asked, Sent: out.Sent, Angle: in.Angle, Since: in.Query.Since, Until: in.Query.Until,
			Language: in.Query.Language, Channels: outcomes, TookMS: took.Milliseconds()}, found)
	}, func(st *loopstate.State, p *loopstate.Searched, _ loopstate.Event) error {
		out.Version, out.Rejected = st.Seq, p.Rejected
		identify(st)
		return nil
	})
	if err != nil {
		return Found{}, err
	}
	rejected := map[string]bool{}
	for _, r := range out.Rejected {
		rejected[r.Item] = true
	}
	out.Hits = slices.DeleteFunc(out.Hits, func(h Hit) bool { return rejected[h.URL] })
	return out, nil
}

// evidenceOf returns a result of a search as the loop stores it.
func evidenceOf(r channels.Ranked) loopstate.Evidence {
	return loopstate.Evidence{Title: r.Title, URL: r.URL, Snippet: r.Snippet, Source: r.Source, SourceType: r.SourceType,
		PublishedAt: r.PublishedAt,
		Authors:     r.Authors, DOI: r.DOI, IDs: r.IDs, Related: r.Related, Score: r.Score, Language: r.Language}
}
