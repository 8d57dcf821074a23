package index

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An answer equals a ranking of every passage by the formula.
func TestSearchIsBM25(t *testing.T) {
	in := newInvented(7, 400)
	s := segmentOf(t, func(b *Builder) {
		for i := range 100 {
			add(t, b, fmt.Sprintf("%03d.txt", i), Document{Text: in.text(2500), Language: "it"})
		}
	})
	for range 20 {
		var words []string
		for range 1 + in.rand.IntN(6) {
			if w := in.word(); !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		var ranked []float64
		for _, score := range naive(s, words, false) {
			ranked = append(ranked, score)
		}
		slices.Sort(ranked)
		slices.Reverse(ranked)
		for _, limit := range []int{1, 3, 20} {
			want := ranked[:min(limit, len(ranked))]
			hits, damaged := Search([]Part{{Segment: s}}, Query{Words: words}, limit)
			if damaged != nil {
				t.Fatal(damaged)
			}
			var got []float64
			for _, h := range hits {
				got = append(got, h.Score)
			}
			if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" {
				t.Fatalf("%q, %d (-want +got)\n%s", words, limit, diff)
			}
		}
	}
}

// library returns a few documents to search.
func library(t testing.TB) []Part {
	first := segmentOf(t, func(b *Builder) {
		add(t, b, "papers/wal.md", Document{Title: "Write-ahead logging", Authors: []string{"Ada Miller"}, Type: "markdown", Links: []Link{{"papers/vacuum.pdf", "on vacuum"}, {"x", "y"}}, Text: "# Write-ahead logging\n\nA checkpoint moves the pages of the write-ahead log into the database file. Readers do not block."})
		add(t, b, "papers/vacuum.pdf", Document{Title: "Vacuum and freeze", Authors: []string{"Jörg Müller", "Ada Miller"}, Type: "pdf", Text: "Vacuum can freeze the rows of a table. Checkpoints are another matter."})
		add(t, b, "Übersicht/mühle.html", Document{Title: "Die Mühle", Type: "html", Language: "de", Text: "Die Mühlen am Meer mahlen mit Ebbe und Flut. Sie sind nicht groß und das Wasser ist der Antrieb, der von der See kommt und mit dem Mond wandert."})
	})
	second := segmentOf(t, func(b *Builder) {
		add(t, b, "zh/ai.txt", Document{Title: "人工智能", Type: "text", Text: "人工智能的历史很长。机器学习是人工智能的一部分。"})
		add(t, b, "mail/list.mbox", Document{Part: "a1", Title: "Re: checkpoint", Authors: []string{"Eve Carter"}, Type: "mail", Text: "The log file of the write of the page ahead."})
		if err := b.Add(File{Path: "broken.pdf", Problem: "damaged"}, nil); err != nil {
			t.Fatal(err)
		}
		add(t, b, "empty.txt", Document{Title: "Nothing at all", Type: "text"})
		add(t, b, "fr/marées.txt", Document{Title: "Marées", Type: "text", Text: "Les marées sont dans le journal pour une semaine et les hôpitaux du port sont avec des navires sur la mer."})
	})
	return []Part{{Segment: first, Folder: "/home/ada/books"}, {Segment: second, Folder: "/home/ada/more"}}
}

func paths(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, strings.TrimSuffix(h.About.Path+"/"+h.About.Part, "/"))
	}
	return out
}

