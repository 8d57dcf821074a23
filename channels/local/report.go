package local

import (
	"fmt"
	"strings"
)

// Report describes the current state. It does not scan the folders.
func (c *Corpus) Report() Report {
	r := c.report()
	for _, f := range c.folders {
		r.Bytes += f.disk.bytes()
	}
	return r
}

// MostlyIndexed reports whether at least 90 % of the files (chosen) are indexed. Below that share, the best hits of a
// search are probably in files that are not indexed yet.
func (r Report) MostlyIndexed() bool {
	return r.Unlooked == 0 && r.Pending == 0 || r.Files > 0 && 10*(r.Files-r.Pending) >= 9*r.Files
}

// maxReasons bounds the reasons in a sentence (chosen): there are some 15, and a folder has a few of them.
const maxReasons = 12

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
	left := r.LeftOut
	for _, l := range left[:min(len(left), maxReasons)] {
		parts = append(parts, l.String())
	}
	if len(left) > maxReasons {
		parts = append(parts, fmt.Sprintf("others for %d more reasons", len(left)-maxReasons))
	}
	if r.Unread > 0 {
		parts = append(parts, r.UnreadWords())
	}
	return strings.Join(parts, ", ")
}

// UnreadWords counts the files that cannot be read and names a few of them, with the reasons.
func (r Report) UnreadWords() string {
	var named []string
	for _, p := range r.Problems[:min(len(r.Problems), namedLeftOut)] {
		named = append(named, fmt.Sprintf("%s (%s)", baseName(p.Path), p.Why))
	}
	return fmt.Sprintf("%d unreadable: %s%s", r.Unread, strings.Join(named, ", "), map[bool]string{true: ", …"}[r.Unread > len(named)])
}

func baseName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
