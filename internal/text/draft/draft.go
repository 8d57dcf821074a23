package draft

import "github.com/yuin/goldmark/ast"

// Draft is a text in Markdown, taken apart. Tree is the text as CommonMark has it, with tables, footnotes and formulas; each citation in
// it is a [Citation] node. Its places are bytes of Source, which is the text with the metadata at its head blanked.
type Draft struct {
	Source []byte
	Tree   ast.Node

	Sentences    []Sentence
	References   []Reference
	Bibliography string   // the file with further entries, as its metadata name it
	Strays       []Marker // citations in no sentence: in a heading, in the head of a table, before all prose
	Skipped      []Skipped
}

// Parse reads a draft. Code, formulas and comments are left out; a row of a table is one sentence.
func Parse(markdown string) Draft {
	r := newReader(markdown)
	r.Tree, r.ends = parseMarkdown(r.Source)
	r.read(r.Tree)
	r.indexEntries()
	for i := range r.blocks {
		r.readBlock(&r.blocks[i])
	}
	r.finish()
	r.markTree()
	return r.Draft
}

// Skipped is text that was not read as prose: a block of code or a formula, or a sentence that is taken for no claim.
type Skipped struct {
	Kind string // "metadata", "code", "formula", "heading", "label", "question", "introduction", "search" or "row"
	Line int    // from 1
	Text string // at most 200 code points
}

// Sentence is one sentence of a draft. Text is what a reader sees of it, without citations, link targets and emphasis. Start
// and End (code points, half open), Line and Column (from 1, code points) say where it is in the Markdown. Citations after the
// full stop, or in a line of their own, belong to the sentence before them.
type Sentence struct {
	Text         string
	Line, Column int
	Start, End   int
	Markers      []Marker
	// Covering are citations that may be meant for the sentence: those after the last full stop of its paragraph, by which some
	// writers cite all of it, of the sentence that leads to its list, of the source before "(ibid.)", or files that it names without
	// lines. Only set where Markers is empty.
	Covering []Marker
	Quotes   []string // stretches of three words or more in quotation marks
	IsClaim  bool     // the sentence states something that needs a source
	Own      string   // OwnInference, OwnAbsence or OwnOpen: the author's own statement, which no source is asked about
}

// Marker is one citation. A mark that cites several sources, such as [1, 2], gives one Marker for each, with the same Raw and
// place.
type Marker struct {
	Raw          string // as it is written; of a link its address
	Kind, Target string
	Lines        string // of the source: "120-128,140", or "page=3"; "" when the citation names none
	Quote        string // the words of a text fragment, decoded; "start … end" for a range, " … " also between several
	Start, End   int    // code points in the Markdown
	Line, Column int    // from 1
	entry        int    // index of its entry in Draft.References, plus 1; 0 for none
}

// The kinds of markers.
const (
	MarkerID       = "id"       // [S3], [S3:120-128]; Target "S3"
	MarkerNumber   = "number"   // [1], 【1†L5】, (Source 1), ¹; Target "1"
	MarkerFootnote = "footnote" // [^4]; Target "4"
	MarkerKey      = "key"      // [@smith2021]; Target "smith2021"
	MarkerAuthor   = "author"   // (Smith et al., 2021); Target "smith 2021"
	MarkerLink     = "link"     // [text](https://…), [text](notes.md#L12), notes.md#L12; Target the address or file
	MarkerURL      = "url"      // https://…; Target the address
	MarkerDOI      = "doi"      // doi:10.1000/x; Target "10.1000/x"
)

// markerInference is the kind of the mark [inference] while a draft is read. No marker of a parsed draft has it.
const markerInference = "inference"

// Reference is an entry of a reference list or the definition of a footnote.
type Reference struct {
	Number string   // as the citations write it: "1", "S3", "note"; empty in a list without numbers
	ID     string   // the source that the entry names by its id, as in "[^1]: S3:120-128"; "" for most
	URL    string   // the address or file, without lines
	Lines  string   // of the source, as in Marker
	Quote  string   // as in Marker
	Title  string   // the entry without its number and address
	Line   int      // of the draft, from 1
	author *work    // where the entry opens with them
	firsts []string // the names of the first author
	more   bool     // another source of the same note
}

// Entry is what the reference list says about a citation: in the next list after it, and with an address rather than without.
func (d Draft) Entry(m Marker) (Reference, bool) {
	if m.entry < 1 || m.entry > len(d.References) {
		return Reference{}, false
	}
	return d.References[m.entry-1], true
}
