package extract

import (
	"cmp"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/mail"
)

// Message makes a document from a message: its header fields as mail programs show them, and its text. A part that cannot
// be read is replaced by a note. The error is ctx's.
func (e *Extractor) Message(ctx context.Context, m mail.Message) (x document.Extraction, err error) {
	err = e.pdfs.Run(ctx, func(ctx context.Context) (err error) {
		x, err = e.message(ctx, m)
		return err
	})
	return x, err
}

// message is Message without the gate.
func (e *Extractor) message(ctx context.Context, m mail.Message) (document.Extraction, error) {
	var blocks []string
	var head []string
	for _, line := range [][2]string{{"From", strings.Join(m.From, ", ")}, {"Date", m.Date}, {"Subject", m.Subject}} {
		if line[1] != "" {
			head = append(head, line[0]+": "+line[1])
		}
	}
	blocks = append(blocks, strings.Join(head, "\n"))
	var x document.Extraction
	for _, p := range m.Parts {
		part, err := e.extract(ctx, p.ContentType, p.Body, nil)
		if ctx.Err() != nil {
			return x, ctx.Err()
		}
		if err != nil {
			blocks = append(blocks, "[A part of this message cannot be read.]")
			continue
		}
		if p.HTML != nil {
			shown := html.Text(charset.Decode(p.HTML.Body, p.HTML.ContentType, document.TypeHTML))
			if missing := wordsMissing(part.Text, shown); missing > 0 && shown != "" { // people see the other part
				x.HiddenChars += missing
				part.Text = shown
				if missing > maxMissing {
					blocks = append(blocks, "[The plain text of this message differs from its HTML, which mail programs show and which follows.]")
				}
			}
		}
		blocks = append(blocks, part.Text)
		x.Invisible += part.Invisible
		x.Language = cmp.Or(x.Language, part.Language)
	}
	if len(m.Attached) > 0 {
		blocks = append(blocks, "Attached: "+strings.Join(m.Attached, ", "))
	}
	x.Text = document.Tidy(strings.Join(blocks, "\n\n"))
	x.Title, x.Authors, x.PublishedAt, x.ContentType = document.Title(m.Subject), m.From, m.Date, document.TypeMessage
	x.Title = cmp.Or(x.Title, "(no subject)")
	x.Chars = utf8.RuneCountInString(x.Text)
	return x, nil
}

// maxMissing is how many characters of plain text need no notice: links and names of pictures that HTML does not spell out.
const maxMissing = 200

// wordsMissing counts the characters of the words of a text that another does not have; addresses do not count.
func wordsMissing(text, other string) (chars int) {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("<>≤≥=−-+%", r)
		})
	}
	have := map[string]bool{}
	for _, word := range split(other) {
		have[trimRules(word)] = true
	}
	for field := range strings.FieldsSeq(text) {
		if strings.Contains(field, "://") || strings.ContainsRune(field, '@') {
			continue
		}
		for _, word := range split(field) {
			if word = trimRules(word); !have[word] {
				chars += utf8.RuneCountInString(word)
			}
		}
	}
	return chars
}

// trimRules removes what only draws a line or marks a quotation; a single sign is a word.
func trimRules(word string) string {
	if len(word) == 1 {
		return word
	}
	return strings.Trim(word, "-=<>")
}
