package local

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
)

// LeftOut counts the files of the folders that are not searched for one reason.
type LeftOut struct {
	Why   string   `json:"why"` // words that follow a number: "images", "larger than 2 MB"
	Files int      `json:"files"`
	Names []string `json:"names,omitempty"` // some of them, where the reason alone does not tell
}

var singular = strings.NewReplacer("images", "image", "files", "file", "videos", "video", "archives", "archive", "programs", "program", "fonts", "font",
	"databases", "database", "documents", "document", "links", "link", "pipes", "pipe", "devices", "device", "folders", "folder")

// String returns the number with the reason, such as "37 images" or "3 may hold secrets (.env, …)".
func (l LeftOut) String() string {
	why, names := l.Why, ""
	if l.Files == 1 {
		why = singular.Replace(why)
	}
	if len(l.Names) > 0 {
		names = " (" + strings.Join(l.Names, ", ") + map[bool]string{true: ", …"}[l.Files > len(l.Names)] + ")"
	}
	return fmt.Sprintf("%d %s%s", l.Files, why, names)
}

// leftOut collects them by reason.
type leftOut map[string]*LeftOut

// namedLeftOut bounds the names of one reason (chosen).
const namedLeftOut = 3

func (l leftOut) of(why string) *LeftOut {
	if l[why] == nil {
		l[why] = &LeftOut{Why: why}
	}
	return l[why]
}

// add counts a file; name "" is not recorded.
func (l leftOut) add(why, name string) {
	at := l.of(why)
	at.Files++
	if why == extract.Secrets && name != "" && len(at.Names) < namedLeftOut {
		at.Names = append(at.Names, name)
	}
}

// merge adds the counts of another folder.
func (l leftOut) merge(other leftOut) {
	for why, o := range other {
		at := l.of(why)
		at.Files += o.Files
		at.Names = append(at.Names, o.Names[:min(len(o.Names), namedLeftOut-min(namedLeftOut, len(at.Names)))]...)
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

// quiet reports a reason that is no problem: such files are not meant to be read.
func quiet(why string) bool {
	return why == binaryFiles || why == machineMade || why == withKey || why == (&tooLargeError{maxDataBytes}).Error()
}
