package textcheck

import (
	"context"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Limits of a corpus (chosen).
const (
	maxCorpusFiles = 50_000
	maxHeadBytes   = 16 << 10
)

// Corpus maps addresses to files of folders, so that saved pages are not fetched again. The address is in the head of a
// file (the canonical link of an HTML page, the comment that browsers add when they save one, or a key url, source, link,
// canonical or doi in the front matter of Markdown), or it is the path, such as example.org/a/page.html.
type Corpus struct {
	folders []string
	files   map[string]string // canonical key -> file: address
}

// OpenCorpus indexes the folders and skips files that cannot be opened. The error is ctx's, or that of a folder that
// cannot be listed.
func OpenCorpus(ctx context.Context, folders []string) (*Corpus, error) {
	c := &Corpus{folders: folders, files: map[string]string{}}
	seen := 0
	for _, folder := range folders {
		root, err := filepath.EvalSymlinks(folder)
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && name == root:
				return err
			case d.IsDir() && name != root && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case err != nil, strings.HasPrefix(d.Name(), "."), !d.Type().IsRegular(), !extract.IsText(extract.TypeByName(name)):
				return nil
			}
			if seen++; seen > maxCorpusFiles {
				return fs.SkipAll
			}
			c.add(root, name)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// address returns the file: address for a canonical key, or "".
func (c *Corpus) address(key string) string {
	if c == nil {
		return ""
	}
	return c.files[key]
}

func (c *Corpus) add(root, name string) {
	address := fileAddress(name)
	for _, named := range namedIn(head(name)) {
		c.put(docid.CanonicalKey(named, ""), address)
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return
	}
	rel = filepath.ToSlash(rel)
	if host, _, _ := strings.Cut(rel, "/"); host == rel || !strings.Contains(host, ".") { // the first folder is a host
		return
	}
	bare := strings.TrimSuffix(rel, path.Ext(rel))
	for _, p := range []string{rel, bare, strings.TrimSuffix(bare, "/index")} {
		c.put(docid.CanonicalKey("https://"+p, ""), address)
	}
}

// put keeps the first file for a key.
func (c *Corpus) put(key, address string) {
	if _, ok := c.files[key]; !ok && key != "" && !strings.HasPrefix(key, "raw:") {
		c.files[key] = address
	}
}

func head(name string) string {
	f, err := fetch.OpenInside(filepath.Dir(name), filepath.Base(name))
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxHeadBytes))
	return string(b)
}

var (
	canonicalTag = lazyregexp.New(`(?is)<link\b[^>]{0,400}\brel\s*=\s*["']?canonical\b[^>]*>`)
	ogURLTag     = lazyregexp.New(`(?is)<meta\b[^>]{0,400}\b(?:property|name)\s*=\s*["']?(?:og:url|citation_doi|dc\.identifier)\b[^>]*>`)
	tagAddress   = lazyregexp.New(`(?is)\b(?:href|content)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s>"']+))`)
	savedFrom    = lazyregexp.New(`(?i)<!--\s*saved from url=\(\d+\)(https?://[^\s>]+)`)
	frontKey     = lazyregexp.New(`(?im)^(?:url|source|link|canonical|canonical_url|doi)\s*:\s*["']?([^\s"']+)`)
)

// namedIn lists the addresses and DOIs that the head of a file gives for itself.
func namedIn(head string) []string {
	var out []string
	add := func(s string) {
		s = strings.TrimSpace(s)
		if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") || docid.NormalizeDOI(s) != "" {
			if !strings.HasPrefix(s, "http") {
				s = "doi:" + docid.NormalizeDOI(s)
			}
			out = append(out, s)
		}
	}
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(head, "\r\n", "\n"), "---\n"); ok {
		front, _, _ := strings.Cut(rest, "\n---")
		for _, m := range frontKey.FindAllStringSubmatch(front, 10) {
			add(m[1])
		}
		return out
	}
	if m := savedFrom.FindStringSubmatch(head); m != nil {
		add(m[1])
	}
	for _, tag := range []*lazyregexp.Regexp{canonicalTag, ogURLTag} {
		for _, t := range tag.FindAllString(head, 4) {
			if m := tagAddress.FindStringSubmatch(t); m != nil {
				add(m[1] + m[2] + m[3])
			}
		}
	}
	return out
}

// linked returns the absolute path of the file that a relative link in a draft leads to: beside the draft, else in one of the
// corpus folders, else where it would be beside the draft.
func (c *Corpus) linked(link, draft string) string {
	link, _, _ = strings.Cut(link, "#")
	if plain, err := url.PathUnescape(link); err == nil {
		link = plain
	}
	link = filepath.FromSlash(link)
	beside := absolute(filepath.Join(filepath.Dir(draft), link))
	if _, err := os.Stat(beside); err == nil || c == nil || !filepath.IsLocal(link) {
		return beside
	}
	for _, folder := range c.folders {
		if file := absolute(filepath.Join(folder, link)); isRegular(file) {
			return file
		}
	}
	return beside
}

// hidden reports whether a draft cites a file that folders hide, such as .env.txt or .git/notes.md, outside of the corpus.
func (c *Corpus) hidden(file, draft string) bool {
	within := func(folder string) bool {
		rel, err := filepath.Rel(absolute(folder), file)
		return err == nil && filepath.IsLocal(rel)
	}
	if c != nil && slices.ContainsFunc(c.folders, within) {
		return false
	}
	rel, err := filepath.Rel(absolute(filepath.Dir(draft)), file)
	return err == nil && hasHidden(rel) && hasHidden(named(file, draft))
}
