package textcheck

import (
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
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
