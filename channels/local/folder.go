package local

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// folder is one of the user's folders with its index.
type folder struct {
	root string // absolute
	cfg  Config

	mu      sync.Mutex
	state   state
	ix      *index // nil before its first use
	counted *counts
}

// state is the result of the last scan of a folder.
type state struct {
	missing  bool // the folder cannot be opened
	overflow bool // it has more files than the index can hold
	found    int  // readable files
	pending  int  // readable files that are not indexed yet
	looked   bool // the folder was fully scanned
	failed   error
	problems []Problem // folders inside that cannot be listed
	left     leftOut   // files inside that are left out by their names
}

func (f *folder) set(change func(*state)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.state)
	f.counted = nil
}

func (f *folder) now() state {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// index opens the index at its first use.
func (f *folder) index(ctx context.Context) (*index, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ix == nil {
		ix, err := openIndex(ctx, f.cfg.Dir, f.root, f.cfg.Edition)
		if err != nil {
			return nil, err
		}
		f.ix = ix
	}
	return f.ix, nil
}

// count returns the sizes of the index; none where it cannot be read.
func (f *folder) count(ctx context.Context) counts {
	ix, err := f.index(ctx)
	if err != nil {
		return counts{}
	}
	f.mu.Lock()
	known := f.counted
	f.mu.Unlock()
	if known != nil {
		return *known
	}
	n, err := ix.count(ctx, f.root)
	if err != nil {
		f.cfg.Logger.Warn("corpus: counting failed", slog.String("folder", f.root), slog.Any("cause", err))
		return n
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counted = &n
	return n
}

func (f *folder) bytes() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ix == nil {
		return 0
	}
	return f.ix.bytes()
}

func (f *folder) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	ix := f.ix
	f.ix = nil
	if ix == nil {
		return nil
	}
	return ix.close()
}

// work is what a scan finds to do.
type work struct {
	files   map[string]stamp
	known   map[string]fileRow
	changed []string // new, or perhaps changed, in walking order
	gone    []string
}

// scan compares the folder with its index. A nil result with a nil error means that the folder is missing: it may come back,
// such as an unmounted disk, so its index is kept but not searched.
func (f *folder) scan(ctx context.Context) (*work, error) {
	ix, err := f.index(ctx)
	if err != nil {
		return nil, err
	}
	found, err := walk(ctx, f.root, f.cfg.Reads)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		f.set(func(s *state) { *s = state{missing: true, looked: true} })
		return nil, nil
	}
	known, err := ix.files(ctx)
	if err != nil {
		return nil, err
	}
	w := &work{files: found.files, known: known}
	for _, rel := range found.order {
		if row, ok := known[rel]; !ok || row.stamp != found.files[rel] || row.passing {
			w.changed = append(w.changed, rel)
		}
	}
	for rel := range known {
		if _, still := found.files[rel]; !still {
			w.gone = append(w.gone, rel)
		}
	}
	f.set(func(s *state) {
		*s = state{overflow: found.overflow, found: len(found.order), pending: len(w.changed), looked: s.looked, problems: found.problems, left: found.left}
	})
	return w, nil
}

// refresh scans the folder, reads new and changed files, and removes those that are gone. An index that turns out to be damaged is
// built again, once.
func (f *folder) refresh(ctx context.Context, told func(done, total int)) error {
	err := f.refreshOnce(ctx, told)
	if err == nil || !isDamage(err) {
		return err
	}
	f.cfg.Logger.Warn("corpus: the index is damaged and is built again", slog.String("folder", f.root), slog.Any("cause", err))
	f.mu.Lock()
	err = errors.Join(f.ix.close(), f.ix.remove())
	f.ix = nil
	f.mu.Unlock()
	if err != nil {
		return err
	}
	return f.refreshOnce(ctx, told)
}