func TestQueries(t *testing.T) {
	parts := library(t)
	tests := []struct {
		name, query string
		want        []string
	}{
		{"words", "checkpoint", []string{"mail/list.mbox/a1", "papers/vacuum.pdf", "papers/wal.md"}},
		{"stems", "freezing rows", []string{"papers/vacuum.pdf"}},
		{"phrase", `"write-ahead log"`, []string{"papers/wal.md"}},
		{"phrase, curly", `“write ahead log”`, []string{"papers/wal.md"}},
		{"phrase that is only words", `"page ahead"`, []string{"mail/list.mbox/a1"}},
		{"phrase in no document", `"ahead write"`, nil},
		{"two phrases, one document", `"freeze the rows" "another matter"`, []string{"papers/vacuum.pdf"}},
		{"phrase of one word", `"Readers"`, []string{"papers/wal.md"}},
		{"without a word", "checkpoint -vacuum", []string{"mail/list.mbox/a1", "papers/wal.md"}},
		{"without a phrase", `checkpoint -"another matter" -from:eve`, []string{"papers/wal.md"}},
		{"title", "title:freeze", []string{"papers/vacuum.pdf"}},
		{"words of a title", "write-ahead logging", []string{"papers/wal.md", "mail/list.mbox/a1"}},
		{"a title without text", "nothing at all", []string{"empty.txt"}},
		{"author", "author:muller", []string{"papers/vacuum.pdf"}},
		{"two authors", `author:"ada miller"`, []string{"papers/vacuum.pdf", "papers/wal.md"}},
		{"author and word", "author:miller log", []string{"papers/wal.md"}},
		{"path", "path:papers/", []string{"papers/vacuum.pdf", "papers/wal.md"}},
		{"path, folder", "path:ada/more ahead", []string{"mail/list.mbox/a1"}},
		{"path without accents", "file:ubersicht", []string{"Übersicht/mühle.html"}},
		{"type", "type:pdf", []string{"papers/vacuum.pdf"}},
		{"type by ending", "ext:.MD", []string{"papers/wal.md"}},
		{"not of a type", "checkpoint -type:pdf -type:mail", []string{"papers/wal.md"}},
		{"German", "Mühle", []string{"Übersicht/mühle.html"}},
		{"German without accents", "muhlen", []string{"Übersicht/mühle.html"}},
		{"French plural", "hôpital", []string{"fr/marées.txt"}},
		{"French without accents", "maree", []string{"fr/marées.txt"}},
		{"Chinese", "人工智能", []string{"zh/ai.txt"}},
		{"Chinese phrase", `"机器学习"`, []string{"zh/ai.txt"}},
		{"Chinese phrase in no document", `"学习机器"`, nil},
		{"nothing", "xyzzy", nil},
		{"a phrase without words", `"…"`, nil},
		{"empty", "  ", nil},
		{"a URL is words", "https://example.org/freeze", []string{"papers/vacuum.pdf"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, damaged := Search(parts, Parse(tt.query), 10)
			got := paths(hits)
			slices.Sort(got)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, got); diff != "" || damaged != nil {
				t.Errorf("%v (-want +got)\n%s", damaged, diff)
			}
		})
	}
}

// A document has the same score in any part, and deleted files are not found.
func TestScoresDoNotDependOnParts(t *testing.T) {
	in := newInvented(3, 300)
	var texts []string
	for range 40 {
		texts = append(texts, in.text(3000))
	}
	put := func(from, to int) *Segment {
		return segmentOf(t, func(b *Builder) {
			for i := from; i < to; i++ {
				add(t, b, fmt.Sprintf("%02d.txt", i), Document{Title: in.words[i], Text: texts[i]})
			}
		})
	}
	whole := []Part{{Segment: put(0, 40)}}
	cut := []Part{{Segment: put(0, 7)}, {Segment: put(7, 8)}, {Segment: put(8, 40)}}
	for i := range 20 {
		q := Query{Words: []string{in.words[i], in.words[i*7+3], in.words[i*3+1]}}
		one, _ := Search(whole, q, 8)
		many, _ := Search(cut, q, 8)
		if diff := cmp.Diff(paths(one), paths(many)); diff != "" {
			t.Errorf("%q (-one +many)\n%s", q.Words, diff)
		}
		for j := range one {
			if math.Abs(one[j].Score-many[j].Score) > 1e-9 || one[j].Passage != many[j].Passage {
				t.Errorf("%q, %s: %v %v and %v %v", q.Words, one[j].About.Path, one[j].Score, one[j].Passage, many[j].Score, many[j].Passage)
			}
		}
		gone := NewBits(whole[0].Files())
		gone.Set(one[0].File)
		left, _ := Search([]Part{{Segment: whole[0].Segment, Deleted: gone}}, q, 7)
		if diff := cmp.Diff(paths(one)[1:], paths(left)); diff != "" {
			t.Errorf("without the first (-want +got)\n%s", diff)
		}
	}
}

// Offsets count code points of the text, and the passage is the text between them.
func TestOffsets(t *testing.T) {
	text := "Ein Wort über Mühlen.\n\n  Zwei Wörter — 灯塔 und noch etwas.\n\nDrei."
	s := segmentOf(t, func(b *Builder) {
		for i := range 3 {
			add(t, b, fmt.Sprint(i), Document{Text: strings.Repeat("Fülltext hier. ", 9000) + "\n\n" + text})
		}
	})
	hits, _ := Search([]Part{{Segment: s}}, Parse("灯塔"), 3)
	if len(hits) != 3 {
		t.Fatalf("%d hits", len(hits))
	}
	whole := []rune(strings.Repeat("Fülltext hier. ", 9000) + "\n\n" + text)
	for _, h := range hits {
		if got := string(whole[h.Start:h.End]); got != h.Text || got != "Zwei Wörter — 灯塔 und noch etwas." {
			t.Errorf("%d to %d is %q, the passage %q", h.Start, h.End, got, h.Text)
		}
	}
}

