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
		flags = append(flags, fmt.Sprintf("%s: removed %d characters that the page hides; %d phrases of them address a model", flagHidden, p.HiddenChars, p.HiddenOrders))
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

// addressingTexts returns a function that returns the text of a source with flagged words, or "" for other sources. Sources
// of versions without flags are searched by passage.
func (s *Service) addressingTexts(ctx context.Context, sources map[string]loopstate.Source) func(id string) (string, error) {
	texts := map[string]string{}
	return func(id string) (string, error) {
		src := sources[id]
		if have, ok := texts[id]; ok || !addressed(src) {
			return have, nil
		}
		var err error
		texts[id], err = s.text(ctx, src)
		return texts[id], err
	}
}

// suspicions returns a function that returns the flags of a passage: it has or touches words that address a model, or its
// source has such words elsewhere.
func (s *Service) suspicions(ctx context.Context, sources []loopstate.Source) func(id string, start, end int, text string) ([]string, error) {
	byID := make(map[string]loopstate.Source, len(sources))
	for _, src := range sources {
		byID[src.ID] = src
	}
	wholeOf := s.addressingTexts(ctx, byID)
	return func(id string, start, end int, text string) ([]string, error) {
		found := sanitize.FindInjections(text)
		whole, err := wholeOf(id)
		if err != nil {
			return nil, err
		}
		if whole != "" {
			found = sanitize.InjectionsAt(whole, start, end)
		}
		switch {
		case len(found) > 0:
			return []string{fmt.Sprintf("%s: %s", sanitize.InjectionFlag, found[0].Kind)}, nil
		case addressed(byID[id]):
			return []string{sanitize.InjectionFlag + ": elsewhere in this source"}, nil
		}
		return nil, nil
	}
}

func isAddressing(flag string) bool { return strings.HasPrefix(flag, sanitize.InjectionFlag) }

func addressed(src loopstate.Source) bool { return slices.ContainsFunc(src.Flags, isAddressing) }
