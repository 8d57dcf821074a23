package source

import (
	"bytes"
	"context"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

// gdelt searches the news of the last years in sixty-five languages
// (https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/). It reports errors as plain text with status 200.
type gdelt struct{ Recipe }

func (s gdelt) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	text := normal.AllWords(q.Text) // phrases and words, all required
	if q.Language != "" {
		name := gdeltLanguage(normal.PrimaryLanguage(q.Language))
		if name == "" {
			return nil, channels.Fail(channels.StatusError, "unsupported language %q", q.Language)
		}
		text += " sourcelang:" + strings.ToLower(name)
	}
	code := Code{Values: map[string]string{"words": text}, Want: channels.WantText, Read: func(body []byte) ([]channels.Result, bool, error) {
		if body = bytes.TrimSpace(body); len(body) == 0 || body[0] != '{' {
			return nil, true, channels.MessageInText(body)
		}
		return nil, false, nil
	}}
	return s.Ask(ctx, c, q, code)
}

func gdeltLanguage(tag string) string {
	if tag == "nb" {
		tag = "no"
	}
	for name, code := range normal.TypeTables["gdelt language"] {
		if code == tag {
			return name
		}
	}
	return ""
}
