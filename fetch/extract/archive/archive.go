// Package archive reads documents that are zip archives of XML: EPUB and DOCX. They unpack in memory, within a limit
// over all files together; no name in them is ever a path.
package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
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
		name := path.Clean(f.Name)
		if path.IsAbs(name) || strings.HasPrefix(name, "..") || strings.Contains(name, `\`) || f.FileInfo().IsDir() {
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
	case a.files["word/document.xml"] != nil:
		return document.TypeDOCX
	case a.files["META-INF/container.xml"] != nil:
		return document.TypeEPUB
	}
	return ""
}

// joined adds a value to a list in one line. Books have a subject in each of several elements.
func joined(list, value string) string {
	if list == "" {
		return document.Title(value)
	}
	return document.Title(list + ", " + value)
}

// coreProperties reads the Dublin Core metadata of EPUB and DOCX.
func coreProperties(b []byte, d *document.Document) (identifiers []string, err error) {
	var name string
	var role, event string
	var value strings.Builder
	err = limit.WalkXML(b, func(e xml.StartElement) {
		name, role, event = e.Name.Local, limit.Attr(e, "role"), limit.Attr(e, "event")
		if limit.Attr(e, "property") == "dcterms:modified" {
			name = "modified"
		}
		value.Reset()
	}, func(e xml.EndElement) {
		v := strings.TrimSpace(value.String())
		value.Reset()
		if v == "" || e.Name.Local != name && name != "modified" {
			return
		}
		switch name {
		case "title":
			d.Title = cmp.Or(d.Title, document.Title(v))
		case "creator":
			if role == "" || role == "aut" {
				for part := range strings.SplitSeq(v, ";") {
					d.Authors = document.AddAuthor(d.Authors, part)
				}
			}
		case "publisher":
			d.Publisher = document.Title(v)
		case "subject":
			d.Subject = joined(d.Subject, v)
		case "keywords":
			d.Keywords = joined(d.Keywords, v)
		case "contentStatus":
			d.DocStatus = cmp.Or(d.DocStatus, document.Title(v))
		case "modified":
			d.ModifiedAt = cmp.Or(d.ModifiedAt, document.Date(v))
		case "language":
			d.Language = cmp.Or(d.Language, document.Language(v))
		case "date", "issued":
			if event == "" || strings.HasSuffix(event, "publication") { // others are of the file
				d.PublishedAt = cmp.Or(d.PublishedAt, document.Date(v))
			}
		case "identifier":
			if len(identifiers) < 20 {
				identifiers = append(identifiers, v)
			}
		}
	}, func(s string) {
		if value.Len() < 4_096 {
			value.WriteString(s)
		}
	})
	return identifiers, err
}
