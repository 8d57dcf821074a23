package local

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
)

// full returns the absolute path of a file.
func (c *Corpus) full(at place) string {
	return filepath.Join(c.cfg.Folders[at.folder], filepath.FromSlash(at.path))
}

// Look compares the folders with the index, for [Corpus.Words], and reads none of their files. Those with the same size and
// modification time count as unchanged.
func (c *Corpus) Look(ctx context.Context) error {
	ix, err := c.index()
	if err == nil {
		_, _, err = c.compare(ctx, ix)
	}
	return err
}

// compare returns the files that are new or changed, and those that are gone.
func (c *Corpus) compare(ctx context.Context, ix *index) (changed []file, gone []place, err error) {
	// The index first: a file that another process adds to it during the walk is not gone.
	known, err := ix.files(ctx, `true`)
	if err != nil {
		return nil, nil, err
	}
	found, err := walk(ctx, c.cfg.Folders)
	if err != nil {
		return nil, nil, err
	}
	unread := map[place]string{}
	for _, f := range found.files {
		row, ok := known[f.place]
		if !ok || row.stamp != f.stamp {
			changed = append(changed, f)
		}
		if row.problem != "" {
			unread[f.place] = row.problem
		}
		delete(known, f.place)
	}
	gone = slices.Collect(maps.Keys(known))
	c.mu.Lock()
	defer c.mu.Unlock()
	found.Pending, found.Failed = len(changed), c.state.Failed
	c.state = state{found.Report, unread}
	return changed, gone, nil
}

// refresh scans the folders, removes from the index what is gone, and reads what is new or changed with all processors.
func (c *Corpus) refresh() (*index, error) {
	ix, err := c.index()
	if err != nil {
		return nil, err
	}
	changed, gone, err := c.compare(c.ctx, ix)
	if err == nil && len(gone) > 0 {
		err = ix.update(c.ctx, func(t *update) {
			for _, at := range gone {
				t.remove(at)
			}
		})
	}
	if err != nil {
		return ix, err
	}
	all, ctx := errgroup.WithContext(c.ctx)
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(changed)) {
		all.Go(func() error {
			r := fileReader{Corpus: c, index: ix, stemmers: stemmers{}}
			for n := int(next.Add(1)); n <= len(changed); n = int(next.Add(1)) {
				// Another process may read the same files: it begins elsewhere.
				if err := r.take(ctx, changed[(os.Getpid()+n)%len(changed)]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return ix, all.Wait()
}

// fileReader reads files for one worker.
type fileReader struct {
	*Corpus
	*index
	stemmers stemmers
}

// passing is the modification time, before all others, of a file that was not read for a reason that may pass: each scan tries again.
const passing = math.MinInt64

// take reads one file and writes it into the index, unless another process has done so or its text is as it was.
func (r *fileReader) take(ctx context.Context, f file) error {
	known, err := r.files(ctx, `folder = ? AND path = ?`, f.folder, f.path)
	if err != nil {
		return err
	}
	row := known[f.place]
	if row.stamp != f.stamp {
		before := row.hash
		if row.problem != "" {
			before = ""
		}
		row = fileRow{file: f}
		e, err := r.read(ctx, &row, before)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrPermission):
			row.mtime = passing
		}
		if err != nil {
			r.cfg.Logger.Debug("corpus: file left out", slog.String("path", f.path), slog.Any("cause", err))
			row.problem = problem(err)
		}
		err = r.update(context.WithoutCancel(ctx), func(t *update) {
			if row.problem == "" && row.hash == before {
				t.write(`UPDATE files SET size = ?, mtime = ? WHERE folder = ? AND path = ?`, f.size, f.mtime, f.folder, f.path)
			} else {
				t.file(row, e)
			}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Pending--
	if delete(r.state.unread, f.place); row.problem != "" {
		r.state.unread[f.place] = row.problem
	}
	return nil
}

// read reads a file, unless its hash is as before. A panic of the reader is an error: untrusted files must not end the process.
func (r *fileReader) read(ctx context.Context, row *fileRow, before string) (e *entry, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.cfg.Logger.Error("corpus: reading a file panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errExtract
		}
	}()
	if err := tooLarge(row.file); err != nil {
		return nil, err
	}
	in, err := fetch.OpenInside(r.cfg.Folders[row.folder], filepath.FromSlash(row.path))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	h := sha256.New()
	_, err = io.Copy(h, in)
	if row.hash = hex.EncodeToString(h.Sum(nil)); err != nil || row.hash == before {
		return nil, err
	}
	_, err = in.Seek(0, io.SeekStart)
	links, failed := readLinks(row.path, in)
	if err = cmp.Or(err, failed); err != nil {
		return nil, err
	}
	d, err := r.cfg.Reader.ReadOpen(ctx, r.full(row.place), in)
	if err != nil {
		return nil, err
	}
	return r.stemmers.entryOf(row.path, d, links), nil
}

// tooLarge is the error of a file that is larger than fetch reads.
func tooLarge(f file) error {
	switch name := strings.TrimSuffix(f.path, ".gz"); {
	case extract.TypeByName(name) == "" && f.size > maxDataBytes:
		return errLargeData
	case f.size > maxFileBytes:
		return errTooLarge
	}
	return nil
}
