package local

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// compared is how the folders differ from the index.
type compared struct {
	stamps        map[string]stamp
	known         map[string]fileRow
	changed, gone []string
}

// compare scans the folders and changes nothing. It keeps what the index has of a folder that is missing: it may come back, such as an
// unmounted disk.
func (c *Corpus) compare(ctx context.Context, ix *index) (d compared, err error) {
	// The index first: a file that another process adds to it during the walk is not gone.
	if d.known, err = ix.files(ctx); err != nil {
		return d, err
	}
	found, err := walk(ctx, c.roots)
	if err != nil {
		return d, err
	}
	d.stamps = found.files
	unread := map[string]string{}
	for _, file := range found.order {
		row, ok := d.known[file]
		if !ok || row.stamp != found.files[file] || row.problem == denied { // permissions change neither size nor time
			d.changed = append(d.changed, file)
		}
		if row.problem != "" {
			unread[file] = row.problem
		}
	}
	for file := range d.known {
		if _, still := found.files[file]; !still && !isMissing(file, found.missing) {
			d.gone = append(d.gone, file)
		}
	}
	for _, folder := range found.unread {
		found.left.add(unreadable, folder)
	}
	c.set(func(s *state) {
		s.unread = unread
		s.Report = Report{Folders: len(c.roots), Files: len(found.order), Pending: len(d.changed), Missing: found.missing,
			Overflow: found.overflow, Looked: true, Failed: s.Failed, left: found.left}
	})
	return d, nil
}

// refresh scans the folders, reads new and changed files, and removes those that are gone.
func (c *Corpus) refresh() (*index, error) {
	ix, err := c.index()
	if err != nil {
		return nil, err
	}
	d, err := c.compare(c.ctx, ix)
	if err == nil && len(d.gone) > 0 {
		err = ix.update(c.ctx, func(t update) error { return t.remove(d.gone...) })
	}
	if err == nil && len(d.changed) > 0 {
		err = c.readAll(ix, d)
	}
	return ix, err
}

// readAll reads the changed files with all processors and writes them in transactions. Another process may read the same files:
// it begins elsewhere, and what it has read meanwhile is not read again.
func (c *Corpus) readAll(ix *index, d compared) error {
	results := make(chan result)
	all, ctx := errgroup.WithContext(c.ctx)
	var taken atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(d.changed)) {
		all.Go(func() error {
			r := fileReader{c: c, ix: ix, known: d.known, stemmers: stemmers{}}
			for i := int(taken.Add(1)); i <= len(d.changed); i = int(taken.Add(1)) {
				file := d.changed[(os.Getpid()+i)%len(d.changed)]
				select {
				case results <- r.take(ctx, file, d.stamps[file]):
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	all.Go(func() error { return c.write(ctx, ix, len(d.changed), results) })
	return all.Wait()
}

// write writes total results, each transaction with a second of work or commitBytes of text.
func (c *Corpus) write(ctx context.Context, ix *index, total int, results <-chan result) error {
	var open []result
	size, since := 0, c.cfg.Now()
	for done := 1; done <= total; done++ {
		select {
		case r := <-results:
			open = append(open, r)
			size += r.bytes
		case <-ctx.Done():
			return errors.Join(c.commit(ctx, ix, open), ctx.Err())
		}
		if size >= commitBytes || c.cfg.Now().Sub(since) >= commitEvery || done == total {
			if err := c.commit(ctx, ix, open); err != nil {
				return err
			}
			open, size, since = nil, 0, c.cfg.Now()
		}
	}
	ix.checkpoint()
	return nil
}

// commit writes files in one transaction. Those whose reading was interrupted are left as they are.
func (c *Corpus) commit(ctx context.Context, ix *index, read []result) error {
	err := ix.update(context.WithoutCancel(ctx), func(t update) error {
		for _, r := range read {
			if r.row.path == "" {
				continue
			}
			if err := t.file(r); err != nil {
				return err
			}
		}
		return nil
	})
	c.set(func(s *state) {
		s.Pending -= len(read)
		s.unread = maps.Clone(s.unread)
		for _, r := range read {
			if delete(s.unread, r.row.path); r.row.problem != "" {
				s.unread[r.row.path] = r.row.problem
			}
		}
	})
	return err
}

// result is a file as it was read. A file that cannot be read has a problem and no documents.
type result struct {
	row       fileRow
	documents []entry
	unchanged bool // only its size or time changed
	bytes     int  // of text
}

// fileReader reads files for one worker.
type fileReader struct {
	c        *Corpus
	ix       *index
	known    map[string]fileRow
	stemmers stemmers
}

// take reads one file. Its errors become the reason why the file cannot be read.
func (r *fileReader) take(ctx context.Context, file string, now stamp) result {
	out := result{row: fileRow{path: file, stamp: now}}
	if row, err := r.ix.file(ctx, file); err == nil && row.stamp == now && row.problem != denied {
		return result{row: row, unchanged: true} // another process has read it
	}
	err := r.read(ctx, file, &out)
	switch {
	case err == nil:
		return out
	case ctx.Err() != nil:
		return result{}
	}
	r.c.cfg.Logger.Debug("corpus: file left out", slog.String("path", file), slog.Any("cause", err))
	out.row.problem = problem(err)
	return out
}

// read reads a file. A panic of the reader is an error: untrusted files must not end the process.
func (r *fileReader) read(ctx context.Context, file string, out *result) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.c.cfg.Logger.Error("corpus: reading a file panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errExtract
		}
	}()
	if most := maxBytes(file); most > 0 && out.row.size > most {
		return &tooLargeError{most}
	}
	root, rel := r.c.rootOf(file)
	in, err := fetch.OpenInside(root, filepath.FromSlash(rel))
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	out.row.hash = [16]byte(h.Sum(nil))
	if known, ok := r.known[file]; ok && known.hash == out.row.hash && known.problem == "" {
		out.unchanged = true
		return nil
	}
	links, err := readLinks(file, in)
	if err != nil {
		return err
	}
	return r.c.cfg.Reader.EachDocument(ctx, filepath.FromSlash(file), in, func(part string, d document.Document) error {
		if len(out.documents) == maxMessages || out.bytes > maxMailBytes {
			return errManyMails
		}
		e, err := r.stemmers.entryOf(r.ix.codec, file, part, d, links)
		out.documents = append(out.documents, e)
		out.bytes += len(d.Text)
		return err
	})
}

// maxBytes returns the size up to which a file is read; 0 = any.
func maxBytes(file string) int64 {
	name := strings.TrimSuffix(file, ".gz")
	switch {
	case strings.EqualFold(path.Ext(name), ".mbox"):
		return 0
	case extract.TypeByName(name) == "":
		return maxDataBytes
	}
	return maxFileBytes
}
