// Package archive reads documents that are zip archives of XML: EPUB and DOCX. They unpack in memory, within a limit
// over all files together; no name in them is ever a path.
package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

const (
	maxArchiveFiles = 10_000 // books with a picture on each page reach 2,000
)

// archive is a zip file that is read in memory. File names are only compared and never used as paths. The total decompressed
// size is limited, by the actual bytes and not by the headers.
type archive struct {
	files map[string]*zip.File // by cleaned name
	left  int64                // bytes that may still be unpacked
	limit int64
}

func openArchive(body []byte, maxBytes int64) (*archive, error) {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("%w: the file is a damaged zip archive", document.ErrUnsupported)
	}
	if len(z.File) > maxArchiveFiles {
		return nil, fmt.Errorf("%w: an archive of %d files, the limit is %d", limit.ErrTooLarge, len(z.File), maxArchiveFiles)
	}
	a := &archive{files: make(map[string]*zip.File, len(z.File)), left: maxBytes, limit: maxBytes}
	for _, f := range z.File {
		name := path.Clean(strings.ReplaceAll(f.Name, `\`, "/")) // as programs on Windows write it
		if path.IsAbs(name) || strings.HasPrefix(name, "..") || f.FileInfo().IsDir() {
			continue
		}
		if a.files[name] == nil {
			a.files[name] = f
		}
	}
	return a, nil
}

// Check returns an error if a zip file is damaged.
func Check(body []byte) error {
	_, err := openArchive(body, 1<<20)
	return err
}

var errNotInArchive = errors.New("not in the archive")

// read unpacks a file.
func (a *archive) read(name string) ([]byte, error) {
	f := a.files[path.Clean(name)]
	if f == nil {
		return nil, fmt.Errorf("%w: %s", errNotInArchive, name)
	}
	if f.Flags&1 != 0 {
		return nil, fmt.Errorf("%w: the file is encrypted and needs a password", document.ErrUnsupported)
	}
	rc, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be unpacked: %w", document.ErrUnsupported, name, err)
	}
	defer rc.Close()
	over := fmt.Errorf("%w: more than %s after decompression", limit.ErrTooLarge, limit.Size(a.limit))
	b, err := io.ReadAll(&limit.Reader{R: rc, Left: a.left, Over: over})
	a.left -= int64(len(b))
	if err != nil && !errors.Is(err, limit.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %s cannot be unpacked: %w", document.ErrUnsupported, name, err)
	}
	return b, err
}

// tree unpacks a file of XML. Of a damaged one it has the part before the damage.
func (a *archive) tree(name string) (*xhtml.Node, error) {
	b, err := a.read(name)
	if err != nil {
		return nil, err
	}
	root, _, err := xmltree.Parse(b)
	return root, err
}

// part is [archive.tree] for a file that may be missing.
func (a *archive) part(name string) (*xhtml.Node, error) {
	root, err := a.tree(name)
	if errors.Is(err, errNotInArchive) {
		return &xhtml.Node{}, nil
	}
	return root, err
}

// mainPart is the name of the text of a Word document, which its relations say: word/document.xml, or what some services write.
func (a *archive) mainPart() string {
	relations, _ := a.part("_rels/.rels") // without it, the usual name
	for r := range xmltree.Children(xmltree.Child(relations, "Relationships"), "Relationship") {
		if to := strings.TrimPrefix(xmltree.Attr(r, "Target"), "/"); strings.HasSuffix(xmltree.Attr(r, "Type"), "/officeDocument") &&
			strings.HasPrefix(to, "word/") {
			return to
		}
	}
	return "word/document.xml"
}

// Format returns the format of a zip file by its content, or "".
func Format(body []byte) string {
	a, err := openArchive(body, 1<<20)
	if err != nil {
		if bytes.Contains(body[:min(len(body), 200)], []byte("mimetype"+document.TypeEPUB)) {
			return document.TypeEPUB // so that the error is about the file, not about its type
		}
		return ""
	}
	switch {
	case a.files[a.mainPart()] != nil:
		return document.TypeDOCX
	case a.files["META-INF/container.xml"] != nil:
		return document.TypeEPUB
	}
	return ""
}

// coreProperties reads the Dublin Core metadata of EPUB and DOCX.
func coreProperties(root *xhtml.Node, d *document.Document) (identifiers []string) {
	for n := range root.Descendants() {
		if n.Type != xhtml.ElementNode || n.FirstChild == nil || n.FirstChild.Type != xhtml.TextNode {
			continue
		}
		v, name := strings.TrimSpace(n.FirstChild.Data), n.Data
		if xmltree.Attr(n, "property") == "dcterms:modified" {
			name = "modified"
		}
		if v == "" {
			continue
		}
		switch name {
		case "title":
			d.Title = cmp.Or(d.Title, document.Title(v))
		case "creator":
			if role := xmltree.Attr(n, "role"); role == "" || role == "aut" {
				for part := range strings.SplitSeq(v, ";") {
					d.Authors = document.AddAuthor(d.Authors, part)
				}
			}
		case "publisher":
			d.Publisher = document.Title(v)
		case "subject": // books have several
			d.Subject = document.Title(strings.TrimPrefix(d.Subject+", "+v, ", "))
		case "keywords":
			d.Keywords = document.Title(strings.TrimPrefix(d.Keywords+", "+v, ", "))
		case "contentStatus":
			d.DocStatus = cmp.Or(d.DocStatus, document.Title(v))
		case "modified":
			d.ModifiedAt = cmp.Or(d.ModifiedAt, document.Date(v))
		case "language":
			d.Language = cmp.Or(d.Language, document.Language(v))
		case "date", "issued":
			if event := xmltree.Attr(n, "event"); event == "" || strings.HasSuffix(event, "publication") { // others are of the file
				d.PublishedAt = cmp.Or(d.PublishedAt, document.Date(v))
			}
		case "identifier":
			if len(identifiers) < 20 {
				identifiers = append(identifiers, v)
			}
		}
	}
	return identifiers
}
