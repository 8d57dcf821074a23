package check

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Corpus is folders whose files texts may cite.
type Corpus []string

// linked returns the absolute path of the file that a relative link in a draft leads to: beside the draft, else in one of the
// corpus folders, else where it would be beside the draft.
func (c Corpus) linked(link, draft string) string {
	link, _, _ = strings.Cut(link, "#")
	if plain, err := url.PathUnescape(link); err == nil {
		link = plain
	}
	link = filepath.FromSlash(link)
	beside := absolute(filepath.Join(filepath.Dir(draft), link))
	if _, err := os.Stat(beside); err == nil || !filepath.IsLocal(link) {
		return beside
	}
	for _, folder := range c {
		if file := absolute(filepath.Join(folder, link)); isRegular(file) {
			return file
		}
	}
	return beside
}

// hidden reports whether a draft cites a file that folders hide, such as .env.txt or .git/notes.md, outside of the corpus.
func (c Corpus) hidden(file, draft string) bool {
	within := func(folder string) bool {
		rel, err := filepath.Rel(absolute(folder), file)
		return err == nil && filepath.IsLocal(rel)
	}
	if slices.ContainsFunc(c, within) {
		return false
	}
	rel, err := filepath.Rel(absolute(filepath.Dir(draft)), file)
	return err == nil && hasHidden(rel) && hasHidden(named(file, draft))
}
