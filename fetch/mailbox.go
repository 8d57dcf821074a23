package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/mail"
)

const typeMailbox = "application/mbox"

// messageAddress splits the path of a message, such as /folder/list.mbox/0123456789abcdef, into mailbox and name.
func messageAddress(name string) (box, part string, ok bool) {
	box, part = filepath.Dir(name), filepath.Base(name)
	kind, _ := readsAs(box)
	return box, part, kind == typeMailbox && len(part) == 16 && strings.Trim(part, "0123456789abcdef") == ""
}

var errFound = errors.New("found")

// readMailFile reads one message of a mailbox inside of a corpus folder.
func (r *Reader) readMailFile(ctx context.Context, box, part string) (Page, error) {
	var page Page
	shown, err := r.openCorpusFile(box, func(in io.Reader) error {
		in, err := unpacked(box, in)
		if err != nil {
			return err
		}
		err = r.eachMessage(ctx, in, func(name string, x document.Extraction) error {
			if name != part {
				return nil
			}
			page.Document = x.Document
			if page.Status, page.Reason = classify(x); page.Status == StatusTooShort && x.Chars > 0 {
				page.Status, page.Reason = StatusRead, ""
			}
			return errFound
		})
		if errors.Is(err, errFound) {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("%w in the mailbox", os.ErrNotExist)
		}
		return err
	})
	base := &url.URL{Scheme: "file", Path: slashPath(filepath.Join(shown, part))}
	page.FinalURL = base.String()
	return page, err
}

// eachMessage reads the messages of a mailbox. It skips copies, which have the id of an earlier message.
func (r *Reader) eachMessage(ctx context.Context, in io.Reader, yield func(part string, x document.Extraction) error) error {
	seen := map[string]bool{}
	var failed error
	err := mail.Split(in, func(raw []byte) bool {
		if failed = ctx.Err(); failed != nil {
			return false
		}
		m := mail.Parse(raw)
		part := mail.Name(m, raw)
		if seen[part] {
			return true
		}
		seen[part] = true
		var x document.Extraction
		if x, failed = r.extractor.Message(ctx, m); failed == nil {
			failed = yield(part, x)
		}
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("%w: %w", document.ErrUnsupported, err)
	}
	return nil
}