func (f *folder) refreshOnce(ctx context.Context, told func(done, total int)) error {
	w, err := f.scan(ctx)
	if err != nil || w == nil {
		return err
	}
	ix, err := f.index(ctx)
	if err != nil {
		return err
	}
	// Another process may read the same files: it begins elsewhere, and what it has read meanwhile is not read again.
	start := os.Getpid() % max(1, len(w.changed))
	jobs, results := make(chan string), make(chan result)
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer close(jobs)
		for i := range w.changed {
			select {
			case jobs <- w.changed[(start+i)%len(w.changed)]:
			case <-reading.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range min(max(runtime.GOMAXPROCS(0), 1), max(len(w.changed), 1)) {
		workers.Go(func() {
			r := fileReader{f: f, ix: ix, work: w, stemmers: newStemmers(ix.codec)}
			for rel := range jobs {
				select {
				case results <- r.take(reading, rel):
				case <-reading.Done():
					return
				}
			}
		})
	}
	go func() { workers.Wait(); close(results) }()
	err = f.write(ctx, ix, w, results, told)
	cancel()
	for range results { // the workers end
	}
	if err == nil {
		f.set(func(s *state) { s.looked, s.pending = true, 0 })
	}
	return err
}

// write writes the results in transactions, each a second of work or commitBytes of text.
func (f *folder) write(ctx context.Context, ix *index, w *work, results <-chan result, told func(done, total int)) error {
	if len(w.gone) > 0 {
		if err := ix.update(ctx, func(t *update) error { return t.remove(w.gone) }); err != nil {
			return err
		}
	}
	done, taken := 0, 0
	var open []result
	size, since := 0, f.cfg.Now()
	flush := func() error {
		if len(open) == 0 {
			return nil
		}
		err := ix.update(context.WithoutCancel(ctx), func(t *update) error {
			for _, r := range open {
				if err := t.file(r); err != nil {
					return err
				}
			}
			return nil
		})
		f.set(func(s *state) { s.pending -= len(open) })
		open, size, since = nil, 0, f.cfg.Now()
		return err
	}
	for r := range results {
		taken++
		if r.row.path != "" { // "" = its reading was interrupted
			open = append(open, r)
			size += r.bytes
		}
		if size >= commitBytes || f.cfg.Now().Sub(since) >= commitEvery {
			if err := flush(); err != nil {
				return err
			}
		}
		if done++; told != nil {
			told(done, len(w.changed))
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if taken < len(w.changed) {
		return ctx.Err()
	}
	if err := ix.update(ctx, (*update).link); err != nil {
		return err
	}
	if done > 0 {
		ix.checkpoint()
	}
	return nil
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
	f        *folder
	ix       *index
	work     *work
	stemmers *stemmers
}

// take reads one file. Its errors become the reason why the file cannot be read.
func (r *fileReader) take(ctx context.Context, rel string) result {
	out := result{row: fileRow{path: rel, stamp: r.work.files[rel]}}
	if now, ok, err := r.ix.file(ctx, rel); err == nil && ok && now.stamp == out.row.stamp && !now.passing {
		return result{row: now, unchanged: true} // another process has read it
	}
	err := r.read(ctx, rel, &out)
	switch {
	case err == nil:
		return out
	case ctx.Err() != nil && len(out.documents) == 0:
		return result{}
	}
	r.f.cfg.Logger.Debug("corpus: file left out", slog.String("folder", r.f.root), slog.String("path", rel), slog.Any("cause", err))
	out.row.problem, out.row.passing = problem(err), errors.Is(err, fs.ErrPermission) || ctx.Err() != nil
	return out
}

func (r *fileReader) read(ctx context.Context, rel string, out *result) error {
	if most := maxBytes(rel); most > 0 && out.row.size > most {
		return &tooLargeError{most}
	}
	file, err := fetch.OpenInside(r.f.root, filepath.FromSlash(rel))
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
	out.row.hash = [16]byte(h.Sum(nil))
	if known, ok := r.work.known[rel]; ok && known.hash == out.row.hash && known.problem == "" {
		out.unchanged = true
		return nil
	}
	links, err := readLinks(rel, file)
	if err != nil {
		return err
	}
	name := filepath.Join(r.f.root, filepath.FromSlash(rel))
	return r.guarded(func() error {
		return r.f.cfg.Reader.EachDocument(ctx, name, file, func(part string, d document.Document) error {
			if len(out.documents) == maxMessages || out.bytes > maxMailBytes {
				return errManyMails
			}
			e := r.stemmers.entryOf(rel, part, d, links)
			out.documents = append(out.documents, e)
			out.bytes += e.bytes
			return nil
		})
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

// guarded turns a panic of the reader into an error: untrusted files must not end the process.
func (r *fileReader) guarded(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.f.cfg.Logger.Error("corpus: reading a file panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			err = errExtract
		}
	}()
	return read()
}
