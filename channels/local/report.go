package local

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
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
	Folders  int       // configured
	Files    int       // readable files in the folders
	Pending  int       // new or changed files that are not indexed yet
	Missing  []string  // folders that cannot be opened
	Problems []Problem // unreadable files and folders, sorted
	Overflow bool      // more files than the index can hold
	Looked   bool      // the folders were scanned
	Failed   error     // of an index that cannot be written

	left map[string]int // files that are not searched, besides the unreadable ones, by reason
}

// Problem is a file or folder that was skipped.
type Problem struct {
	Path string // absolute
	Why  string // a few words
}

// state is the result of the last walk over the folders, and of what was read since.
type state struct {
	Report
	unread map[place]string // files that were left out by their content or an error, with the reasons
}

// Report describes the current state. It does not scan the folders.
func (c *Corpus) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.state.Report
	r.Problems, r.left = slices.Clone(r.Problems), maps.Clone(r.left)
	for at, why := range c.state.unread {
		if quiet(why) {
			r.left[why]++
		} else {
			r.Problems = append(r.Problems, Problem{c.full(at), why})
		}
	}
	slices.SortFunc(r.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return r
}

// MostlyIndexed reports whether at least 90 % of the files (chosen) are indexed. Below that share, the best hits of a
// search are probably in files that are not indexed yet.
func (r Report) MostlyIndexed() bool {
	return r.Looked && r.Pending == 0 || r.Files > 0 && 10*(r.Files-r.Pending) >= 9*r.Files
}

// Words says how many files are searched and what is left out, such as "668 files; left out: images (37), unreadable (1): a.pdf
// (permission denied)", or "" before the folders were looked at.
func (c *Corpus) Words() string {
	r := c.Report()
	if r.Folders == len(r.Missing) || !r.Looked {
		return ""
	}
	searched := r.Files - r.Pending - len(r.Problems)
	var left []string
	reasons := slices.SortedFunc(maps.Keys(r.left), func(a, b string) int { return cmp.Or(r.left[b]-r.left[a], strings.Compare(a, b)) })
	for _, why := range reasons {
		if quiet(why) {
			searched -= r.left[why]
		}
		left = append(left, fmt.Sprintf("%s (%d)", why, r.left[why]))
	}
	if n := len(r.Problems); n > 0 {
		left = append(left, fmt.Sprintf("unreadable (%d): %s", n, r.Unreadable()))
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

// namedProblems bounds the unreadable files that are named (chosen).
const namedProblems = 3

// Unreadable names a few of the files that cannot be read, with the reasons.
func (r Report) Unreadable() string {
	var named []string
	for _, p := range bounded(r.Problems, namedProblems) {
		named = append(named, fmt.Sprintf("%s (%s)", filepath.Base(p.Path), p.Why))
	}
	if len(named) < len(r.Problems) {
		named = append(named, "…")
	}
	return strings.Join(named, ", ")
}

var (
	errExtract   = errors.New("extraction failed")
	errTooLarge  = fmt.Errorf("larger than %d MB", maxFileBytes>>20)
	errLargeData = fmt.Errorf("larger than %d MB", maxDataBytes>>20)
)

// reasons are the words for errors. Files that are left out for a quiet one are not meant to be read: they are counted and not listed.
var reasons = []struct {
	err   error
	why   string
	quiet bool
}{
	{extract.ErrBinary, "binary files", true}, {extract.ErrMachineMade, "generated or minified", true},
	{extract.ErrSecret, "with a private key", true}, {errLargeData, errLargeData.Error(), true},
	{errTooLarge, errTooLarge.Error(), false},
	{fs.ErrPermission, "permission denied", false}, {fs.ErrNotExist, "gone", false}, {fetch.ErrIrregular, "not a regular file", false},
}

func quiet(why string) bool {
	for _, r := range reasons {
		if r.why == why {
			return r.quiet
		}
	}
	return false
}

// problem returns a short reason why a file was skipped. The full error is logged.
func problem(err error) string {
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return r.why
		}
	}
	if errors.Is(err, document.ErrUnsupported) {
		return "cannot be read: " + sanitize.Short(strings.TrimPrefix(err.Error(), document.ErrUnsupported.Error()+": "), maxValueChars)
	}
	return "cannot be read"
}
