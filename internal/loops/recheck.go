package loops

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/loopstate"
)

// Recheck is the result of reading the sources of a loop again. Sources that are as they were are only counted.
type Recheck struct {
	StateID     string            `json:"state_id"`
	GeneratedAt time.Time         `json:"generated_at"`
	Counts      map[string]int    `json:"counts"` // by result
	NotRead     int               `json:"not_read"`
	NotLooked   int               `json:"not_looked_up"` // sources from the web about which no service was asked or answered
	Sources     []RecheckedSource `json:"sources"`
	Sentences   []WaitingSentence `json:"sentences"`
}

// RecheckedSource is a source that is not as it was, or could not be reached.
type RecheckedSource struct {
	SourceID string `json:"source_id"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Result   string `json:"result"` // as in [loopstate.Reread]
	Reason   string `json:"reason,omitempty"`
	SHA256   string `json:"sha256_now,omitempty"`
	Update   string `json:"update,omitempty"` // what was published about it: "retracted: …"
	News     bool   `json:"news"`             // no earlier recheck found it so
}

// WaitingSentence is a sentence whose cited lines are not there any more: it is not read yet.
type WaitingSentence struct {
	ClaimID  string `json:"claim_id,omitempty"`
	Text     string `json:"text"`
	SourceID string `json:"source_id"`
	Lines    string `json:"lines"`
	Passage  string `json:"passage"` // as it was
}

// ExitCode returns 1 if a source is not as it was, otherwise 3 if one could not be reached.
func (r *Recheck) ExitCode() int {
	code := 0
	for _, src := range r.Sources {
		if src.Result != loopstate.RereadUnreachable || src.Update != "" {
			return 1
		}
		code = 3
	}
	return code
}

// Recheck reads the web pages and the files of a loop again, asks what was published about them, and compares: with the stored
// texts, and then with the passages that checked sentences rest on. What is new about a source is recorded. Its stored text
// stays, and the sentences whose lines have changed are not read any more.
func (s *Service) Recheck(ctx context.Context, loop string, done func(n, of int, url string)) (*Recheck, error) {
	out := &Recheck{StateID: loop, GeneratedAt: s.Now().UTC(), Counts: map[string]int{}, Sources: []RecheckedSource{},
		Sentences: []WaitingSentence{}}
	var sources []loopstate.Source
	var urls []string
	var cited []citedPassage
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		for _, src := range st.Sources {
			if !strings.Contains(src.URL, ":") { // a file that was named by its path
				src.URL = src.FinalURL
			}
			if src.Pasted || !readable(src.URL) {
				out.NotRead++
				continue
			}
			sources, urls = append(sources, src), append(urls, src.URL)
		}
		cited = citedPassages(st)
		return nil
	})
	if err != nil {
		return nil, err
	}
	n := 0
	pages := s.Reader.ReadAll(ctx, urls, func(i int, _ fetch.Page) {
		if n++; done != nil {
			done(n, len(urls), urls[i])
		}
	})
	standings := s.lookUp(ctx, sources)
	if err := ctx.Err(); err != nil { // what was not read is not unreachable
		return nil, err
	}
	var again []loopstate.Reread
	for i, src := range sources {
		r, reason := reread(src, pages[i])
		if r.At, r.Standing = out.GeneratedAt, standings[i]; r.Result == loopstate.RereadElsewhere {
			if err := s.findLost(ctx, out, src, &r, pages[i].Text, cited); err != nil {
				return nil, err
			}
		}
		again = append(again, r)
		if out.Counts[r.Result]++; r.Result != loopstate.RereadSame || r.Standing.Flag() != "" {
			out.Sources = append(out.Sources, RecheckedSource{SourceID: src.ID, Title: src.Title, URL: src.URL, Result: r.Result,
				Reason: reason, SHA256: r.SHA256, Update: r.Standing.Flag()})
		}
		if _, asks := s.lookupOf(src); r.Standing == nil && (asks || !s.LookUp && strings.HasPrefix(src.URL, "http")) {
			out.NotLooked++
		}
	}
	news, err := s.noteAgain(ctx, loop, again)
	for i, row := range out.Sources {
		out.Sources[i].News = slices.ContainsFunc(news, func(r loopstate.Reread) bool { return r.SourceID == row.SourceID })
	}
	return out, err
}

// citedPassage is a passage of a stored text with the sentence that rests on it. One that was missing before may have none.
type citedPassage struct {
	WaitingSentence
	at loopstate.Span
}

// citedPassages returns the passages that the checked sentences of a loop rest on, and those that were missing before.
func citedPassages(st *loopstate.State) (out []citedPassage) {
	ids := claimIDs(st)
	for _, c := range st.Candidates {
		for _, w := range c.Passages {
			out = append(out, citedPassage{WaitingSentence{ClaimID: ids[c.Key], Text: c.Claim, SourceID: w.SourceID, Lines: w.Lines},
				loopstate.Span{w.Start, w.End}})
		}
	}
	for _, src := range st.Sources {
		if src.Reread != nil {
			for _, lost := range src.Reread.Lost {
				out = append(out, citedPassage{WaitingSentence{SourceID: src.ID}, lost})
			}
		}
	}
	return out
}

// reread compares a source with its page as it is now, and says why that could not be read.
func reread(src loopstate.Source, p fetch.Page) (r loopstate.Reread, reason string) {
	r = loopstate.Reread{SourceID: src.ID, Result: loopstate.RereadUnreachable}
	hash := loopstate.HashText([]byte(p.Text)).String()
	switch {
	case p.Status == fetch.StatusNotFound:
		r.Result, reason = loopstate.RereadGone, p.Reason
	case p.Status != fetch.StatusRead:
		reason = string(p.Status) + ": " + p.Reason
	case p.Via != src.Via && p.Via != "" && p.Via != fetch.ViaBrowser:
		reason = "only a copy could be read: " + p.Via
	case hash == src.SHA256 || sameBody(src, p):
		r.Result = loopstate.RereadSame
	default:
		r.Result, r.SHA256 = loopstate.RereadElsewhere, hash
	}
	return r, reason
}

// findLost looks for the cited passages of a source in its text as it is now, and adds the sentences whose passages are not in it.
func (s *Service) findLost(ctx context.Context, out *Recheck, src loopstate.Source, r *loopstate.Reread, text string,
	cited []citedPassage) error {
	stored, err := s.text(ctx, src)
	if err != nil {
		return err
	}
	now := quote.New(text)
	for _, c := range cited {
		if c.SourceID != src.ID {
			continue
		}
		if c.Passage = stored.Slice(c.at[0], c.at[1]); stands(c.Passage, now) {
			continue
		}
		r.Result = loopstate.RereadCited
		if !slices.Contains(r.Lost, c.at) {
			r.Lost = append(r.Lost, c.at)
		}
		if c.ClaimID != "" && !slices.Contains(r.Claims, c.ClaimID) {
			r.Claims = append(r.Claims, c.ClaimID)
		}
		if c.Text != "" {
			out.Sentences = append(out.Sentences, c.WaitingSentence)
		}
	}
	return nil
}

// stands reports whether a text has each paragraph of a passage: others may stand between them now.
func stands(passage string, text *quote.Text) bool {
	for line := range strings.Lines(passage) {
		if grade, _ := text.Find(line); strings.TrimSpace(line) != "" && grade != quote.Exact && grade != quote.Normalised {
			return false
		}
	}
	return true
}

// readable reports whether an address can be read again: a file or a page.
func readable(address string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(address), ":")
	return slices.Contains([]string{"file", "http", "https"}, scheme)
}

// sameBody reports whether the response is the one of the stored text, which another version of citeloop may have extracted.
func sameBody(src loopstate.Source, p fetch.Page) bool {
	return src.Capture != nil && p.Capture != nil && src.Capture.SHA256 == hex.EncodeToString(p.Capture.SHA256[:])
}
