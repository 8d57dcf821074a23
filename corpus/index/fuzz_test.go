package index

import (
	"bytes"
	"testing"
)

// FuzzOpen reads segments that somebody wrote on purpose: the checksums are right, what is inside is anything.
func FuzzOpen(f *testing.F) {
	in := newInvented(9, 300)
	for _, n := range []int{0, 1, 40} {
		raw := encoded(f, func(b *Builder) {
			for i := range n {
				add(f, b, in.words[i], Document{Title: in.words[i], Authors: []string{"A B"}, Type: "text", Text: in.text(600)})
			}
		})
		s := reopened(f, raw)
		f.Add(raw[:s.body.size])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
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
			return
		}
		parts := []Part{{Segment: s, Deleted: NewBits(s.Files())}}
		for _, q := range []string{"ka to mi", `"ka to"`, "title:ka", "-ka", "path:k", "type:text author:a"} {
			hits, _ := Search(parts, Parse(q), 5)
			_ = hits
		}
		for _, file := range s.EachFile() {
			if _, err := s.Texts(file); err != nil {
				return
			}
		}
	})
}
