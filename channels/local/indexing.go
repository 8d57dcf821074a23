package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
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

// state is the result of the last scan of the folders, and of what was read since.
type state struct {
	Report                   // without the files of unread
	missing map[int]bool     // folders that cannot be opened
	unread  map[place]string // files that were left out by their content or an error, with the reasons
}

// compared is how the folders differ from the index.
type compared struct {
	stamps        map[place]stamp
	known         map[place]fileRow
	changed, gone []place
}

// compare scans the folders and changes nothing. It keeps what the index has of a folder that is missing: it may come back, such as an
// unmounted disk.
func (c *Corpus) compare(ctx context.Context, ix *index) (d compared, err error) {
	// The index first: a file that another process adds to it during the walk is not gone.
	if d.known, err = ix.files(ctx, `true`); err != nil {
		return d, err
	}
	found, err := walk(ctx, c.roots)
	if err != nil {
		return d, err
	}
	d.stamps = found.files
	now := state{missing: found.missing, unread: map[place]string{}}
	for _, at := range found.order {
		row, ok := d.known[at]
		if !ok || row.stamp != found.files[at] {
			d.changed = append(d.changed, at)
		}
		if row.problem != "" {
			now.unread[at] = row.problem
		}
	}
	for at := range d.known {
		if _, still := found.files[at]; !still && !found.missing[at.folder] {
			d.gone = append(d.gone, at)
		}
	}
	now.Report = Report{Folders: len(c.roots), Files: len(found.order), Indexed: len(found.order) - len(d.changed),
		Pending: len(d.changed), Problems: found.problems, Overflow: found.overflow, Looked: true, left: found.left}
	for folder, root := range c.roots {
		if found.missing[folder] {
			now.Missing = append(now.Missing, root)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now.Failed, now.Read = c.state.Failed, c.state.Read
	c.state = now
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
		err = ix.update(c.ctx, func(t *update) error { return t.remove(d.gone...) })
	}
	if err == nil {
		err = c.readAll(ix, d)
	}
	return ix, err
}

// Look compares the folders with the index, for [Corpus.Words], and reads none of their files. Those with the same size and
// modification time count as unchanged.
func (c *Corpus) Look(ctx context.Context) error {
	ix, err := c.index()
	if err == nil {
		_, err = c.compare(ctx, ix)
	}
	return err
}

// readAll reads the changed files with all processors and writes them in transactions.
func (c *Corpus) readAll(ix *index, d compared) error {
	results := make(chan result)
	all, ctx := errgroup.WithContext(c.ctx)
	workers := min(runtime.GOMAXPROCS(0), len(d.changed))
	var next atomic.Int64
	for range workers {
		all.Go(func() error {
			r := fileReader{c: c, ix: ix, known: d.known, stemmers: stemmers{}}
			for i := next.Add(1) - 1; int(i) < len(d.changed); i = next.Add(1) - 1 {
				// Another process may read the same files: it begins elsewhere, and what it has read meanwhile is not read again.
				at := d.changed[(os.Getpid()+int(i))%len(d.changed)]
				select {
				case results <- r.take(ctx, at, d.stamps[at]):
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
	for done := range total {
		select {
		case r := <-results:
			if r.row.path != "" { // "" = its reading was interrupted
				open = append(open, r)
				size += r.bytes
			}
		case <-ctx.Done():
			return errors.Join(c.commit(ctx, ix, open), ctx.Err())
		}
		if size >= commitBytes || c.cfg.Now().Sub(since) >= commitEvery || done == total-1 {
			if err := c.commit(ctx, ix, open); err != nil {
				return err
			}
			open, size, since = nil, 0, c.cfg.Now()
		}
	}
	ix.checkpoint()
	return nil
}

// commit writes files that were read, and counts them.
func (c *Corpus) commit(ctx context.Context, ix *index, read []result) error {
	err := ix.update(context.WithoutCancel(ctx), func(t *update) error {
		for _, r := range read {
			if err := t.file(r); err != nil {
				return fmt.Errorf("%s: %w", r.row.path, err)
			}
		}
		return nil
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.state
	s.Pending, s.Indexed, s.Read = s.Pending-len(read), s.Indexed+len(read), s.Read+len(read)
	for _, r := range read {
		if delete(s.unread, r.row.place); r.row.problem != "" {
			s.unread[r.row.place] = r.row.problem
		}
	}
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
	known    map[place]fileRow
	stemmers stemmers
}

// take reads one file. Its errors become the reason why the file cannot be read.
func (r *fileReader) take(ctx context.Context, at place, now stamp) result {
	out := result{row: fileRow{place: at, stamp: now}}
	rows, err := r.ix.files(ctx, `folder = ? AND path = ?`, at.folder, at.path)
	if row, known := rows[at]; err == nil && known && row.stamp == now {
		return result{row: row, unchanged: true} // another process has read it
	}
	err = r.read(ctx, at, &out)
	switch {
	case err == nil:
		return out
	case ctx.Err() != nil && len(out.documents) == 0:
		return result{}
	case errors.Is(err, fs.ErrPermission), ctx.Err() != nil: // it may pass without a change of the file: each scan tries again
		out.row.mtime = passing
	}
	r.c.cfg.Logger.Debug("corpus: file left out", slog.String("path", at.path), slog.Any("cause", err))
	out.row.problem = problem(err)
	return out
}

// passing is the modification time, before all others, of a file that was not read for a reason that may pass.
const passing = math.MinInt64

// read reads a file. A panic of the reader is an error: untrusted files must not end the process.
func (r *fileReader) read(ctx context.Context, at place, out *result) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.c.cfg.Logger.Error("corpus: reading a file panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errExtract
		}
	}()
	root, rel := r.c.roots[at.folder], filepath.FromSlash(at.path)
	if most := maxBytes(at.path); most > 0 && out.row.size > most {
		return &tooLargeError{most}
	}
	file, err := fetch.OpenInside(root, rel)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	out.row.hash = hex.EncodeToString(h.Sum(nil))
	if known, ok := r.known[at]; ok && known.hash == out.row.hash && known.problem == "" {
		out.unchanged = true
		return nil
	}
	links, err := readLinks(at.path, file)
	if err != nil {
		return err
	}
	return r.c.cfg.Reader.EachDocument(ctx, filepath.Join(root, rel), file, func(part string, d document.Document) error {
		if len(out.documents) == maxMessages || out.bytes > maxMailBytes {
			return errManyMails
		}
		e := r.stemmers.entryOf(r.ix.codec, at.path, part, d, links)
		out.documents = append(out.documents, e)
		out.bytes += e.about.Bytes
		return nil
	})
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
