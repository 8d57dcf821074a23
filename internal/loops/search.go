package loops

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/loopstate"
)

// SearchInput is one search. Loop may be empty: nothing is then recorded.
type SearchInput struct {
	Loop string
	// Operation recognises a repeat, whose search is logged once; may be empty.
	Operation string
	Channels  []string
	Angle     string
	Query     channels.Query
	Done      func(channels.Outcome) // called as each channel ends; may be nil
}

// Hit is one result, with what the loop knows of it.
type Hit struct {
	loopstate.Evidence
	Seen     bool           // the loop had found it before, as far as the searcher's angle may know
	SourceID string         // the loop has read it under this id
	Ranks    map[string]int // channel -> its best rank there, from 1
}

// Found is the answer to Search.
type Found struct {
	Hits     []Hit
	Outcomes []channels.Outcome
	Chosen   string               // why these channels were asked, where citeloop chose them
	Sent     string               // what the channels were asked, where that is not what the host asked
	Rejected []loopstate.Rejected // hits that the loop did not keep, by address
	Version  int64                // of the loop, when there is one
}

const maxAngleChars = 100

// AutoChannels in place of names lets citeloop choose by the query's kind and what the gap asks for.
const AutoChannels = "auto"

// Channels describes the channels that can be searched, in their fixed order.
func (s *Service) Channels() []channels.Info { return s.Searcher.List() }

// Search asks the channels and, when a loop is named, logs the search and keeps its new hits. The
// order is by relevance; that the loop has seen a hit before moves nothing.
func (s *Service) Search(ctx context.Context, in SearchInput) (Found, error) {
	in.Angle = strings.TrimSpace(in.Angle)
	if n := utf8.RuneCountInString(in.Angle); n > maxAngleChars {
		return Found{}, tooLong("angle", n, maxAngleChars)
	}
	asOf := s.Now().UTC().Format(time.DateOnly)
	var wanted []string // kinds of source that the gap asks for
	if in.Loop != "" {  // before anything leaves the machine
		err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
			asOf, wanted = st.AsOf, st.SourceTypesFor(in.Query.Text)
			return nil
		})
		if err != nil {
			return Found{}, err
		}
		if err := s.roomFor(ctx, "query", 0); err != nil {
			return Found{}, err
		}
	}
	var chosen string
	if slices.Equal(in.Channels, []string{AutoChannels}) {
		choice := channels.Auto(in.Query.Text, wanted, s.Searcher.List())
		if len(choice.Channels) == 0 {
			return Found{}, &loopstate.Error{Code: loopstate.CodeNoChannel, Subject: "channels"}
		}
		in.Channels, chosen = choice.Channels, choice.Reason
	}
	asked := strings.TrimSpace(in.Query.Text)
	if in.Query.Since == "" && in.Query.Until == "" { // else the host has said when
		if in.Query.Text = loopstate.Dated(asked, asOf); in.Query.Text != asked {
			in.Query.Variants = append(in.Query.Variants, asked) // a source that takes every word at its word finds it undated
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
		r.Evidence.IDs, r.Evidence.Related = r.IDs, r.Related
		out.Hits[i], found[i] = Hit{Evidence: r.Evidence, Ranks: r.Ranks}, r.Evidence
	}
	if in.Loop == "" {
		return out, nil
	}
	outcomes := make([]loopstate.SearchOutcome, len(answer.Outcomes))
	for i, o := range answer.Outcomes {
		outcomes[i] = loopstate.SearchOutcome{Channel: o.Name, Status: string(o.Status), Count: o.Count, TookMS: o.Took.Milliseconds(), Message: lasting(o)}
	}
	blind := map[string]bool{} // repeats of what only another angle of this round has found: new to this searcher
	err = s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		s.nearHits(st, found)
		for i := range out.Hits {
			_, known := st.SeenEvidence(found[i])
			out.Hits[i].Seen = st.SeenBy(found[i], in.Angle)
			blind[found[i].URL] = found[i].SameAs != "" && known && !out.Hits[i].Seen
		}
		return st.Search(loopstate.SearchInput{Query: asked, Sent: out.Sent, Angle: in.Angle, Since: in.Query.Since, Until: in.Query.Until, Language: in.Query.Language,
			Outcomes: outcomes, Hits: found, TookMS: took.Milliseconds()})
	}, func(st *loopstate.State, e loopstate.Event) error {
		p, err := payloadOf[loopstate.Searched](e)
		if err != nil {
			return err
		}
		out.Version, out.Rejected = st.Seq, p.Rejected
		for i := range out.Hits {
			h := &out.Hits[i]
			h.ID, _ = st.SeenEvidence(found[i])
			// What another angle has read in this round is its own: a searcher is blind to it, and reads it
			// anew (which costs nothing, the text is kept).
			if src, ok := sourceOf(st, h.Evidence); ok && (h.Seen || in.Angle == "" || src.Round <= st.Round) {
				h.SourceID = src.ID
			}
		}
		return nil
	})
	if err != nil {
		return Found{}, err
	}
	rejected := map[string]bool{}
	out.Rejected = slices.DeleteFunc(out.Rejected, func(r loopstate.Rejected) bool {
		rejected[r.Item] = !blind[r.Item]
		return blind[r.Item]
	})
	out.Hits = slices.DeleteFunc(out.Hits, func(h Hit) bool { return rejected[h.URL] })
	return out, nil
}

// sourceOf is the source that a hit was read as, by its address, its DOI or another of its ids.
func sourceOf(st *loopstate.State, e loopstate.Evidence) (loopstate.Source, bool) {
	src, ok := st.SourceByAddress(e.URL, e.DOI)
	for i := 0; !ok && i < len(e.IDs); i++ {
		src, ok = st.SourceByKey(e.IDs[i])
	}
	return src, ok
}

// lasting is what the log keeps of a channel's words: with when it may be asked again, which a person who looks at the
// search later cannot know otherwise.
func lasting(o channels.Outcome) string {
	if o.RetryAfter <= 0 {
		return o.Message
	}
	again := fmt.Sprintf("may be asked again after %s", o.RetryAfter.Round(time.Second))
	if o.Message == "" {
		return again
	}
	return o.Message + "; " + again
}
