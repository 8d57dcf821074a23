package index

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

// file is a record of the section of files, in which up to a number of documents are left.
func (f *fields) file(x *File, left int) {
	f.string(&x.Path)
	f.signed(&x.Size)
	f.signed(&x.ModTime)
	f.raw(x.Hash[:])
	f.string(&x.Problem)
	passing := []byte{0}
	if x.Passing {
		passing[0] = 1
	}
	f.raw(passing)
	x.Passing = passing[0] == 1
	f.count(&x.documents, left)
}

const maxSize = 1 << 40 // upper bound of offsets and sizes within a segment; chosen

// document is a record of the section of documents.
func (f *fields) document(a *About) {
	for _, n := range []*int{&a.file, &a.text, &a.textBytes, &a.linkBytes, &a.passagesAt} {
		f.count(n, maxSize)
	}
	for _, s := range []*string{&a.Part, &a.Title, &a.PublishedAt, &a.DOI, &a.SourceType, &a.Type, &a.Language} {
		f.string(s)
	}
	listOf(f, &a.Authors, f.string)
	listOf(f, &a.Head, func(s *Stated) {
		f.string(&s.Name)
		listOf(f, &s.Values, f.string)
	})
}

// TextBytes returns the length of the document's text in bytes.
func (a About) TextBytes() int { return a.textBytes }

// Documents returns the number of the file's documents in the segment, and First the first of them.
func (f File) Documents() int { return f.documents }
func (f File) First() int     { return f.first }

// Link is what a document says about another file of its folder: the text around a link to it.
type Link struct {
	To   string // path of the file within the folder, with slashes
	Text string
}
