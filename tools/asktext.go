package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/tools/arguments"
)

// textRequest asks the user, in a call of fetch, for the text of a page that only a person can open.
//
// The user is asked in every call that stores texts in a loop, also in that of a searcher: the caller needs the text now.
// A call asks once, a loop has one open question at a time, and no page is asked for twice. The form shows the address
// and trusted words. It omits the page's title, which is untrusted.
type textRequest struct {
	asker  *Asker // nil: the client cannot ask, or nothing is stored
	at     int    // the address that was asked about, or -1
	failed string // why there is no text
}

// ready adds the user's answer to a reading, or the function that asks.
func (w *textRequest) ready(ctx context.Context, read *loops.ReadInput) error {
	switch {
	case w.asker == nil:
	case w.asker.Operation == "":
		read.AskText = w.ask
	default:
		at, err := strconv.Atoi(w.asker.About)
		if err != nil {
			return nil // the question was about something else
		}
		answer, err := w.asker.Ask(ctx, Question{})
		if err != nil {
			return err
		}
		if a := w.taken(at, answer); a.Text != "" {
			read.Pasted = &loops.PastedText{At: at, Title: a.Title, Text: a.Text}
		}
	}
	return nil
}

// ask implements loops.AskText.
func (w *textRequest) ask(ctx context.Context, q loops.TextQuestion) (loops.TextAnswer, error) {
	answer, err := w.asker.Ask(ctx, textForm(q))
	if err != nil {
		return loops.TextAnswer{Asked: true}, err
	}
	if answer.Unasked {
		return loops.TextAnswer{}, nil
	}
	return w.taken(q.At, answer), nil
}

func (w *textRequest) taken(at int, answer Answer) loops.TextAnswer {
	w.at = at
	title, text := textIn(answer.Content)
	switch {
	case answer.Accepted && text != "":
		return loops.TextAnswer{Asked: true, Title: title, Text: text}
	case answer.Accepted:
		w.failed = fmt.Sprintf("The user was asked, and gave no text of %d to %d characters.", loops.MinPastedChars, loops.MaxPastedChars)
	case w.asker.Declined:
		w.failed = "The user was asked for its text and declined: look for another source."
	default:
		w.failed = "The user was asked for its text and gave no answer."
	}
	return loops.TextAnswer{Asked: true}
}

// maxTitleChars of a pasted text's title.
const maxTitleChars = 300

func textForm(q loops.TextQuestion) Question {
	return Question{
		Message: fmt.Sprintf("A source could not be read: %s. Address: %s\nIf you can open it, paste its text here: it is kept with this research as a source, marked as pasted by you. Paste only the text itself. Decline to go on without it.", plainWords(q.Reason, 200), plainWords(q.URL, 300)),
		Schema: map[string]any{
			"type": "object",
			"properties": map[string]any{
				"text":  map[string]any{"type": "string", "title": "Text of the page", "minLength": loops.MinPastedChars, "maxLength": loops.MaxPastedChars},
				"title": map[string]any{"type": "string", "title": "Its title", "maxLength": maxTitleChars},
			},
			"required": []string{"text"},
		},
		About: strconv.Itoa(q.At),
	}
}

// plainWords returns an address or a reason on one line for a form.
func plainWords(s string, chars int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s)
	return cutTo(strings.Join(strings.Fields(s), " "), chars)
}

// textIn returns the text of the form, unchanged, and its title; both are empty if the text cannot be a source.
func textIn(content map[string]any) (title, text string) {
	text, _ = content["text"].(string)
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < loops.MinPastedChars || n > loops.MaxPastedChars || !utf8.ValidString(text) {
		return "", ""
	}
	title, _ = content["title"].(string)
	return plainWords(strings.ToValidUTF8(title, ""), maxTitleChars), text
}

// said returns the note for the host about paywalled pages, and the pages that another call can ask the user for.
func (w *textRequest) said(pages []loops.PageOutcome) (walled string, others []int) {
	for i, p := range pages {
		if !p.AccessRestricted {
			continue
		}
		if walled == "" {
			walled = "If the user can open such a page, ask them for its text and call fetch with its url, text and title."
		}
		if w.asker != nil && !p.AskedFor && i != w.at {
			others = append(others, i)
		}
	}
	if w.failed != "" && w.at < len(pages) {
		walled = strings.TrimSpace(arguments.Clip(pages[w.at].URL) + ": " + w.failed + " " + walled)
	}
	return walled, others
}
