package source

import (
	"context"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var wikidataID = lazyregexp.New(`^[QP][1-9]\d{0,11}$`)

// wikidata finds entities by name (https://www.wikidata.org/w/api.php?action=help&modules=wbsearchentities), and an entity by its
// number (wbgetentities, whose records are those of Special:EntityData).
type wikidata struct{ Recipe }

func (s wikidata) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	if id := strings.ToUpper(strings.TrimPrefix(strings.ToLower(q.Text), "wikidata:")); wikidataID.MatchString(id) {
		return s.ask(ctx, c, q, "ids", id)
	}
	found, err := s.ask(ctx, c, q, "words", q.Text)
	// The search matches the beginning of a name. A whole question finds nothing; the name in it may.
	if name := normal.ProperName(q.Text); err == nil && len(found) == 0 && name != "" && name != q.Text {
		if found, err = s.ask(ctx, c, q, "words", name); err == nil && len(found) > 0 {
			err = channels.Fail(channels.StatusOK, "no results for the whole query; searched for %q", normal.Clip(name, channels.MaxWords))
		}
	}
	return found, err
}

func (s wikidata) ask(ctx context.Context, c *channels.Client, q channels.Query, by, text string) ([]channels.Result, error) {
	lang := "en"
	if q.Language != "" {
		lang = strings.ToLower(q.Language)
	}
	found, err := s.Ask(ctx, c, q, Code{Values: map[string]string{"lang": lang, by: text}})
	for i := range found {
		found[i].Language = lang
	}
	return found, err
}
