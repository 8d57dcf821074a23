package local

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels/local/index"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// worker reads files into its own segments.
type worker struct {
	*pass
	builder *index.Builder
	open    committed     // read but not published yet
	since   time.Time     // when it last published
	every   time.Duration // after which it publishes again

	messages int // documents of the file that is being read, so far
}

func (w *worker) run(ctx context.Context, jobs <-chan string) error {
	w.open.touched, w.every = map[string]int64{}, commitEvery
	for rel := range jobs {
		if ctx.Err() != nil {
			break
		}
		if err := w.take(ctx, rel); err != nil {
			return err
		}
		w.stepped()
		full := w.builder != nil && w.builder.TextBytes() >= segmentBytes
		if full || w.c.cfg.Now().Sub(w.since) >= w.every {
			// Twice as long each time: the first results come soon, and a long build leaves few small segments to
			// merge.
			w.every *= 2
			if err := w.publish(); err != nil {
				return err
			}
		}
	}
	return w.publish()
}

// take adds one file to the builder, or the reason why it cannot be read. Its errors are those of the index, never of
// the file. The next pass reads the files that were not read because ctx ended.
func (w *worker) take(ctx context.Context, rel string) error {
	s := w.found.files[rel]
	file := index.File{Path: rel, Size: s.size, ModTime: s.mtime}
	w.messages = 0
	err := w.read(ctx, rel, &file)
	var broken *indexError
	switch {
	case errors.As(err, &broken):
		return broken
	case err == nil:
		return nil
	case errors.Is(err, errUnchanged):
		w.open.touched[rel] = s.mtime
		w.open.files++
		return nil
	}
	if ctx.Err() != nil && w.messages == 0 {
		return nil
	}
	file.Problem, file.Passing = problem(err), errors.Is(err, fs.ErrPermission) || ctx.Err() != nil
	w.log(rel, err)
	return w.end(file)
}

var errUnchanged = errors.New("unchanged")

// indexError is a failure of the index itself.
type indexError struct{ error }

func (w *worker) read(ctx context.Context, rel string, file *index.File) error {
	if most := maxBytes(rel); most > 0 && file.Size > most {
		return &tooLargeError{most}
	}
	f, err := fetch.OpenInside(w.f.root, filepath.FromSlash(rel))
	if err != nil {
		return err
	}
	defer f.Close()
	if file.Hash, err = hashOf(f); err != nil {
		return err
	}
	if refs := w.known[rel]; len(refs) > 0 && refs[0].Hash == file.Hash && refs[0].Size == file.Size && refs[0].Problem == "" {
		return errUnchanged
	}
	err = w.guarded(func() error {
		links, err := readLinks(rel, f)
		if err != nil {
			return err
		}
		return w.c.cfg.Reader.EachDocument(ctx, filepath.Join(w.f.root, filepath.FromSlash(rel)), f, func(part string, d document.Document) error {
			if w.messages++; w.messages > maxMessages {
				return errManyMails
			}
			if err := w.ready(); err != nil {
				return err
			}
			if err := w.builder.Document(rel, indexed(rel, part, d, links)); err != nil {
				return &indexError{err}
			}
			if part != "" && w.builder.TextBytes() >= segmentBytes {
				return w.seal(*file) // the rest of the mailbox goes into the next segment
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	return w.end(*file)
}

// maxBytes returns the size up to which a file is read; 0 = any.
func maxBytes(rel string) int64 {
	name := strings.TrimSuffix(rel, ".gz")
	switch {
	case strings.EqualFold(path.Ext(name), ".mbox"):
		return 0
	case extract.TypeByName(name) == "":
		return maxDataBytes
	}
	return maxFileBytes
}

// guarded turns a panic of the reader into an error: untrusted files must not end the process.
func (w *worker) guarded(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.c.cfg.Logger.Error("corpus: reading a file panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errExtract
		}
	}()
	return read()
}

func (w *worker) ready() error {
	if w.builder != nil {
		return nil
	}
	b, err := index.NewBuilder()
	if err != nil {
		return &indexError{err}
	}
	w.builder = b
	return nil
}

// end completes a file: its documents are those added since the last one.
func (w *worker) end(file index.File) error {
	if err := w.ready(); err != nil {
		return err
	}
	w.builder.File(file)
	w.open.files++
	w.open.replaced = append(w.open.replaced, file.Path)
	return nil
}

// seal ends the segment in the middle of a file. It is published once the file is complete.
func (w *worker) seal(file index.File) error {
	w.builder.File(file)
	return w.write()
}

// write writes the builder as a segment.
func (w *worker) write() error {
	if w.builder == nil || w.builder.Files() == 0 {
		return nil
	}
	name := w.c.segmentName()
	seg, closer, err := w.f.disk.put(name, w.builder)
	if err != nil {
		return &indexError{fmt.Errorf("writing the index of %s: %w", w.f.root, err)}
	}
	w.builder = nil
	w.open.parts = append(w.open.parts, part{name: name, segment: seg, file: closer})
	return nil
}

// publish makes the files read so far searchable.
func (w *worker) publish() error {
	w.since = w.c.cfg.Now()
	if err := w.write(); err != nil {
		return err
	}
	if w.open.files == 0 {
		return nil
	}
	err := w.commit(&w.open)
	w.open = committed{touched: map[string]int64{}}
	return err
}

// hashOf hashes a file and seeks back to its beginning.
func hashOf(f *os.File) (out [16]byte, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return out, err
	}
	copy(out[:], h.Sum(nil))
	_, err = f.Seek(0, io.SeekStart)
	return out, err
}
