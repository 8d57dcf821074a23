// Package index is a search index for folders of documents: immutable segments as bytes, and searches over
// several of them by BM25 over passages. It is pure: a [Builder] writes a segment to an io.Writer, [Open] reads
// one through an io.ReaderAt, and where those lie is the caller's business (package corpus keeps them in files).
//
// # A segment
//
// A segment holds files (what was on disk, or why it was left out), the documents read of them (one, or as many
// as a mailbox has messages), and the documents' passages. In the order of its bytes:
//
//	texts        the documents' texts, end to end, cut into chunks of 64 kB, each compressed (texts.go)
//	postings     for each term: where it occurs, in packed blocks of 128, with a table to skip them that says what each
//	             gives at most, and its positions (listbuilder.go)
//	dictionary   the terms, sorted, front coded in blocks of 32
//	sparse       the first term of each block
//	passages     for each document: where its passages begin and end, in code points and bytes
//	lengths      the number of terms of each passage
//	documents, files, chunks, summary, and a table of these sections
//	checksums    of each page of 64 kB of all the above, and a trailer that names the format
//
// Opening reads the sparse dictionary, the lengths and a few tables, about 1 % of the segment; a search reads the
// blocks that it needs. A page is checked against its checksum when it is first read, so that damage on a disk
// is [ErrDamaged] and never a wrong answer. Every number is checked before it is used as a size or a place all
// the same: checksums are no defence against bytes that somebody wrote on purpose.
//
// # A search
//
// [Parse] reads a query: words, "phrases", -exclusions and fields. [Search] ranks documents by their best passage
// (BM25, passages.go's terms, stemmed in the languages that the segments hold) and by the words of the query that
// stand in the title. Statistics are those of all segments together, so that a document scores the same wherever it
// lies.
//
// A segment is walked in windows of a few passages (walk.go). Where all terms together could not lift a passage there
// into the answer, the window is passed over unread; where some of them could not, these are only looked up for the
// passages that the others bring near (MaxScore, with bounds of blocks). What must be beaten is known to all segments
// at once (floor.go). None of it changes the answer, not by the last bit of a score.
package index
