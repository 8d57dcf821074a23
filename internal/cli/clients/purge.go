package clients

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// purgeGroup is the files of one kind that --purge removes.
type purgeGroup struct {
	what, root string
	files      []string
	bytes      int64
}

// loopFiles are the files in the folders of loops.
const loopFiles = `loops/(\.new/[^/]+|[^/]*-[0-9a-f]{8}-[0-9a-f]{8}/(index\.md|S[0-9]+\.md|report[^/]*))`

// Everything that citeloop writes, by its path within a folder. The folders are settings, which may name a folder with other
// files, so nothing is removed by its place alone.
var (
	dataNames    = lazyregexp.New(`^(citeloop\.db(-wal|-shm|-journal)?|projects|hooks\.json|hooks/[^/]+\.json|batches/[0-9a-f]{16}\.json|reports/[0-9a-f-]{36}/report\.[a-z]+|corpus/[0-9a-f]{16}/(manifest|lock|seen|new-[0-9]+|[^/]+\.segment)|` + loopFiles + `)$`)
	cacheNames   = lazyregexp.New(`^code/wazero-[^/]+/[0-9a-f]+(\.tmp)?$`)
	projectNames = lazyregexp.New(`^\.citeloop/(\.gitignore|` + loopFiles + `)$`)
	demoNames    = lazyregexp.New(`^[a-z-]+\.(md|html|txt)$`) // the folder has a name that only citeloop gives
	backupDates  = lazyregexp.New(`\.[0-9]{4}-[0-9]{2}-[0-9]{2}\.bak$`)
)

// collect returns the files below a folder whose paths match. It looks only into the folders that matching paths begin with.
func collect(what, root string, names *lazyregexp.Regexp, tops ...string) purgeGroup {
	g := purgeGroup{what: what, root: root}
	abs, err := filepath.Abs(root)
	if err != nil {
		return g
	}
	g.root = abs
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return g
	}
	for _, top := range tops {
		// An unreadable folder is left: removing needs no more than what can be seen.
		_ = filepath.WalkDir(filepath.Join(real, top), func(path string, d fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(real, path)
			if err != nil || relErr != nil || !d.Type().IsRegular() || !names.MatchString(filepath.ToSlash(rel)) {
				return nil
			}
			if info, err := d.Info(); err == nil {
				g.files, g.bytes = append(g.files, path), g.bytes+info.Size()
			}
			return nil
		})
	}
	return g
}

// remove removes the files, and the folders in which nothing else is left.
func (g purgeGroup) remove() error {
	var failed error
	dirs := map[string]bool{}
	root, _ := filepath.EvalSymlinks(g.root)
	for _, path := range g.files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
		for dir := filepath.Dir(path); g.root != "" && safefile.Within(root, dir); dir = filepath.Dir(dir) {
			dirs[dir] = true
			if dir == root {
				break
			}
		}
	}
	deepest := slices.SortedFunc(func(yield func(string) bool) {
		for dir := range dirs {
			if !yield(dir) {
				return
			}
		}
	}, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, dir := range deepest {
		_ = os.Remove(dir) // fails if something else is in it
	}
	return failed
}

// purgeGroups returns what citeloop has written on this machine, as far as the settings and the clients' entries name the places.
func purgeGroups(p console.Process, opts *setup.Options, own OwnPath) ([]purgeGroup, error) {
	s, err := opts.Settings(p)
	if err != nil {
		return nil, err
	}
	m, err := machine(p)
	if err != nil {
		return nil, err
	}
	datas, caches := []string{s.DataDir}, []string{s.CacheDir}
	backups := purgeGroup{what: "backups of clients' files"}
	found, err := entries(m, own, install.User, install.Project)
	if err != nil {
		return nil, err
	}
	for _, e := range found {
		backups.add(e.path)
		if r, ok := e.Reading(m, e.scope, s.DataDir); ok {
			backups.add(r.File)
		}
		if set, ours := e.settings(p); ours {
			datas, caches = append(datas, set.DataDir), append(caches, set.CacheDir)
		}
	}
	var all []purgeGroup
	for _, dir := range distinct(datas) {
		projects, _ := os.ReadFile(filepath.Join(dir, "projects"))
		for _, project := range distinct(strings.Split(strings.TrimSpace(string(projects)), "\n")) {
			if filepath.IsAbs(project) {
				all = append(all, collect("folders of loops in a project", project, projectNames, ".citeloop"))
			}
		}
		all = append(all, collect("loops, texts, reports, indexes, settings of hooks", dir, dataNames,
			"citeloop.db", "citeloop.db-wal", "citeloop.db-shm", "citeloop.db-journal", "projects", "hooks.json", "hooks", "batches", "reports", "corpus", "loops"))
		all = append(all, collect("the demo's texts", filepath.Join(dir, setup.DemoFolder), demoNames, "."))
	}
	for _, dir := range distinct(caches) {
		all = append(all, collect("compiled code", dir, cacheNames, "code"))
	}
	all = append(all, backups)
	return slices.DeleteFunc(all, func(g purgeGroup) bool { return len(g.files) == 0 }), nil
}

// add adds the backups of a client's file.
func (g *purgeGroup) add(path string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		full := filepath.Join(filepath.Dir(path), e.Name())
		date, ours := strings.CutPrefix(e.Name(), filepath.Base(path))
		if info, err := e.Info(); ours && err == nil && backupDates.MatchString(date) && len(date) == len(".2006-01-02.bak") && info.Mode().IsRegular() && !slices.Contains(g.files, full) {
			g.files, g.bytes = append(g.files, full), g.bytes+info.Size()
		}
	}
}

func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// listPurge lists what is removed, with sizes.
func listPurge(p console.Process, groups []purgeGroup) {
	if len(groups) == 0 {
		fmt.Fprintln(p.Stdout, "citeloop has stored nothing on this machine.")
	}
	for _, g := range groups {
		files := console.Counted(len(g.files), "file", "files")
		where := g.root
		if where == "" {
			where = strings.Join(g.files, ", ")
		}
		fmt.Fprintf(p.Stdout, "%-9s %s: %s, %s\n", humanize.Bytes(uint64(g.bytes)), where, g.what, files)
	}
}

// confirmPurge asks before anything is changed.
func confirmPurge(ctx context.Context, p console.Process) error {
	yes, err := console.NewAnswers(p.Stdin).Confirm(ctx, p.Stderr, "Remove all this permanently? 'citeloop loops export' saves a copy of a loop.")
	if err == nil && !yes {
		err = errors.New("the answer was not yes")
	}
	if err != nil {
		return fmt.Errorf("nothing was removed: %w", err)
	}
	return nil
}
