package audit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/references"
)

// lookUp asks for the entry's identifiers first, and then for its title, until a record is the same in all fields.
func lookUp(ctx context.Context, cfg Config, e *Entry) error {
	s := &searching{cfg: cfg, entry: e.listed}
	for _, round := range s.rounds() {
		if err := s.ask(ctx, round); err != nil {
			return err
		}
		if s.judge(e); e.Status == Verified || e.Status == Retracted {
			break
		}
	}
	if len(s.asked) == 0 {
		e.Status, e.Because = NotIdentified, "it has neither a title nor an identifier to look up"
	}
	return nil
}

// searching is the look-up of one entry.
type searching struct {
	cfg   Config
	entry references.Entry

	mu     sync.Mutex
	asked  []Asked
	byID   []references.Record // that services gave for the entry's identifiers
	others []references.Record // that they found by its title, or by the ISBN, which a paper shares with its proceedings
}

// books is the service that knows books, and their editions as one work.
const books = "open-library"

// foundAtMost is the number of results of one search that are compared: the work is among the first ones, or the service does
// not have it.
const foundAtMost = 5

// question is one request.
type question struct {
	channel, text string
	id            bool // the text is an identifier of the entry
}

// rounds returns the requests, those of one round at a time: identifiers at the services that mint them, the title at the
// three with the widest coverage, and then at the others.
func (s *searching) rounds() [][]question {
	var ids, wide, rest []question
	ask := func(round *[]question, channel, text string, id bool) {
		if text != "" && slices.Contains(s.cfg.Channels, channel) {
			*round = append(*round, question{channel, text, id})
		}
	}
	doi, agency := s.entry.DOI, "crossref"
	if isArXiv(doi) {
		agency = "datacite"
	}
	ask(&ids, agency, doi, true)
	ask(&ids, "openalex", doi, true)
	ask(&ids, "arxiv", s.entry.ArXiv, true)
	ask(&ids, "pubmed", s.entry.PMID, true)
	ask(&ids, books, s.entry.ISBN, false)
	title := shortened(cmp.Or(s.entry.Title, s.entry.Text))
	for i, name := range s.cfg.Channels {
		switch {
		case name == books && !s.entry.Book && s.entry.Text+s.entry.ISBN == "":
		case i < 3:
			ask(&wide, name, title, false)
		default:
			ask(&rest, name, title, false)
		}
	}
	ask(&rest, "crossref", shortened(s.entry.Text), false) // its search reads whole references, and the title is a guess
	if !isArXiv(doi) {
		ask(&wide, "datacite", doi, true) // a DOI that Crossref does not have
	}
	return [][]question{ids, wide, rest}
}

// isArXiv reports a DOI of arXiv, which DataCite mints.
func isArXiv(doi string) bool { return strings.HasPrefix(doi, "10.48550/") }

// titleChars bounds a title in a search; services cut or refuse longer ones.
const titleChars = 250

func shortened(s string) string {
	s = strings.NewReplacer(`"`, " ", "“", " ", "”", " ").Replace(s)
	if r := []rune(s); len(r) > titleChars {
		s = string(r[:titleChars])
	}
	return strings.Join(strings.Fields(s), " ")
}

// ask makes the requests of a round at once. The error is one of the caller.
func (s *searching) ask(ctx context.Context, round []question) error {
	var all sync.WaitGroup
	errs := make([]error, len(round))
	for i, q := range round {
		all.Go(func() {
			answer, err := s.cfg.Search.Search(ctx, []string{q.channel}, channels.Query{Text: q.text, Limit: foundAtMost}, nil)
			if unknown, is := errors.AsType[*channels.QueryError](err); is { // such as a title that is no query
				answer.Outcomes = []channels.Outcome{{Name: q.channel, Status: channels.StatusError, Message: unknown.Error()}}
				err = nil
			}
			if errs[i] = err; err != nil {
				return
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, o := range answer.Outcomes {
				s.asked = append(s.asked, Asked{o.Name, q.text, o.Status, o.Message, o.RetryAfter})
			}
			for _, found := range answer.Evidence {
				if q.id {
					s.byID = append(s.byID, recordOf(found, q.channel))
				} else {
					s.others = append(s.others, recordOf(found, q.channel))
				}
			}
		})
	}
	all.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// recordOf returns a result as a record.
func recordOf(found channels.Ranked, channel string) references.Record {
	r := references.Record{From: channel, Title: found.Title, Authors: append([]string{}, found.Authors...), URL: found.URL,
		DOI: docid.NormalizeDOI(found.DOI), Venue: found.Container, Editions: channel == books,
		Update: found.Update.Kind, Notice: found.Update.Notice, Date: found.Update.Date}
	r.Year, _ = strconv.Atoi(found.PublishedAt[:min(4, len(found.PublishedAt))])
	for _, id := range found.IDs {
		switch kind, value, _ := strings.Cut(id, ":"); kind {
		case "arxiv":
			r.ArXiv = value
		case "pmid":
			r.PMID = value
		}
	}
	return r
}
