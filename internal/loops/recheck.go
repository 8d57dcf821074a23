package loops

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/report"
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
// texts, and then with the passages that the report rests on. What is new about a source is recorded. Its stored text stays,
// and the sentences whose lines have changed are not read any more.
func (s *Service) Recheck(ctx context.Context, loop string, done func(n, of int, url string)) (*Recheck, error) {
	d, err := s.Report(ctx, ReportInput{Loop: loop, AllowUnverified: true, stored: true})
	if refused, ok := errors.AsType[*loopstate.Error](err); ok && refused.Code == loopstate.CodeNothingToSay {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	out := &Recheck{StateID: loop, GeneratedAt: s.Now().UTC(), Counts: map[string]int{}, Sources: []RecheckedSource{},
		Sentences: []WaitingSentence{}}
	var sources []loopstate.Source
	err = s.view(ctx, loop, func(st *loopstate.State) error {
		for _, src := range st.Sources {
			if !strings.Contains(src.URL, ":") { // a file that was named by its path
				src.URL = src.FinalURL
			}
			if src.Pasted || !readable(src.URL) {
				out.NotRead++
				continue
			}
			sources = append(sources, src)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	n := 0
	urls := make([]string, len(sources))
	for i, src := range sources {
		urls[i] = src.URL
	}
	pages := s.Reader.ReadAll(ctx, urls, func(i int, _ fetch.Page) {
		if n++; done != nil {
			done(n, len(sources), sources[i].URL)
		}
	})
	standings := s.lookUp(ctx, sources)
	var again []loopstate.Reread
	for i, src := range sources {
		r, row := out.compare(src, pages[i], receiptsOf(d, src.ID), standings[i])
		again = append(again, r)
		if out.Counts[r.Result]++; row.Result != loopstate.RereadSame || row.Update != "" {
			out.Sources = append(out.Sources, row)
		}
		if _, asks := s.lookupOf(src); r.Standing == nil && (asks || !s.LookUp && strings.HasPrefix(src.URL, "http")) {
			out.NotLooked++
		}
	}
	if err := ctx.Err(); err != nil { // what was not read is not unreachable
		return nil, err
	}
	news, err := s.noteAgain(ctx, loop, again)
	if err != nil {
		return nil, err
	}
	for i, row := range out.Sources {
		out.Sources[i].News = slices.ContainsFunc(news, func(r loopstate.Reread) bool { return r.SourceID == row.SourceID })
	}
	return out, nil
}

// cited is a passage of a source with the sentence that rests on it.
type cited struct {
	claimID, claim string
	report.Receipt
}

// receiptsOf returns the passages of a source that the report rests on.
func receiptsOf(d report.Document, id string) (out []cited) {
	for _, sentence := range d.Sentences {
		for _, r := range sentence.Receipts {
			if r.SourceID == id {
				out = append(out, cited{sentence.ClaimID, sentence.Text, r})
			}
		}
	}
	return out
}

// compare compares a source with its page as it is now, and adds the sentences whose passages are not there any more.
func (out *Recheck) compare(src loopstate.Source, p fetch.Page, receipts []cited, now *loopstate.Standing) (loopstate.Reread,
	RecheckedSource) {
	r := loopstate.Reread{SourceID: src.ID, At: out.GeneratedAt, Standing: now}
	row := RecheckedSource{SourceID: src.ID, Title: src.Title, URL: src.URL, Update: now.Flag()}
	switch {
	case p.Status == fetch.StatusNotFound:
		r.Result, row.Reason = loopstate.RereadGone, p.Reason
	case p.Status != fetch.StatusRead:
		r.Result, row.Reason = loopstate.RereadUnreachable, string(p.Status)+": "+p.Reason
	case p.Via != src.Via && p.Via != "" && p.Via != fetch.ViaBrowser:
		r.Result, row.Reason = loopstate.RereadUnreachable, "only a copy could be read: "+p.Via
	default:
		r.Result = loopstate.RereadSame
		r.SHA256 = loopstate.HashText([]byte(p.Text)).String()
		if r.SHA256 == src.SHA256 || sameBody(src, p) {
			r.SHA256 = ""
			break
		}
		r.Result, row.SHA256 = loopstate.RereadElsewhere, r.SHA256
		text := quote.New(p.Text)
		for _, c := range receipts {
			if stands(c.Passage, text) {
				continue
			}
			r.Result = loopstate.RereadCited
			if lost := (loopstate.Span{c.Start, c.End}); !slices.Contains(r.Lost, lost) {
				r.Lost = append(r.Lost, lost)
			}
			if c.claimID != "" && !slices.Contains(r.Claims, c.claimID) {
				r.Claims = append(r.Claims, c.claimID)
			}
			out.Sentences = append(out.Sentences, WaitingSentence{ClaimID: c.claimID, Text: c.claim, SourceID: src.ID, Lines: c.Lines,
				Passage: c.Passage})
		}
	}
	row.Result = r.Result
	return r, row
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
