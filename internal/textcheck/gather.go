package textcheck

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// Where a text came from.
const (
	fromWeb    = "web"
	fromCorpus = "corpus"
	fromLoop   = "loop"
)

// gather reads the sources: from the loop, from the corpus, and from the web, each address once.
func gather(ctx context.Context, sources []Source, cfg Config) error {
	var urls []string
	var at []int
	ask := func(i int, url, from string) {
		urls, at = append(urls, url), append(at, i)
		sources[i].From = from
	}
	for i := range sources {
		src := &sources[i]
		file := isFile(src.URL)
		switch {
		case src.From == fromLoop:
			text, err := cfg.Loop.text(ctx, src.SHA256)
			if err != nil {
				return fmt.Errorf("verify: the text of %s: %w", src.ID, err)
			}
			src.Status, src.text = statusRead, text
		case file:
			ask(i, src.URL, fromCorpus)
		case cfg.Corpus.address(src.key) != "":
			ask(i, cfg.Corpus.address(src.key), fromCorpus)
		case cfg.Offline:
			src.Status, src.Reason = statusNotRead, "not read: --offline"
		default:
			ask(i, src.URL, fromWeb)
		}
	}
	done := 0
	pages := cfg.Reader.ReadAll(ctx, urls, func(j int, p fetch.Page) {
		done++
		if cfg.Progress != nil {
			shown := sources[at[j]]
			shown.take(p)
			cfg.Progress(done, len(urls), shown, p.Took)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for j, p := range pages {
		sources[at[j]].take(p)
	}
	return nil
}

// take records the result of reading a source.
func (s *Source) take(p fetch.Page) {
	s.Status, s.Reason, s.FinalURL = string(p.Status), p.Reason, p.FinalURL
	if p.Status != fetch.StatusRead {
		s.From = ""
		return
	}
	at := p.FetchedAt.UTC()
	s.text, s.pages, s.Title, s.SourceType, s.Chars, s.FetchedAt = p.Text, p.Pages, p.Title, p.SourceType, p.Chars, &at
	s.publisher, s.authors = p.Publisher, p.Authors
	s.publication = loopstate.Source{Key: loopstate.CanonicalKey(p.FinalURL, p.DOI), Publisher: p.Publisher, ContentType: p.ContentType}.Publication()
	s.SHA256 = loopstate.HashText([]byte(p.Text)).String()
}

func isFile(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && strings.EqualFold(scheme, "file")
}
