package extract

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
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
