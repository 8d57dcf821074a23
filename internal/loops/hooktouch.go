package loops

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/loopstate"
)

// touchFile records a file that the client read, and which of its lines the model was shown. It returns the source if it is
// new, or a line for the model if the file has changed since it was stored.
func (s *Service) touchFile(ctx context.Context, in HookInput, loop string, f hooks.File) (src hooks.Source, changed string, err error) {
	path, ok := s.mayRecord(f.Path, in.Never)
	if !ok || s.Opened == nil {
		return src, "", nil
	}
	out := make([]PageOutcome, 1)
	address := fileAddress(path)
	todo, err := s.alreadyRead(ctx, loop, []string{address}, out)
	if err != nil {
		return src, "", err
	}
	if len(todo) > 0 {
		out[0] = outcomeOf(address, s.Opened.ReadOpened(ctx, path))
	}
	text := lines.New(out[0].Text)
	spans, shown := shownIn(out[0], text, f)
	if out[0].Status != fetch.StatusRead || !shown {
		return src, "", nil
	}
	err = s.keep(ctx, ReadInput{Loop: loop, unnamed: true, Show: func([]PageOutcome) []loopstate.Spans { return []loopstate.Spans{spans} }}, out, todo)
	if err != nil {
		return src, "", err
	}
	src = hooks.Source{ID: out[0].ID, Name: path, Lines: text.Len()}
	same := folder.Original(out[0].Source, out[0].Text) != ""
	if !same { // the file was extracted, or it has changed: the lines are in the loop's folder
		if dir := s.showFolder(ctx, loop); dir != "" {
			src.File = folder.SourcePath(dir, src.ID)
		}
	}
	if len(todo) > 0 {
		return src, "", nil
	}
	if !same && isPlain(out[0].ContentType) && in.Session.Changed(out[0].ID) {
		changed = hooks.ChangedLine(in.Event.Dir, src)
	}
	return hooks.Source{}, changed, nil
}

func isPlain(contentType string) bool {
	return contentType == "text/plain" || contentType == "text/markdown"
}

// shownIn returns which parts of a page's text a tool showed, in code points. shown is false if it showed nothing of it.
func shownIn(p PageOutcome, text *lines.Text, f hooks.File) (spans loopstate.Spans, shown bool) {
	if p.Status != fetch.StatusRead {
		return nil, false
	}
	ranges := []hooks.Range{{First: f.Start, Last: f.Start + max(f.Lines, 1) - 1}}
	if f.Start == 0 {
		ranges = nil
		if !isPlain(p.ContentType) {
			ranges = hooks.ShownMarkup(f.Output, p.Text)
		}
		if len(ranges) == 0 {
			ranges = hooks.Shown(f.Output, p.Text)
		}
	} else if !isPlain(p.ContentType) {
		return nil, true // the client's lines are not those of the text
	}
	for _, r := range ranges {
		r.Last = min(r.Last, text.Len())
		if r.First <= r.Last {
			start, end, _ := text.Span(lines.Range{First: r.First, Last: r.Last})
			spans = append(spans, loopstate.Span{start, end})
		}
	}
	return spans, len(spans) > 0
}

// fileAddress returns the file: address of an absolute path.
func fileAddress(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// mayRecord returns the path of a file without links, unless the file must not be recorded: by its name or that of a link to
// it, by a rule of a .gitignore that names secrets, or because it is citeloop's own.
func (s *Service) mayRecord(path string, never hooks.Never) (real string, ok bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false
	}
	for _, name := range []string{path, real} {
		if _, secret := never.Names(name); secret {
			return "", false
		}
		if s.Folders != nil && s.Folders.Root() != "" && isBelow(s.Folders.Root(), name) {
			return "", false
		}
		if ignored(name) {
			return "", false
		}
	}
	return real, true
}

func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

const (
	// maxParents bounds the folders above a file in which a .gitignore is looked for (chosen).
	maxParents = 64
	// maxIgnoreBytes bounds a .gitignore that is read (chosen).
	maxIgnoreBytes = 256 << 10
)

// ignored reports whether a .gitignore above a file excludes it by a rule that names secrets. The folder with .git is the
// last one that is looked at.
func ignored(path string) bool {
	dir := filepath.Dir(path)
	for range maxParents {
		if text, ok := readIgnore(dir); ok {
			if rel, err := filepath.Rel(dir, path); err == nil {
				if _, ok := hooks.Ignored(text, rel); ok {
					return true
				}
			}
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
	return false
}

func readIgnore(dir string) (text string, ok bool) {
	in, err := fetch.OpenInside(dir, ".gitignore")
	if err != nil {
		return "", false
	}
	defer in.Close()
	body, err := io.ReadAll(io.LimitReader(in, maxIgnoreBytes))
	return string(body), err == nil
}

// hookPageTime is how long the client waits for pages that are read again (chosen: its own tool has just taken as long).
const hookPageTime = 8 * time.Second

// touchPages reads pages that the client's own tool has read: what that tool showed is a model's summary. Pages that cannot
// be read leave no trace. It returns the new sources.
func (s *Service) touchPages(ctx context.Context, loop string, urls []string) ([]hooks.Source, error) {
	out := make([]PageOutcome, len(urls))
	todo, err := s.alreadyRead(ctx, loop, urls, out)
	if err != nil || len(todo) == 0 {
		return nil, err
	}
	missing := make([]string, len(todo))
	for j, i := range todo {
		missing[j] = urls[i]
	}
	if err := s.checkSpace(ctx, "address", 0); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	err = s.view(ctx, loop, func(st *loopstate.State) error {
		for _, src := range st.Sources {
			known[src.ID] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	reading, cancel := context.WithTimeout(ctx, hookPageTime)
	defer cancel()
	var read []PageOutcome
	var fresh []int
	s.Reader.ReadAll(reading, missing, func(j int, p fetch.Page) {
		if p.Status == fetch.StatusRead {
			fresh, read = append(fresh, len(read)), append(read, outcomeOf(missing[j], p))
		}
	})
	if len(read) == 0 {
		return nil, nil
	}
	if err := s.keep(ctx, ReadInput{Loop: loop, Show: unseen}, read, fresh); err != nil {
		return nil, err
	}
	var sources []hooks.Source
	for _, p := range read {
		if !known[p.ID] {
			known[p.ID] = true
			sources = append(sources, hooks.Source{ID: p.ID, Name: p.URL, Lines: lines.New(p.Text).Len(), File: p.File})
		}
	}
	return sources, nil
}

// errNoFile is for a path that hooks report and that is none of this system.
var errNoFile = errors.New("not a local file")

// readWritten returns the text of a file that the client's own tool has written.
func (s *Service) readWritten(path string, never hooks.Never) (string, error) {
	if runtime.GOOS != "windows" && !filepath.IsAbs(path) {
		return "", errNoFile
	}
	real, ok := s.mayRecord(path, never)
	if !ok {
		return "", errNoFile
	}
	in, err := fetch.OpenInside(filepath.Dir(real), filepath.Base(real))
	if err != nil {
		return "", err
	}
	defer in.Close()
	body, err := io.ReadAll(io.LimitReader(in, 4*maxDraftChars))
	return string(body), err
}
