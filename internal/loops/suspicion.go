package loops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Suspicious words of a text are flagged on its source and on claims that rest on them. They are not removed: a paper about
// prompt injection is a valid source.

// maxTextFlags bounds the phrases of one text with a flag.
const maxTextFlags = 8

const (
	// flagInvisible is the kind of a flag about removed characters that no reader sees.
	flagInvisible = "invisible_text"
	// flagHidden is the kind of a flag about removed elements that address a model.
	flagHidden = "hidden_text"
)

// flagsOf returns the flags of a page.
func flagsOf(src loopstate.Source, p fetch.Page) []string {
	flags := textFlags(src, p.Text)
	if p.HiddenOrders > 0 {
		flags = append(flags, fmt.Sprintf("%s: removed %d characters that the page hides; %d phrases of them address a model", flagHidden,
			p.HiddenChars, p.HiddenOrders))
	}
	return flags
}

// textFlags returns the flags of words in a text or the title of its source that address a model, and of removed
// characters.
func textFlags(src loopstate.Source, text string) []string {
	flags := sanitize.InjectionFlags(sanitize.FindInjections(text), maxTextFlags)
	if places := sanitize.FindInjections(src.Title); len(places) > 0 {
		flags = append(flags, fmt.Sprintf("%s: %s in the title", sanitize.InjectionFlag, places[0].Kind))
	}
	if src.Invisible > 0 {
		flags = append(flags, fmt.Sprintf("%s: removed %d invisible characters from the text", flagInvisible, src.Invisible))
	}
	return flags
}

// suspicions returns the flags of a passage of a source: it has or touches words that address a model, or its source has such
// words elsewhere.
func (s *Service) suspicions(ctx context.Context, src loopstate.Source, start, end int) ([]string, error) {
	if !slices.ContainsFunc(src.Flags, func(flag string) bool { return strings.HasPrefix(flag, sanitize.InjectionFlag) }) {
		return nil, nil
	}
	text, err := s.text(ctx, src)
	if err != nil {
		return nil, err
	}
	if found := sanitize.InjectionsAt(text, start, end); len(found) > 0 {
		return []string{fmt.Sprintf("%s: %s", sanitize.InjectionFlag, found[0].Kind)}, nil
	}
	return []string{sanitize.InjectionFlag + ": elsewhere in this source"}, nil
}
