package local

import (
	"log/slog"
	"path/filepath"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// settle is the delay between a change and the scan: programs write a file in steps.
	settle = 300 * time.Millisecond
	// pollEvery is the interval of scans if the system does not report changes.
	pollEvery = time.Minute
	// maxWatched folders; Linux allows 8,192 to all programs of a user by default.
	maxWatched = 4096
)

// watcher receives the system's notifications of changes.
type watcher struct {
	system *fsnotify.Watcher
	have   map[string]map[string]bool // by root: the folders watched
}

// Follow keeps the indexes up to date until Close: it indexes in the background and scans again after changes.
func (c *Corpus) Follow() {
	c.start()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watcher != nil || c.ctx.Err() != nil {
		return
	}
	c.watcher = &watcher{have: map[string]map[string]bool{}}
	// The BSDs and macOS watch a folder by opening every file in it: a process would run out of file descriptors.
	if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
		if system, err := fsnotify.NewWatcher(); err == nil {
			c.watcher.system = system
		}
	}
	c.requestPassLocked()
	system := c.watcher.system
	c.all.Go(func() { c.follow(system) })
}

// follow requests passes: after changes, and periodically if changes are not reported.
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
				c.markChanged()
				quiet.Reset(settle)
			}
		case err, ok := <-failures: // such as an overflow of the system's queue
			if !ok {
				failures = nil
				continue
			}
			c.cfg.Logger.Info("corpus: notifications of changes were lost", slog.Any("cause", err))
			c.markChanged()
			quiet.Reset(settle)
		case <-quiet.C:
			c.requestPass()
		case <-poll.C:
			c.mu.Lock()
			watched := c.watched
			c.mu.Unlock()
			if !watched {
				c.requestPass()
			}
		}
	}
}

// markChanged records that something changed.
func (c *Corpus) markChanged() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dirty = true
}

// requestPass requests a pass without waiting for it.
func (c *Corpus) requestPass() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requestPassLocked()
}

// watch subscribes to changes in a folder's subfolders and reports whether that succeeded. Changes between the walk and
// now would be missed, so new subfolders request another pass. Only the indexer calls it.
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
		// Repeated for watched subfolders: a replaced subfolder is no longer watched.
		if err := w.system.Add(filepath.Join(f.root, filepath.FromSlash(dir))); err != nil {
			c.unwatch(w, err.Error())
			return false
		}
		now[dir] = true
		fresh = fresh || !before[dir]
	}
	w.have[f.root] = now
	if fresh {
		c.requestPass()
	}
	return true
}

// unwatch switches to periodic scans.
func (c *Corpus) unwatch(w *watcher, why string) {
	c.cfg.Logger.Info("corpus: watching for changes failed; scanning every minute", slog.String("cause", why))
	_ = w.system.Close()
	w.system = nil
}
