package index

import "encoding/binary"

// File describes a file of the folder.
type File struct {
	Path    string   // within the folder, with slashes
	Size    int64    // bytes
	ModTime int64    // nanoseconds since 1970
	Hash    [16]byte // the first half of its SHA-256
	Problem string   // why it could not be read; "" = it was read
	// Passing means that the problem may go away without a change of the file.
	Passing bool

	documents int // number of documents
	first     int // the first document
}

// Document is a text to search.
type Document struct {
	// Part names a message within a mailbox; "" = the document is the whole file.
	Part        string
	Title       string // "" = none
	Authors     []string
	PublishedAt string
	DOI         string
	SourceType  string
	Type        string   // value of type: in queries: "pdf", "html", "markdown", "text", "epub", "docx", "mail"
	Language    string   // declared or detected, BCP 47
	Head        []Stated // what it states of itself, in order
	Text        string
	Links       []Link // to other files of the folder
}

// Stated is a statement of a document of itself, such as its status.
type Stated struct {
	Name   string   // lower case, words joined by hyphens
	Values []string // of a list several
}

// About is a document without its text, as a segment keeps it.
type About struct {
	Document              // Text and Links are empty
	Path           string // of its file
	file, text     int
	textBytes      int
	linkBytes      int // behind the text
	passagesAt     int // in the section of passages
	first, through int // its passages: [first, through)
}

func appendFile(b []byte, f File, documents int) []byte {
	b = appendString(b, f.Path)
	b = binary.AppendUvarint(b, uint64(f.Size))
	b = binary.AppendVarint(b, f.ModTime)
	b = append(b, f.Hash[:]...)
	b = appendString(b, f.Problem)
	passing := byte(0)
	if f.Passing {
		passing = 1
	}
	b = append(b, passing)
	return binary.AppendUvarint(b, uint64(documents))
}

func (c *cursor) file(documents int) File {
	f := File{Path: c.string(), Size: int64(c.uvarint()), ModTime: c.varint()}
	copy(f.Hash[:], c.bytes(len(f.Hash)))
	f.Problem = c.string()
	f.Passing = string(c.bytes(1)) == "\x01"
	f.documents = c.count(documents)
	return f
}

// appendDocument encodes a document. text and passagesAt are offsets within their sections, links is the size of its links.
func appendDocument(b []byte, file int, d Document, text, links, passagesAt int) []byte {
	for _, n := range []int{file, text, len(d.Text), links, passagesAt} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, s := range []string{d.Part, d.Title, d.PublishedAt, d.DOI, d.SourceType, d.Type, d.Language} {
		b = appendString(b, s)
	}
	b = binary.AppendUvarint(b, uint64(len(d.Authors)))
	for _, a := range d.Authors {
		b = appendString(b, a)
	}
	b = binary.AppendUvarint(b, uint64(len(d.Head)))
	for _, h := range d.Head {
		b = binary.AppendUvarint(appendString(b, h.Name), uint64(len(h.Values)))
		for _, v := range h.Values {
			b = appendString(b, v)
		}
	}
	return b
}

// TextBytes returns the length of the document's text in bytes.
func (a About) TextBytes() int { return a.textBytes }

const maxSize = 1 << 40 // upper bound of offsets and sizes within a segment; chosen

func (c *cursor) document() About {
	var a About
	for _, n := range []*int{&a.file, &a.text, &a.textBytes, &a.linkBytes, &a.passagesAt} {
		*n = c.count(maxSize)
	}
	for _, s := range []*string{&a.Part, &a.Title, &a.PublishedAt, &a.DOI, &a.SourceType, &a.Type, &a.Language} {
		*s = c.string()
	}
	authors := c.count(len(c.b))
	for range authors {
		a.Authors = append(a.Authors, c.string())
	}
	for range c.count(len(c.b)) {
		h := Stated{Name: c.string()}
		for range c.count(len(c.b)) {
			h.Values = append(h.Values, c.string())
		}
		a.Head = append(a.Head, h)
	}
	return a
}

// Documents returns the number of the file's documents in the segment, and First the first of them.
func (f File) Documents() int { return f.documents }
func (f File) First() int     { return f.first }

// Link is what a document says about another file of its folder: the text around a link to it.
type Link struct {
	To   string // path of the file within the folder, with slashes
	Text string
}
