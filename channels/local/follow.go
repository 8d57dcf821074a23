package local

import (
	"log/slog"
	"path/filepath"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settle is how long a change may go on before the folders are looked at: programs write a file in steps.
	settle = 300 * time.Millisecond
	// pollEvery is how often folders are looked at where the system does not tell of changes.
	pollEvery = time.Minute
	// maxWatched folders; Linux allows 8,192 to all programs of a user by default.
	maxWatched = 4096
)

// watcher hears from the system that something changed.
type watcher struct {
	system *fsnotify.Watcher
	have   map[string]map[string]bool // by root: the folders watched
}

// Follow keeps the indexes up to date until Close: it indexes in the background and looks again when something
// changed.
func (c *Corpus) Follow() {
	c.start()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watcher != nil || c.ctx.Err() != nil {
		return
	}
	c.watcher = &watcher{have: map[string]map[string]bool{}}
	// The BSDs and macOS watch a folder by opening every file in it, which a process runs out of.
	if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
		if system, err := fsnotify.NewWatcher(); err == nil {
			c.watcher.system = system
		}
	}
	c.more()
	system := c.watcher.system
	c.all.Go(func() { c.follow(system) })
}

// follow asks for passes: some time after a change, and now and then without.
func (c *Corpus) follow(system *fsnotify.Watcher) {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	quiet := time.NewTimer(settle)
	quiet.Stop()
	defer quiet.Stop()
	var events chan fsnotify.Event
	var failures chan error
	if system != nil {
		defer system.Close()
		events, failures = system.Events, system.Errors
	}
	for {
		select {
		case <-c.ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
			} else if !skipped(filepath.Base(e.Name)) {
				c.soil()
				quiet.Reset(settle)
			}
		case err, ok := <-failures: // such as more changes than the system kept
			if !ok {
				failures = nil
				continue
			}
			c.cfg.Logger.Info("corpus: the system lost changes", slog.Any("cause", err))
			c.soil()
			quiet.Reset(settle)
		case <-quiet.C:
			c.look()
		case <-poll.C:
			c.mu.Lock()
			watched := c.watched
			c.mu.Unlock()
			if !watched {
				c.look()
			}
		}
	}
}

// soil notes that something changed.
func (c *Corpus) soil() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dirty = true
}

// look asks for a pass without waiting for it.
func (c *Corpus) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.more()
}

// watch makes the system tell of changes in a folder's own folders, and reports whether it does. What changed
// between the walk and now would be missed: where there are new ones, a pass follows. It is called by the indexer
// alone.
func (c *Corpus) watch(f *folder, dirs []string) bool {
	c.mu.Lock()
	w := c.watcher
	c.mu.Unlock()
	if w == nil || w.system == nil || c.ctx.Err() != nil || len(dirs) == 0 {
		return false
	}
	before, now, others := w.have[f.root], make(map[string]bool, len(dirs)), 0
	for root, have := range w.have {
		if root != f.root {
			others += len(have)
		}
	}
	fresh := false
	for _, dir := range dirs {
		if others+len(now) == maxWatched {
			c.unwatch(w, "too many folders")
			return false
		}
		// Repeated for those that are watched: one that was replaced by another of its name is not any more.
		if err := w.system.Add(filepath.Join(f.root, filepath.FromSlash(dir))); err != nil {
			c.unwatch(w, err.Error())
			return false
		}
		now[dir] = true
		fresh = fresh || !before[dir]
	}
	w.have[f.root] = now
	if fresh {
		c.look()
	}
	return true
}

// unwatch goes over to looking now and then.
func (c *Corpus) unwatch(w *watcher, why string) {
	c.cfg.Logger.Info("corpus: changes are looked for every minute, the system does not tell of them", slog.String("cause", why))
	_ = w.system.Close()
	w.system = nil
}
