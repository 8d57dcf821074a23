package local

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Report says how complete an answer is.
type Report struct {
	Files   int      // readable files in the folders
	Pending int      // new or changed files that are not indexed yet
	Missing []string // folders that cannot be opened or listed
	Unread  []string // files that cannot be read, each with the reason, sorted
	Looked  bool     // the folders were scanned
	Failed  error    // of an index that cannot be written

	searched int
	left     map[string]int // files that are not searched, besides the unreadable ones, by reason
}

// Report describes the current state. It does not scan the folders.
func (c *Corpus) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.report
	r.left, r.searched = maps.Clone(r.left), r.Files-r.Pending-len(c.unread)
	for at, why := range c.unread {
		if quiet[why] != nil {
			r.left[why]++
		} else {
			r.Unread = append(r.Unread, fmt.Sprintf("%s (%s)", path.Base(at.path), why))
		}
	}
	slices.Sort(r.Unread)
	return r
}

// Empty reports whether there is no folder to search.
func (r Report) Empty() bool { return r.Files == 0 && len(r.Missing) > 0 }

// Words says how many files are searched and what is left out, such as "668 files; left out: images (37), unreadable (1): a.pdf
// (permission denied)", or "" before the folders were looked at.
func (c *Corpus) Words() string {
	r := c.Report()
	if r.Empty() || !r.Looked {
		return ""
	}
	words := english.Plural(r.searched, "file", "")
	if r.Pending > 0 {
		words += fmt.Sprintf(", %d more not indexed yet", r.Pending)
	}
	var left []string
	for _, why := range slices.SortedFunc(maps.Keys(r.left), func(a, b string) int {
		return cmp.Or(r.left[b]-r.left[a], strings.Compare(a, b))
	}) {
		left = append(left, fmt.Sprintf("%s (%d)", why, r.left[why]))
	}
	if n := len(r.Unread); n > 0 {
		left = append(left, fmt.Sprintf("unreadable (%d): %s", n, r.Unreadable()))
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
	named := strings.Join(bounded(r.Unread, namedProblems), ", ")
	if len(r.Unread) > namedProblems {
		named += ", …"
	}
	return named
}

var (
	errTooLarge  = errors.New("larger than 20 MB")
	errLargeData = errors.New("larger than 2 MB")
)

// quiet are the reasons of files that are not meant to be read: they are counted and not named.
var quiet = map[string]error{"binary files": extract.ErrBinary, "generated or minified": extract.ErrMachineMade,
	"with a private key": extract.ErrSecret, errLargeData.Error(): errLargeData}

// problem returns a short reason why a file was left out. The full error is logged.
func problem(err error) string {
	for why, is := range quiet {
		if errors.Is(err, is) {
			return why
		}
	}
	switch {
	case errors.Is(err, errTooLarge):
		return err.Error()
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, document.ErrUnsupported):
		return "cannot be read: " + sanitize.Short(strings.TrimPrefix(err.Error(), document.ErrUnsupported.Error()+": "), maxValueChars)
	}
	return "cannot be read"
}
