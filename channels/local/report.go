package local

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Report says how complete an answer is.
type Report struct {
	Folders  int       `json:"-"`                  // configured
	Files    int       `json:"files"`              // readable files in the folders
	Indexed  int       `json:"indexed"`            // files that are searchable or found unreadable
	Pending  int       `json:"pending"`            // new or changed files that are not indexed yet
	Missing  []string  `json:"missing,omitempty"`  // folders that cannot be opened
	Problems []Problem `json:"problems,omitempty"` // unreadable files and folders, sorted; the first 100
	Unread   int       `json:"unread"`             // number of unreadable files and folders
	LeftOut  []LeftOut `json:"left_out,omitempty"` // files that are not searched, by reason, besides the unreadable ones
	Overflow bool      `json:"overflow,omitempty"` // more files than the index can hold
	Unlooked int       `json:"-"`                  // folders not fully scanned yet
	Failed   []error   `json:"-"`                  // folders whose index cannot be written
	// Read counts the files that were read while a search waited, for ReadTime.
	Read     int           `json:"-"`
	ReadTime time.Duration `json:"-"`
	// Documents, Passages and TextBytes count what is searchable. Bytes is the size on disk; Search leaves it 0.
	Documents int   `json:"documents"`
	Passages  int   `json:"passages"`
	TextBytes int64 `json:"text_bytes"`
	Bytes     int64 `json:"bytes"`
}

// Problem is a file or folder that was skipped.
type Problem struct {
	Path string `json:"path"` // absolute
	Why  string `json:"why"`  // a few words
}

// LeftOut counts the files of the folders that are not searched for one reason.
type LeftOut struct {
	Why   string   `json:"why"` // words that follow a number: "images", "larger than 2 MB"
	Files int      `json:"files"`
	Names []string `json:"names,omitempty"` // some of them, where the reason alone does not tell
}

// MostlyIndexed reports whether at least 90 % of the files (chosen) are indexed. Below that share, the best hits of a
// search are probably in files that are not indexed yet.
func (r Report) MostlyIndexed() bool {
	return r.Unlooked == 0 && r.Pending == 0 || r.Files > 0 && 10*(r.Files-r.Pending) >= 9*r.Files
}

// Words says how many files are searched and what is left out, such as "668 files; left out: 37 images", or "" before the
// folders were looked at.
func (r Report) Words() string {
	if r.Folders == 0 || r.Unlooked == r.Folders && r.Files == 0 {
		return ""
	}
	searched := r.Files - r.Pending - r.Unread
	for _, l := range r.LeftOut {
		if quiet(l.Why) {
			searched -= l.Files
		}
	}
	words := fmt.Sprintf("%d files", searched)
	if r.Pending > 0 {
		words += fmt.Sprintf(", %d more not indexed yet", r.Pending)
	}
	if left := r.LeftOutWords(); left != "" {
		words += "; left out: " + left
	}
	return words
}

// LeftOutWords says what is not searched and why, such as "37 images, 2 larger than 2 MB, 1 unreadable: a.pdf (permission
// denied)", or "".
func (r Report) LeftOutWords() string {
	var parts []string
	for _, l := range r.LeftOut {
		names, why := "", l.Why
		if l.Files == 1 {
			why = singular.Replace(why)
		}
		if len(l.Names) > 0 {
			names = " (" + strings.Join(l.Names, ", ") + map[bool]string{true: ", …"}[l.Files > len(l.Names)] + ")"
		}
		parts = append(parts, fmt.Sprintf("%d %s%s", l.Files, why, names))
	}
	if r.Unread > 0 {
		parts = append(parts, r.UnreadWords())
	}
	return strings.Join(parts, ", ")
}

var singular = strings.NewReplacer("images", "image", "files", "file", "videos", "video", "archives", "archive", "programs", "program", "fonts", "font",
	"databases", "database", "documents", "document", "links", "link", "pipes", "pipe", "devices", "device", "folders", "folder")

// UnreadWords counts the files that cannot be read and names a few of them, with the reasons.
func (r Report) UnreadWords() string {
	var named []string
	for _, p := range r.Problems[:min(len(r.Problems), namedLeftOut)] {
		named = append(named, fmt.Sprintf("%s (%s)", p.Path[strings.LastIndexAny(p.Path, `/\`)+1:], p.Why))
	}
	return fmt.Sprintf("%d unreadable: %s%s", r.Unread, strings.Join(named, ", "), map[bool]string{true: ", …"}[r.Unread > len(named)])
}

// namedLeftOut bounds the names of one reason (chosen).
const namedLeftOut = 3

// leftOut collects files by the reason why they are left out.
type leftOut map[string]*LeftOut

func (l leftOut) of(why string) *LeftOut {
	if l[why] == nil {
		l[why] = &LeftOut{Why: why}
	}
	return l[why]
}

// add counts a file. Only the names of files that may hold secrets are kept.
func (l leftOut) add(why, name string) {
	at := l.of(why)
	at.Files++
	if why == extract.Secrets && len(at.Names) < namedLeftOut {
		at.Names = append(at.Names, name)
	}
}

// merge adds the counts of another folder.
func (l leftOut) merge(other leftOut) {
	for why, o := range other {
		at := l.of(why)
		at.Files += o.Files
		at.Names = append(at.Names, o.Names[:min(len(o.Names), namedLeftOut-len(at.Names))]...)
	}
}

// sorted returns the reasons, the most files first.
func (l leftOut) sorted() []LeftOut {
	var out []LeftOut
	for _, o := range l {
		out = append(out, *o)
	}
	slices.SortFunc(out, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Why, b.Why))
	})
	return out
}

var (
	errExtract   = errors.New("extraction failed")
	errManyMails = errors.New("only the first part of the mailbox is read")
)

// tooLargeError is the error of a file that is larger than it may be.
type tooLargeError struct{ most int64 } // bytes

func (e *tooLargeError) Error() string { return fmt.Sprintf("larger than %d MB", e.most>>20) }

// Reasons that leave a file out by its content. They are no problems: such files are counted and not listed.
const (
	binaryFiles = "binary files"
	machineMade = "generated or minified"
	withKey     = "with a private key"
)

// quiet reports a reason that is no problem: such files are not meant to be read.
func quiet(why string) bool {
	return why == binaryFiles || why == machineMade || why == withKey || why == (&tooLargeError{maxDataBytes}).Error()
}

// problem returns a short reason why a file was skipped. The full error is logged.
func problem(err error) string {
	var large *tooLargeError
	switch {
	case errors.As(err, &large):
		return large.Error()
	case errors.Is(err, extract.ErrBinary):
		return binaryFiles
	case errors.Is(err, extract.ErrMachineMade):
		return machineMade
	case errors.Is(err, extract.ErrSecret):
		return withKey
	case errors.Is(err, errManyMails):
		return errManyMails.Error()
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "gone"
	case errors.Is(err, fetch.ErrIrregular):
		return "not a regular file"
	case errors.Is(err, document.ErrUnsupported):
		why := strings.TrimPrefix(err.Error(), document.ErrUnsupported.Error()+": ")
		return "cannot be read: " + sanitize.Short(why, maxValueChars)
	}
	return "cannot be read"
}
