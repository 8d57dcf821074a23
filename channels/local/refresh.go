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
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/passages"
)

// file is what the index knows of a file.
type file struct {
	size    int64
	mtime   time.Time
	hash    [sha256.Size]byte
	about   Document // without its text
	problem string   // why it was left out; "" = it is in the index
	again   bool     // the reason may go away without a change of the file
}

// refresh brings the index up to date with the folders, as far as ctx allows. One caller looks at a time; the
// others wait for it. A tenth of the time is left for the search itself.
func (x *Index) refresh(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*9/10)
		defer cancel()
	}
	select {
	case <-x.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { x.turn <- struct{}{} }()

	now := x.cfg.Now()
	x.mu.Lock()
	fresh := !x.looked.IsZero() && now.Sub(x.looked) < lookEvery && !now.Before(x.looked)
	x.mu.Unlock()
	if fresh {
		return nil
	}
	found, order, missing, overflow, err := x.walk(ctx)
	if err != nil {
		return err
	}
	changed := x.compare(found, order)
	x.mu.Lock()
	x.missing, x.overflow, x.pending = missing, overflow, len(changed)
	x.mu.Unlock()
	if err := x.read(ctx, found, changed); err != nil {
		return err
	}
	x.mu.Lock()
	x.looked = now
	x.mu.Unlock()
	return nil
}

// compare forgets the files that are gone and returns those that are new or look changed, in walking order.
func (x *Index) compare(found map[string]seen, order []string) (changed []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for name := range x.files {
		if _, still := found[name]; !still {
			x.passages.Remove(name)
			delete(x.files, name)
		}
	}
	for _, name := range order {
		f, ok := x.files[name]
		if s := found[name]; !ok || f.size != s.size || !f.mtime.Equal(s.mtime) || f.again {
			changed = append(changed, name)
		}
	}
	return changed
}

// read takes the changed files into the index, several at a time. What was read before ctx ended stays.
func (x *Index) read(ctx context.Context, found map[string]seen, changed []string) error {
	var telling sync.Mutex
	done := 0
	var group errgroup.Group
	group.SetLimit(workers())
	for _, name := range changed {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			x.take(name, found[name])
			if x.cfg.Progress != nil {
				telling.Lock()
				defer telling.Unlock()
				done++
				x.cfg.Progress(done, len(changed))
			}
			return nil
		})
	}
	_ = group.Wait() // no file is an error
	return ctx.Err()
}

// take reads one file and puts it into the index, or notes why not.
func (x *Index) take(name string, s seen) {
	x.mu.Lock()
	old, had := x.files[name]
	x.mu.Unlock()
	f := file{size: s.size, mtime: s.mtime}
	body, err := readFile(s)
	if err == nil {
		f.hash = sha256.Sum256(body)
		if had && old.problem == "" && old.hash == f.hash { // touched, not changed
			f.about = old.about
			x.keep(name, f)
			return
		}
		f.about, err = x.extract(name, body)
	}
	if err != nil {
		f.problem = problem(err)
		f.again = errors.Is(err, fs.ErrPermission)
		x.cfg.Logger.Debug("file left out", slog.String("path", name), slog.Any("cause", err))
		x.passages.Remove(name)
		x.keep(name, f)
		return
	}
	text := f.about.Text
	f.about.Text = "" // the passages hold it
	x.passages.Add(name, passages.Split(text, passageChars))
	x.keep(name, f)
}

func (x *Index) keep(name string, f file) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.files[name] = f
	x.pending--
}

// extract guards against a reader that fails on a strange file: in a goroutine of its own, a panic would end
// the process.
func (x *Index) extract(name string, body []byte) (d Document, err error) {
	defer func() {
		if p := recover(); p != nil {
			x.cfg.Logger.Error("extraction panicked", slog.String("path", name), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errExtract
		}
	}()
	return x.cfg.Extract(name, body)
}

// readFile opens the file inside its folder: a link that was put in its place since the walk and leads out of
// the folder is refused.
func readFile(s seen) ([]byte, error) {
	if s.size > maxFileBytes {
		return nil, errTooLarge
	}
	root, err := os.OpenRoot(s.folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Lstat(s.rel); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() { // a pipe would block the open
		return nil, fs.ErrInvalid
	}
	f, err := root.Open(s.rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err == nil && len(body) > maxFileBytes {
		err = errTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return body, nil
}
