package index

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// Link is what a document says about another file of its folder: the text around a link to it.
type Link struct {
	To   string // path of the file within the folder, with slashes
	Text string
}

// A link is stored three times: in the section of texts behind the text of its document, from where a merge reads it; in
// the section of links, with its document, its target and the number of its words; and, by its words, in lists of links.
// Targets are hashes of paths, in order, because their files may be in other segments.
const (
	linkBytes   = 4 + 4 + 4
	targetBytes = 8
	maxLinks    = 1 << 28
)

// appendLinks encodes links for the section of texts.
func appendLinks(b []byte, links []Link) []byte {
	for _, l := range links {
		b = appendString(appendString(b, l.To), l.Text)
	}
	return b
}

func decodeLinks(b []byte) ([]Link, error) {
	var out []Link
	c := cursor{b: b}
	for len(c.b) > 0 {
		out = append(out, Link{To: c.string(), Text: c.string()})
	}
	if c.bad {
		return nil, fmt.Errorf("%w: the links of a document", ErrDamaged)
	}
	return out, nil
}

// pathHash identifies a file across the segments of a folder.
func pathHash(path string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(path))
	return h.Sum64()
}

// builtLink is a link in a builder.
type builtLink struct {
	document, words uint32
	target          uint64
}

// addLinks adds the words of a document's links.
func (b *Builder) addLinks(a *analyzer, document int, links []Link) {
	for _, l := range links {
		if len(b.links) == maxLinks {
			return
		}
		n := b.terms(a, fieldLink, l.Text, uint32(len(b.links)))
		b.links = append(b.links, builtLink{uint32(document), uint32(n), pathHash(l.To)})
	}
}

// linkSections encodes the links and their targets.
func (b *Builder) linkSections() (links, targets []byte) {
	hashes := make([]uint64, len(b.links))
	for i, l := range b.links {
		hashes[i] = l.target
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	for _, l := range b.links {
		at, _ := slices.BinarySearch(hashes, l.target)
		for _, n := range []uint32{l.document, uint32(at), l.words} {
			links = binary.LittleEndian.AppendUint32(links, n)
		}
	}
	for _, h := range hashes {
		targets = binary.LittleEndian.AppendUint64(targets, h)
	}
	return links, targets
}

// linkTable is the section of links of an open segment.
type linkTable struct {
	links   []byte
	targets []uint64
	words   []uint32 // by target: the words of all links to it
	all     int      // words of all links
}

func (s *Segment) openLinks() error {
	links, err := s.section(sectionLinks)
	if err != nil {
		return err
	}
	raw, err := s.section(sectionTargets)
	if err != nil {
		return err
	}
	if len(links)%linkBytes != 0 || len(raw)%targetBytes != 0 || len(links)/linkBytes > maxLinks {
		return fmt.Errorf("%w: its links", ErrDamaged)
	}
	t := linkTable{links: links, targets: make([]uint64, len(raw)/targetBytes), words: make([]uint32, len(raw)/targetBytes)}
	for i := range t.targets {
		t.targets[i] = binary.LittleEndian.Uint64(raw[targetBytes*i:])
	}
	for i := range t.count() {
		document, target, words := t.link(uint32(i))
		if document >= s.sum.documents || target >= len(t.targets) {
			return fmt.Errorf("%w: a link is of no document or to no target", ErrDamaged)
		}
		t.words[target] += words
		t.all += int(words)
	}
	s.links = t
	return nil
}

func (t *linkTable) count() int { return len(t.links) / linkBytes }

func (t *linkTable) link(id uint32) (document, target int, words uint32) {
	raw := t.links[linkBytes*int(id):]
	return int(binary.LittleEndian.Uint32(raw)), int(binary.LittleEndian.Uint32(raw[4:])), binary.LittleEndian.Uint32(raw[8:])
}

// fileOfPath returns the file with the hash of a path, or -1.
func (s *Segment) fileOfPath(hash uint64) int {
	s.byPathOnce.Do(func() {
		s.byPath = make([]hashedFile, s.sum.files)
		for i := range s.byPath {
			s.byPath[i] = hashedFile{pathHash(s.path(i)), i}
		}
		slices.SortFunc(s.byPath, func(a, b hashedFile) int { return cmp.Or(cmp.Compare(a.hash, b.hash), a.file-b.file) })
	})
	at, ok := slices.BinarySearchFunc(s.byPath, hash, func(f hashedFile, hash uint64) int { return cmp.Compare(f.hash, hash) })
	if !ok {
		return -1
	}
	return s.byPath[at].file
}

type hashedFile struct {
	hash uint64
	file int
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(path string) string {
	path = strings.TrimSuffix(path, ".gz")
	if dot := strings.LastIndexByte(path, '.'); dot > strings.LastIndexByte(path, '/')+1 {
		return path[:dot]
	}
	return path
}
