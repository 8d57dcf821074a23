package draft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinesOfCitations(t *testing.T) {
	t.Parallel()
	tests := []struct{ markdown, want string }{
		{"Otters swim well [S1:120].", "Otters swim well. {id S1 120}"},
		{"Otters swim well [S1:120-128].", "Otters swim well. {id S1 120-128}"},
		{"Otters swim well [S1:120,140; S3:7].", "Otters swim well. {id S1 120,140} {id S3 7}"},
		{"Otters swim well [S1:120–128, 140].", "Otters swim well. {id S1 120-128,140}"},
		{"Otters swim well [S1, S3:7].", "Otters swim well. {id S1 } {id S3 7}"},
		{"Otters swim well. [S1:120][S2:4] Herons wait.", "Otters swim well. {id S1 120} {id S2 4}|Herons wait."},
		{"Otters swim well (S1:120).", "Otters swim well. {id S1 120}"},
		{"Otters swim well [S1:L120-L128].", "Otters swim well. {id S1 120-128}"},
		{"Otters swim well [S1, lines 120–128].", "Otters swim well. {id S1 120-128}"},
		{"Otters swim well [S1:page=3].", "Otters swim well. {id S1 page=3}"},
		{"水獭游得很快（S1：120，140）。", "水獭游得很快。 {id S1 120,140}"},
		{"Otters swim well 【1†L5】 and far 【2†L10-L12】.", "Otters swim well and far. {number 1 5} {number 2 10-12}"},
		{"Otters swim [1, line 3; 2, lines 4-5] and wait [3: 12].", "Otters swim and wait. {number 1 3} {number 2 4-5} {number 3 }"},
		{"Otters swim well 【S1:5-7】.", "Otters swim well. {id S1 5-7}"},
		{"Otters swim [well](notes.md#L12-L20).", "Otters swim well. {link notes.md 12-20}"},
		{"Otters swim well (notes.md#L12).", "Otters swim well. {link notes.md 12}"},
		{"Otters swim well [docs/my_notes.md#L12-20], it says.", "Otters swim well, it says. {link docs/my_notes.md 12-20}"},
		{"Otters swim well (paper.pdf#page=3), says it.", "Otters swim well, says it. {link paper.pdf page=3}"},
		{"Otters swim [well](paper.pdf#page=3).", "Otters swim well. {link paper.pdf page=3}"},
		{"Otters [swim](docs/a.md) and [wait](../b.txt).", "Otters swim and wait. {link docs/a.md } {link ../b.txt }"},
		{"Otters swim well https://x.org/a.go#L4-L9.", "Otters swim well. {url https://x.org/a.go 4-9}"},
		{"Otters [swim](https://x.org/p#rivers).", "Otters swim. {link https://x.org/p#rivers }"},
		{"Otters [swim](https://x.org/p#:~:text=swim%20well,in%20rivers).", "Otters swim. {link https://x.org/p  swim well … in rivers}"},
		{"Otters [swim](https://x.org/p#top:~:text=they-,swim%2C%20well,-there).", "Otters swim. {link https://x.org/p#top  swim, well}"},
		{"Otters swim https://x.org/p#:~:text=one&text=two%zz.", "Otters swim. {url https://x.org/p  one … two%zz}"},
		{"Otters swim [S1:12](https://x.org/p).", "Otters swim. {link https://x.org/p }"},
		{"The row S1:120 of the table says 12:30 and [1:20] and [sic:4].",
			"The row S1:120 of the table says 12:30 and [1:20] and [sic:4]."},
		{"Write `[S1:4]` or `x = notes` for a line.", "Write [S1:4] or x = notes for a line."},
	}
	for _, tt := range tests {
		var got []string
		d := Parse(tt.markdown)
		for _, s := range d.Sentences {
			text := s.Text
			for _, m := range s.Markers {
				text += " {" + strings.Join([]string{m.Kind, m.Target, m.Lines}, " ")
				if m.Quote != "" {
					text += " " + m.Quote
				}
				text += "}"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.markdown, diff)
		}
		checkDraft(t, tt.markdown, d)
	}
}

func TestLinesOfEntries(t *testing.T) {
	t.Parallel()
	d := Parse("Otters swim [^1]. Herons wait [^2]. Owls hunt [3]. Voles dig [4].\n\n[^1]: S1:120-128\n[^2]: [Notes](notes.md#L4)\n\n" +
		"## References\n\n3. https://x.org/p#:~:text=owls%20hunt\n4. Voles. paper.pdf#page=3\n")
	var got []string
	for _, s := range d.Sentences {
		for _, m := range s.Markers {
			e, _ := d.Entry(m)
			got = append(got, fmt.Sprintf("%s: %s|%s|%s|%s", m.Target, e.ID, e.URL, e.Lines, e.Quote))
		}
	}
	want := []string{"1: S1||120-128|", "2: |notes.md|4|", "3: |https://x.org/p||owls hunt", "4: |paper.pdf|page=3|"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
