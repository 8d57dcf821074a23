package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Report says how complete an answer is.
type Report struct {
	Folders  int      // configured
	Files    int      // readable files in the folders
	Pending  int      // new or changed files that are not indexed yet
	Missing  []string // folders that cannot be opened
	Overflow bool     // more files than the index can hold
	Looked   bool     // the folders were scanned
	Failed   error    // of an index that cannot be written

	left leftOut // files that are not searched
}

// state is the result of the last scan of the folders, and of what was read since.
type state struct {
	Report                   // without the files of unread
	unread map[string]string // files that were left out by their content or an error, with the reasons
}

func (c *Corpus) set(change func(*state)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.state)
}

// missing lists the folders that the last scan could not open.
func (c *Corpus) missing() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.Missing
}

// Report describes the current state. It does not scan the folders.
func (c *Corpus) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.state.Report
	r.left = maps.Clone(r.left)
	for _, file := range slices.Sorted(maps.Keys(c.state.unread)) {
		if why := c.state.unread[file]; quiet(why) {
			r.left.add(why, "")
		} else {
			r.left.add(unreadable, named(file, why))
		}
	}
	return r
}

// MostlyIndexed reports whether at least 90 % of the files (chosen) are indexed. Below that share, the best hits of a
// search are probably in files that are not indexed yet.
func (r Report) MostlyIndexed() bool {
	return r.Looked && r.Pending == 0 || r.Files > 0 && 10*(r.Files-r.Pending) >= 9*r.Files
}

// Unreadable says how many files and folders cannot be read, and names some of them, or is "".
func (r Report) Unreadable() string { return r.left[unreadable].String() }

// Words says how many files are searched and what is left out, such as "668 files; left out: images (37), unreadable (1: a.pdf,
// permission denied)", or "" before the folders were looked at.
func (c *Corpus) Words() string {
	r := c.Report()
	if r.Folders == len(r.Missing) || !r.Looked {
		return ""
	}
	searched := r.Files - r.Pending
	var left []string
	reasons := slices.SortedFunc(maps.Keys(r.left), func(a, b string) int {
		return cmp.Or(r.left[b].files-r.left[a].files, strings.Compare(a, b))
	})
	for _, why := range reasons {
		if why == unreadable || quiet(why) {
			searched -= r.left[why].files
		}
		left = append(left, fmt.Sprintf("%s (%s)", why, r.left[why]))
	}
	words := english.Plural(searched, "file", "")
	if r.Pending > 0 {
		words += fmt.Sprintf(", %d more not indexed yet", r.Pending)
	}
	if len(left) > 0 {
		words += "; left out: " + strings.Join(left, ", ")
	}
	return words
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

// leftOut counts the files that are not searched by reason: "images", "larger than 2 MB".
type leftOut map[string]leftFiles

// leftFiles counts files, and names some of those that may hold secrets or cannot be read.
type leftFiles struct {
	files int
	names []string
}

// namedLeftOut bounds the names of one reason (chosen).
const namedLeftOut = 3

func (l leftOut) add(why, name string) {
	at := l[why]
	if at.files++; (why == extract.Secrets || why == unreadable) && len(at.names) < namedLeftOut {
		at.names = append(slices.Clip(at.names), name)
	}
	l[why] = at
}

func (f leftFiles) String() string {
	switch {
	case f.files == 0:
		return ""
	case len(f.names) == 0:
		return fmt.Sprint(f.files)
	case f.files > len(f.names):
		return fmt.Sprintf("%d: %s, …", f.files, strings.Join(f.names, ", "))
	}
	return fmt.Sprintf("%d: %s", f.files, strings.Join(f.names, ", "))
}

// named names a file that cannot be read.
func named(file, why string) string { return path.Base(file) + " (" + why + ")" }

var (
	errExtract   = errors.New("extraction failed")
	errManyMails = errors.New("only the first part of the mailbox is read")
)

// tooLargeError is the error of a file that is larger than it may be.
type tooLargeError struct{ most int64 } // bytes

func (e *tooLargeError) Error() string { return fmt.Sprintf("larger than %d MB", e.most>>20) }

// Reasons that leave a file out by its content.
const (
	unreadable  = "unreadable" // with a reason of its own
	binaryFiles = "binary files"
	machineMade = "generated or minified"
	withKey     = "with a private key"
	denied      = "permission denied"
)

// quiet reports a reason that is no problem: such files are not meant to be read. They are counted and not named.
func quiet(why string) bool {
	return why == binaryFiles || why == machineMade || why == withKey || why == (&tooLargeError{maxDataBytes}).Error()
}

// problem returns a short reason why a file was skipped. The full error is logged.
func problem(err error) string {
	if large, ok := errors.AsType[*tooLargeError](err); ok {
		return large.Error()
	}
	for _, known := range []struct {
		err error
		why string
	}{
		{extract.ErrBinary, binaryFiles}, {extract.ErrMachineMade, machineMade}, {extract.ErrSecret, withKey},
		{errManyMails, errManyMails.Error()},
		{fs.ErrPermission, denied}, {fs.ErrNotExist, "gone"}, {fetch.ErrIrregular, "not a regular file"},
	} {
		if errors.Is(err, known.err) {
			return known.why
		}
	}
	if errors.Is(err, document.ErrUnsupported) {
		return "cannot be read: " + sanitize.Short(strings.TrimPrefix(err.Error(), document.ErrUnsupported.Error()+": "), maxValueChars)
	}
	return "cannot be read"
}
