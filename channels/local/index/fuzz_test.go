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

// FuzzList reads forged lists of postings: ids ascend and stay below their limit, or the list is damaged.
func FuzzList(f *testing.F) {
	for _, count := range []int{1, 300} {
		var b listBuilder
		for i := range count {
			for n := range 1 + i%3 {
				b.occurs(uint32(5 * n))
			}
			b.close(uint32(7 * i))
		}
		f.Add(b.postings, b.positions, uint16(count), uint32(10_000))
	}
	f.Fuzz(func(t *testing.T, postings, positions []byte, count uint16, limit uint32) {
		l, ok := newPostingList(postings, int(count), limit)
		if !ok {
			return
		}
		l.loadPos = func() ([]byte, error) { return positions, nil }
		for i, p := range l.postings {
			if p.id >= limit || i > 0 && p.id <= l.postings[i-1].id {
				t.Fatalf("posting %d of %v", i, l.postings)
			}
			if places, err := l.places(i); err == nil && len(places) != int(p.times) {
				t.Fatalf("%d places of %d", len(places), p.times)
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
