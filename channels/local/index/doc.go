// Package index is a search index for folders of documents: immutable segments as bytes, and searches over several of
// them by BM25 over passages. It is pure: a [Builder] writes a segment to an io.Writer, [Open] reads one through an
// io.ReaderAt; the caller stores the bytes (package local uses files).
//
// # A segment
//
// A segment holds files (with their problem if they could not be read), their documents (one, or one for each message of
// a mailbox) and the documents' passages. In the order of the bytes:
//
//	texts        the documents' texts, end to end, cut into chunks of 64 kB, each compressed (texts.go)
//	postings     for each term: the passages that have it, how often, and its positions there (postings.go)
//	dictionary   the terms, sorted, front coded in blocks of 32
//	sparse       the first term of each block
//	passages     for each document: start and end of its passages, in code points and bytes
//	lengths      the number of terms of each passage
//	documents, files, chunks, links (what documents say about other files of the folder, linklists.go), summary, and a
//	table of these sections
//	checksums    of each page of 64 kB of all the above, and a trailer that names the format
//
// Open reads the sparse dictionary, the lengths and a few tables, about 1 % of the segment. A search reads only the
// blocks that it needs. Records (of files, documents, links and the summary) list their fields once, for writing and for reading
// (fields.go). A page is compared with its checksum when it is first read, so that damage on disk gives
// [ErrDamaged] and never a wrong answer. Every number is also checked before it is used as a size or an offset, because
// checksums do not protect against forged bytes.
//
// # A search
//
// [Parse] reads a query: words, "phrases", -exclusions and fields. [Find] ranks documents by their best passage (BM25
// over terms of package words, stemmed in the languages of the segments) and by the words of the query in the title.
// It then compares the best documents by their beginning, second passage, title, whole text, the words that the best
// passages share (feedback.go), and the texts of the links to them (compare.go). Statistics cover all segments together, so
// that a document has the same score in any segment. The formula is that of package passage.
//
// A search decodes the lists of its words whole, and adds up the scores of all passages that have one. Scores are sums in
// the same order in every segment, so they are identical to the last bit however the documents are divided.
package index
