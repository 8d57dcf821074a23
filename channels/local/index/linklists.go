package index

import (
	"encoding/binary"
	"hash/fnv"
	"strings"
)

// A link is stored three times: in the section of texts behind the text of its document, from where a merge reads it; in
// the section of links, with its document, its target and the number of its words; and, by its words, in lists of links.
// Targets are hashes of paths, in order, because their files may be in other segments.
const (
	linkBytes   = 4 + 4 + 4
	targetBytes = 8
	maxLinks    = 1 << 28
)

// links is the record of a document's links in the section of texts.
func (f *fields) links(all *[]Link) {
	listOf(f, all, func(l *Link) {
		f.string(&l.To)
		f.string(&l.Text)
	})
}

// pathHash identifies a file across the segments of a folder.
func pathHash(path string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(path))
	return h.Sum64()
}

// linkTable is the section of links of an open segment.
type linkTable struct {
	links   []byte
	targets []uint64
	words   []uint32 // by target: the words of all links to it
	all     int      // words of all links
}

func (t *linkTable) count() int { return len(t.links) / linkBytes }

func (t *linkTable) link(id uint32) (document, target int, words uint32) {
	raw := t.links[linkBytes*int(id):]
	return int(binary.LittleEndian.Uint32(raw)), int(binary.LittleEndian.Uint32(raw[4:])), binary.LittleEndian.Uint32(raw[8:])
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(path string) string {
	path = strings.TrimSuffix(path, ".gz")
	if dot := strings.LastIndexByte(path, '.'); dot > strings.LastIndexByte(path, '/')+1 {
		return path[:dot]
	}
	return path
}
