package fetch

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html/charset"
)

const (
	maxArchiveFiles = 10_000 // books with a picture a page reach 2,000
	maxXMLDepth     = 500    // of nested elements; documents of word processors reach 60
)

// archive is a zip file that is read in memory. Names are only compared, never written to a disk, so that
// what a name spells cannot lead anywhere. All files together may unpack to a bounded size, and what counts
// is what comes out, not what the headers announce.
type archive struct {
	files map[string]*zip.File // by cleaned name
	left  int64                // bytes that may still be unpacked
	limit int64
}

func openArchive(body []byte, limit int64) (*archive, error) {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("%w: the file is a damaged zip archive", ErrUnsupported)
	}
	if len(z.File) > maxArchiveFiles {
		return nil, fmt.Errorf("%w: an archive of %d files, the limit is %d", errTooLarge, len(z.File), maxArchiveFiles)
	}
	a := &archive{files: make(map[string]*zip.File, len(z.File)), left: limit, limit: limit}
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

var errNotInArchive = errors.New("not in the archive")

// read unpacks a file.
func (a *archive) read(name string) ([]byte, error) {
	f := a.files[path.Clean(name)]
	if f == nil {
		return nil, fmt.Errorf("%w: %s", errNotInArchive, name)
	}
	rc, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be unpacked: %w", ErrUnsupported, name, err)
	}
	defer rc.Close()
	over := fmt.Errorf("%w: more than %s after decompression", errTooLarge, mebibytes(a.limit))
	b, err := io.ReadAll(&limited{r: rc, left: a.left, over: over})
	a.left -= int64(len(b))
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%w: %s cannot be unpacked: %w", ErrUnsupported, name, err)
	}
	return b, err
}

// archiveFormat is the format of a zip file by what is in it, or "".
func archiveFormat(body []byte) string {
	a, err := openArchive(body, 1<<20)
	if err != nil {
		if bytes.Contains(body[:min(len(body), 200)], []byte("mimetype"+typeEPUB)) {
			return typeEPUB // so that the error speaks of the file, not of its type
		}
		return ""
	}
	switch {
	case a.files["word/document.xml"] != nil:
		return typeDOCX
	case a.files["META-INF/container.xml"] != nil:
		return typeEPUB
	}
	return ""
}

// xmlTokens is a decoder of XML that stays within bounds. The standard library's knows no entities but the
// five of XML itself and reads no external ones, so that nothing expands.
func xmlTokens(b []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.CharsetReader = charset.NewReaderLabel
	return d
}

// xmlWalk calls start, end and text for the tokens of a document. An error of the syntax ends it quietly:
// what was read until then is what there is.
func xmlWalk(b []byte, start func(xml.StartElement), end func(xml.EndElement), text func(string)) error {
	d := xmlTokens(b)
	depth := 0
	for {
		token, err := d.Token()
		if err != nil {
			return nil
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				return fmt.Errorf("%w: elements nested more than %d deep", errTooLarge, maxXMLDepth)
			}
			start(t)
		case xml.EndElement:
			depth--
			end(t)
		case xml.CharData:
			text(string(t))
		}
	}
}

func xmlAttr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// coreProperties reads the Dublin Core elements that EPUB and DOCX describe themselves with.
func coreProperties(b []byte, d *Document) (identifiers []string, err error) {
	var name string
	var role string
	var value strings.Builder
	err = xmlWalk(b, func(e xml.StartElement) {
		name, role = e.Name.Local, xmlAttr(e, "role")
		if xmlAttr(e, "property") == "dcterms:modified" {
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
			if d.Title == "" {
				d.Title = titleText(v)
			}
		case "creator":
			if role == "" || role == "aut" {
				for part := range strings.SplitSeq(v, ";") {
					d.Authors = addAuthor(d.Authors, part)
				}
			}
		case "publisher":
			d.Publisher = titleText(v)
		case "language":
			if d.Language == "" {
				d.Language = languageTag(v)
			}
		case "date", "issued", "created":
			if d.PublishedAt == "" {
				d.PublishedAt = normalDate(v)
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
