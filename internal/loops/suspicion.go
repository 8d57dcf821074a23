package loops

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// What is suspicious about a text is said with it and with every claim that rests on the place. Nothing is taken
// out: a paper about prompt injection is a source like any other.

// maxTextFlags phrases of one text are named one by one.
const maxTextFlags = 8

// flagInvisible marks a text from which characters were left out that spell words no reader sees.
const flagInvisible = "invisible_text"

// flagsOf is what is suspicious about a page.
func flagsOf(p fetch.Page) []string {
	flags := textFlags(p.Title, p.Text)
	if p.Invisible > 0 {
		flags = append(flags, fmt.Sprintf("%s: %d characters that no reader sees were left out of the text", flagInvisible, p.Invisible))
	}
	return flags
}

// textFlags names the places of a text that address a model.
func textFlags(title, text string) []string {
	flags := sanitize.InjectionFlags(sanitize.FindInjections(text), maxTextFlags)
	if places := sanitize.FindInjections(title); len(places) > 0 {
		flags = append(flags, fmt.Sprintf("%s: %s in the title", sanitize.InjectionFlag, places[0].Kind))
	}
	return flags
}

// flagAddressing flags the claims that rest on a passage which holds or touches words that address a model.
func (s *Service) flagAddressing(ctx context.Context, v *Verification) error {
	texts := map[string]string{} // of the flagged sources; those read before there were flags are searched by passage
	text := func(id string) (string, error) {
		src := v.state.sources[id]
		if have, ok := texts[id]; ok || !addressed(src) {
			return have, nil
		}
		var err error
		texts[id], err = s.text(ctx, src)
		return texts[id], err
	}
	for i := range v.Claims {
		if err := v.Claims[i].FlagInjection(text); err != nil {
			return err
		}
	}
	return nil
}

func addressed(src loopstate.Source) bool {
	for _, f := range src.Flags {
		if strings.HasPrefix(f, sanitize.InjectionFlag) {
			return true
		}
	}
	return false
}