// The documents of a segment can be added to another one.
func TestTextsRoundTrip(t *testing.T) {
	parts := library(t)
	for _, p := range parts {
		again := segmentOf(t, func(b *Builder) {
			for _, f := range p.EachFile() {
				docs, err := p.Texts(f)
				if err != nil {
					t.Fatal(err)
				}
				if err := b.Add(f, docs); err != nil {
					t.Fatal(err)
				}
			}
		})
		for i, f := range again.EachFile() {
			want, err := p.Texts(f)
			if err != nil {
				t.Fatal(err)
			}
			got, err := again.Texts(f)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("file %d: %v (-want +got)\n%s", i, err, diff)
			}
		}
	}
}

// Any changed byte is detected by Open or by the search that reads it, and never gives a wrong answer.
func TestDamage(t *testing.T) {
	in := newInvented(5, 2000)
	raw := encoded(t, func(b *Builder) {
		for i := range 30 {
			add(t, b, fmt.Sprintf("%d.txt", i), Document{Title: in.words[i+50], Text: in.text(20_000)})
		}
	})
	ask := []Query{{Words: in.words[:3]}, {Words: in.words[500:520]}, Parse(`"` + in.words[0] + " " + in.words[1] + `"`), Parse("title:" + in.words[60])}
	want := make([][]Hit, len(ask))
	for i, q := range ask {
		want[i], _ = Search([]Part{{Segment: reopened(t, raw)}}, q, 5)
	}
	noticed := 0
	for at := 0; at < len(raw); at += 4999 {
		bad := bytes.Clone(raw)
		bad[at] ^= 0x10
		s, err := Open(bytes.NewReader(bad), int64(len(bad)))
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("byte %d: %v", at, err)
			}
			noticed++
			continue
		}
		for i, q := range ask {
			hits, damaged := Search([]Part{{Segment: s}}, q, 5)
			if damaged != nil {
				if !errors.Is(damaged[0].Err, ErrDamaged) {
					t.Fatalf("byte %d: %v", at, damaged[0].Err)
				}
				noticed++
				continue
			}
			if diff := cmp.Diff(paths(want[i]), paths(hits)); diff != "" {
				t.Fatalf("byte %d is wrong, and so is the answer (-want +got)\n%s", at, diff)
			}
		}
	}
	if noticed == 0 {
		t.Error("no damage was noticed at all")
	}
	for _, n := range []int{0, 1, 31, 32, len(raw) / 2, len(raw) - 1} {
		if _, err := Open(bytes.NewReader(raw[:n]), int64(n)); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}

// A part that is found damaged during a search does not change the results of the other parts.
func TestDamagedPartKeepsOtherHits(t *testing.T) {
	in := newInvented(6, 300)
	put := func(n int, text func() string) []byte {
		return encoded(t, func(b *Builder) {
			for i := range n {
				add(t, b, fmt.Sprintf("%d.txt", i), Document{Text: text()})
			}
		})
	}
	sound := put(40, func() string { return in.text(2000) })
	better := put(200, func() string { return strings.Repeat(in.words[0]+" ", 20) + in.text(3000) })
	q := Query{Words: in.words[:2]}
	for at := 0; at < len(better); at += len(better) / 40 {
		bad := bytes.Clone(better)
		bad[at] ^= 1
		s, err := Open(bytes.NewReader(bad), int64(len(bad)))
		if err != nil {
			continue
		}
		hits, damaged := Search([]Part{{Segment: s}, {Segment: reopened(t, sound)}}, q, 10)
		if len(hits) != 10 && !slices.ContainsFunc(hits, func(h Hit) bool { return h.Part == 0 }) {
			t.Errorf("byte %d: %d hits, damaged %v", at, len(hits), damaged)
		}
	}
}

// Search returns the documents that match a query, ordered by their best passage and their title alone.
func Search(parts []Part, q Query, limit int) (hits []Hit, damaged []Damage) {
	if limit < 1 || q.empty() {
		return nil, nil
	}
	all, asked, _, errs := best(parts, q, limit)
	return show(parts, asked, all, errs, limit)
}

// A file that only lists links is found by them.
func TestFindReadsBookmarks(t *testing.T) {
	p := Part{Segment: segmentOf(t, func(b *Builder) {
		add(t, b, "bookmarks.md", Document{Text: "- [Harbour pilots](https://example.org/a)\n- [Tidal mills](https://example.org/b)\n- [Sluices](https://example.org/c)\n"})
	})}
	hits, damaged := Find([]Part{p}, Parse("tidal mills"), 1)
	if damaged != nil || len(hits) != 1 || hits[0].Start != 0 {
		t.Errorf("%v, %+v", damaged, hits)
	}
}
