package index

import (
	"encoding/binary"
	"sort"
)

// dictBlock is the number of terms in a block of the dictionary; the first of each is kept in memory (chosen).
const dictBlock = 32

// Terms of different fields share one dictionary; the first byte is the field.
const (
	fieldText   = 't' // ids are passages
	fieldLink   = 'l' // ids are links
	fieldTitle  = 'T' // ids are documents, as in the fields below
	fieldAuthor = 'A'
	fieldType   = 'Y'
	fieldName   = 'n' // words of the names of file and folder that are not in the title
)

// term is an entry of the dictionary.
type term struct {
	count     int // passages or documents that have it
	at        int // where its list begins in the section
	postings  int // bytes of the list's parts
	positions int
}

// dictionaryWriter front codes sorted terms.
type dictionaryWriter struct {
	body   []byte
	sparse []byte
	n      int
	last   string
	at     int // where the next list begins
}

func (d *dictionaryWriter) add(name string, t term) {
	shared := 0
	if d.n%dictBlock == 0 {
		d.sparse = appendString(d.sparse, name)
		d.sparse = binary.AppendUvarint(d.sparse, uint64(len(d.body)))
		d.body = binary.AppendUvarint(d.body, uint64(d.at)) // the other lists of the block follow on
	} else {
		for shared < len(name) && shared < len(d.last) && name[shared] == d.last[shared] {
			shared++
		}
	}
	d.body = binary.AppendUvarint(d.body, uint64(shared))
	d.body = appendString(d.body, name[shared:])
	for _, n := range []int{t.count, t.postings, t.positions} {
		d.body = binary.AppendUvarint(d.body, uint64(n))
	}
	d.at += t.postings + t.positions
	d.last = name
	d.n++
}

// dictionary finds terms.
type dictionary struct {
	body   *checkedReader
	at     int64 // of the section
	size   int
	firsts []string // the first term of each block
	places []int    // where each block begins
	lists  int      // bytes of the section of postings
}

func openDictionary(body *checkedReader, at int64, size int, sparse []byte, blocks, lists int) (*dictionary, error) {
	d := &dictionary{body: body, at: at, size: size, lists: lists}
	c := cursor{b: sparse}
	if blocks > len(sparse) {
		return nil, ErrDamaged
	}
	d.firsts, d.places = make([]string, 0, blocks), make([]int, 0, blocks)
	for range blocks {
		d.firsts = append(d.firsts, c.string())
		d.places = append(d.places, c.count(size))
	}
	if c.bad || !sort.IntsAreSorted(d.places) {
		return nil, ErrDamaged
	}
	return d, nil
}

// find returns a term; ok is false if no passage has it.
func (d *dictionary) find(name string) (t term, ok bool, err error) {
	i := sort.SearchStrings(d.firsts, name)
	if i == len(d.firsts) || d.firsts[i] != name {
		if i == 0 {
			return term{}, false, nil
		}
		i--
	}
	end := d.size
	if i+1 < len(d.places) {
		end = d.places[i+1]
	}
	raw, err := d.body.read(d.at+int64(d.places[i]), int64(end-d.places[i]))
	if err != nil {
		return term{}, false, err
	}
	c := cursor{b: raw}
	at := c.count(d.lists)
	var word []byte
	for range dictBlock {
		if len(c.b) == 0 {
			break
		}
		shared := c.count(len(word))
		word = append(word[:shared], c.bytes(c.count(len(c.b)))...)
		t := term{at: at}
		for _, n := range []*int{&t.count, &t.postings, &t.positions} {
			*n = c.count(maxSize)
		}
		at += t.postings + t.positions
		if c.bad || at > d.lists {
			return term{}, false, ErrDamaged
		}
		if string(word) == name {
			return t, true, nil
		}
	}
	return term{}, false, nil
}
