package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
)

// wall is what a call of fetch does about pages that only a person may open.
//
// The user is asked in any call that keeps texts in a loop, one of a blind searcher too: whoever fetches needs the text
// now, and nobody else would ask for it. What keeps that from being a nuisance is that a call asks once, a loop has one
// question open at a time, and nobody is asked for a page again. What the form shows is the address and citeloop's
// own words: the page's title is left out, because strangers chose it.
type wall struct {
	asker  Asker  // nil: the client cannot ask, or nothing is kept
	at     int    // the address that this call's question was about, or -1
	failed string // what came of the question, when it was no text
}

func wallFor(asker Asker, in fetchIn) *wall {
	if in.StateID == "" || in.Text != "" {
		asker = nil
	}
	return &wall{asker: asker, at: -1}
}

// ready adds to a reading what the user has answered, or how they are asked.
func (w *wall) ready(ctx context.Context, read *loops.ReadInput) error {
	switch {
	case w.asker == nil:
	case w.asker.Operation() == "":
		read.AskText = w.ask
	default:
		at, err := strconv.Atoi(w.asker.About())
		if err != nil {
			return nil // the question was about something else
		}
		answer, err := w.asker.Ask(ctx, Question{})
		if err != nil {
			return err
		}
		if a := w.taken(at, answer); a.Text != "" {
			read.Handed = &loops.HandedText{At: at, Title: a.Title, Text: a.Text}
		}
	}
	return nil
}

// ask implements loops.AskText.
func (w *wall) ask(ctx context.Context, q loops.TextQuestion) (loops.TextAnswer, error) {
	answer, err := w.asker.Ask(ctx, textForm(q))
	if err != nil {
		return loops.TextAnswer{Asked: true}, err
	}
	if answer.Unasked {
		return loops.TextAnswer{}, nil
	}
	return w.taken(q.At, answer), nil
}

func (w *wall) taken(at int, answer Answer) loops.TextAnswer {
	w.at = at
	title, text := textIn(answer.Content)
	switch {
	case answer.Accepted && text != "":
		return loops.TextAnswer{Asked: true, Title: title, Text: text}
	case answer.Accepted:
		w.failed = fmt.Sprintf("The user was asked, and gave no text of %d to %d characters.", loops.MinPastedChars, loops.MaxPastedChars)
	case w.asker.Declined():
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

// plainWords is what a form shows of an address or a reason: one line that cannot pass for anything else of the form.
func plainWords(s string, chars int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s)
	return cutTo(strings.Join(strings.Fields(s), " "), chars)
}

// textIn reads the form: a text that can be a source, and what it is called; both empty otherwise. The text itself is
// taken as it is.
func textIn(content map[string]any) (title, text string) {
	text, _ = content["text"].(string)
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < loops.MinPastedChars || n > loops.MaxPastedChars || !utf8.ValidString(text) {
		return "", ""
	}
	title, _ = content["title"].(string)
	return plainWords(strings.ToValidUTF8(title, ""), maxTitleChars), text
}

// said is what the host is told of walled pages, and which of them the user can be asked for in another call.
func (w *wall) said(pages []loops.PageOutcome) (walled string, others []int) {
	for i, p := range pages {
		if !p.Walled {
			continue
		}
		if walled == "" {
			walled = "If the user can open what is walled, ask them for the text and call fetch with its url, text and title."
		}
		if w.asker != nil && !p.AskedFor && i != w.at {
			others = append(others, i)
		}
	}
	if w.failed != "" && w.at < len(pages) {
		walled = strings.TrimSpace(clip(pages[w.at].URL) + ": " + w.failed + " " + walled)
	}
	return walled, others
}
