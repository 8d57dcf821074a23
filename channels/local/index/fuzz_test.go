package index

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// FuzzOpen reads forged segments: the checksums are valid, the contents are arbitrary.
func FuzzOpen(f *testing.F) {
	in := newInvented(9, 300)
	for _, n := range []int{0, 1, 40} {
		raw := encoded(f, func(b *Builder) {
			for i := range n {
				add(f, b, in.words[i], Document{Title: in.words[i], Authors: []string{"A B"}, Type: "text", Head: []Stated{{"status", []string{"Final", in.words[i]}}, {"none", nil}}, Text: in.text(600)})
			}
		})
		s := reopened(f, raw)
		f.Add(raw[:s.body.size])
	}
	many := reopened(f, encoded(f, func(b *Builder) { // lists of more than one block
		for i := range 300 {
			add(f, b, fmt.Sprint(i), Document{Title: "ka", Text: strings.Join(in.words[i%7:i%7+3], " ")})
		}
	}))
	body, err := many.body.read(0, many.body.size)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Fuzz(func(t *testing.T, body []byte) { tryForged(t, body) })
}

// tryForged uses all methods of a segment, and reports whether it could be opened.
func tryForged(t *testing.T, body []byte) bool {
	t.Helper()
	var out bytes.Buffer
	w := newCheckedWriter(&out)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		return false
	}
	parts := []Part{{Segment: s, Deleted: NewBits(s.Files())}}
	for _, q := range []string{"ka to mi", `"ka to"`, `ka -"to mi"`, "title:ka", "-ka", "path:k", "type:text author:a"} {
		_, _ = Search(parts, Parse(q), 5)
		_, _ = Find(parts, Parse(q), 5)
	}
	for _, file := range s.EachFile() {
		if _, err := s.Texts(file); err != nil {
			break
		}
	}
	_ = parts[0].EachDocument(func(int, About) bool { return true })
	return true
}

// FuzzList reads forged lists of postings: ids ascend and stay below their limit, or the list is damaged. seek and next
// agree.
func FuzzList(f *testing.F) {
	for _, count := range []int{1, 127, 128, 300} {
		var b listBuilder
		for i := range count {
			for n := range 1 + i%3 {
				b.occurs(uint32(5 * n))
			}
			b.close(uint32(i*i%7+7*i), nil)
		}
		table, postings, positions := b.parts(nil)
		f.Add(table, postings, positions, uint16(count), uint32(10_000), uint32(700))
	}
	f.Fuzz(func(t *testing.T, table, postings, positions []byte, count uint16, limit, to uint32) {
		open := func() *postingList {
			padded := append(bytes.Clone(postings), make([]byte, padBytes)...)
			l, ok := newPostingList(table, padded[:len(postings)], int(count), limit)
			if !ok {
				return nil
			}
			l.loadPos = func() ([]byte, error) { return positions, nil }
			return l
		}
		l := open()
		if l == nil {
			return
		}
		n, last, from := 0, uint32(0), -1
		for l.next() {
			if l.id < last || l.id >= limit {
				t.Fatalf("id %d after %d, below %d", l.id, last, limit)
			}
			if n++; from < 0 && l.id >= to {
				from = int(l.id)
			}
			last = l.id
			if _, err := l.places(); err != nil {
				l.posBlock = -1
			}
		}
		if n > int(count) || !l.broken && n != int(count) {
			t.Fatalf("%d postings of %d", n, count)
		}
		if whole := !l.broken; whole {
			l = open()
			if l.seek(to) != (from >= 0) || from >= 0 && int(l.id) != from {
				t.Fatalf("seek %d: %d (ended %v), want %d", to, l.id, l.ended, from)
			}
		}
	})
}

// Forged segments with valid checksums are opened and searched without a panic: a short form of FuzzOpen for every test
// run.
func TestForgedSegments(t *testing.T) {
	in := newInvented(9, 300)
	s := segmentOf(t, func(b *Builder) {
		for i := range 300 {
			add(t, b, fmt.Sprint(i), Document{Title: "ka", Text: strings.Join(in.words[i%7:i%7+3], " "), Links: []Link{{fmt.Sprint(i / 2), "ka to mi"}}})
		}
	})
	body, err := s.body.read(0, s.body.size)
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	for range 1500 {
		forged := bytes.Clone(body)
		for range 1 + in.rand.IntN(4) {
			at := in.rand.IntN(len(forged))
			if in.rand.IntN(2) == 0 {
				at = len(forged) - 1 - in.rand.IntN(60)
			}
			forged[at] = byte(in.rand.IntN(256))
		}
		if tryForged(t, forged) {
			opened++
		}
	}
	if opened < 50 {
		t.Errorf("only %d of 1,500 could be opened: they say little", opened)
	}
}
