package local

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/text/words"
)

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
	indexed, err := ix.files(ctx, `true`)
	if err != nil {
		return nil, nil, err
	}
	files, report, err := walk(ctx, c.cfg.Folders)
	if err != nil {
		return nil, nil, err
	}
	unread := map[place]string{}
	for _, f := range files {
		known := indexed[f.place]
		if known.file != f {
			changed = append(changed, f)
		}
		if known.problem != "" {
			unread[f.place] = known.problem
		}
		delete(indexed, f.place)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	report.Pending, report.Failed = len(changed), c.report.Failed
	c.report, c.unread = report, unread
	return changed, slices.Collect(maps.Keys(indexed)), nil
}

// refresh scans the folders, removes from the index what is gone, and reads what is new or changed with all processors.
func (c *Corpus) refresh(ix *index) error {
	changed, gone, err := c.compare(c.ctx, ix)
	if err == nil && len(gone) > 0 {
		err = ix.update(c.ctx, func(t *update) {
			for _, at := range gone {
				t.remove(at)
			}
		})
	}
	if err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(c.ctx)
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range changed {
		f := changed[(os.Getpid()+i)%len(changed)] // another process may read the same files: it begins elsewhere
		all.Go(func() error { return c.take(ctx, ix, f) })
	}
	return all.Wait()
}

// take reads one file and writes it into the index, unless another process has done so or its bytes are as they were.
func (c *Corpus) take(ctx context.Context, ix *index, f file) error {
	indexed, err := ix.files(ctx, `folder = ? AND path = ?`, f.folder, f.path)
	if err != nil {
		return err
	}
	row := indexed[f.place]
	if row.file != f {
		before := row.hash
		row = known{file: f}
		e, err := c.read(ctx, ix, &row, before)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrPermission):
			row.mtime = 0 // each scan tries again
		}
		if err != nil {
			c.cfg.Logger.Debug("corpus: file left out", slog.String("path", f.path), slog.Any("cause", err))
			row.hash, row.problem = "", problem(err)
		}
		err = ix.update(context.WithoutCancel(ctx), func(t *update) {
			if err == nil && row.hash == before {
				t.write(`UPDATE documents SET size = ?, mtime = ? WHERE folder = ? AND path = ?`, f.size, f.mtime, f.folder, f.path)
			} else {
				t.put(row, e)
			}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Pending--
	if delete(c.unread, f.place); row.problem != "" {
		c.unread[f.place] = row.problem
	}
	return nil
}

// analyzers has maps of analyzers by language, which remember stems and are for one goroutine at a time.
var analyzers = sync.Pool{New: func() any { return map[string]*words.Analyzer{} }}

// maxFileBytes is what fetch reads of one document.
const maxFileBytes = 20 << 20

// read reads a file, unless its hash is as before. A panic of the reader is an error: untrusted files must not end the process.
func (c *Corpus) read(ctx context.Context, ix *index, row *known, before string) (e entry, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.cfg.Logger.Error("corpus: reading a file panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errors.New("extraction failed")
		}
	}()
	in, err := fetch.OpenInside(c.cfg.Folders[row.folder], filepath.FromSlash(row.path))
	if err != nil {
		return e, err
	}
	defer in.Close()
	body, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	sum := sha256.Sum256(body)
	if row.hash = hex.EncodeToString(sum[:]); err != nil || row.hash == before {
		return e, err
	}
	if len(body) > maxFileBytes {
		return e, errTooLarge
	}
	d, err := c.cfg.Reader.ReadOpen(ctx, ix.full(row.place), bytes.NewReader(body))
	if errors.Is(err, limit.ErrTooLarge) && extract.TypeByName(strings.TrimSuffix(row.path, ".gz")) == "" {
		err = errLargeData
	}
	if err != nil {
		return e, err
	}
	by := analyzers.Get().(map[string]*words.Analyzer)
	defer analyzers.Put(by)
	return entryOf(by, row.path, d, linksOf(row.path, body)), nil
}
