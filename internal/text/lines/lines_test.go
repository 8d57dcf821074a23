package lines

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseRanges(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"120", "120"}, {"120-128", "120-128"}, {"120–128", "120-128"}, {"120,140", "120,140"}, {" 140 , 120-128 ", "120-128,140"},
		{"L12-L20", "12-20"}, {"3,4,5", "3-5"}, {"7-9,8-12", "7-12"},
		{"", ""}, {"0", ""}, {"9-3", ""}, {"-3", ""}, {"+3", ""}, {"a", ""}, {"1,,2", ""}, {"1-2-3", ""}, {"page=3", ""},
		{"99999999999999999999", ""},
	} {
		r, ok := ParseRanges(tt.in)
		if r.String() != tt.want || ok != (tt.want != "") {
			t.Errorf("%q: %q, %v; want %q", tt.in, r, ok, tt.want)
		}
	}
	if _, ok := ParseRanges(strings.Repeat("1,", maxRanges) + "1"); ok {
		t.Error("more ranges than the limit")
	}
}

const sample = `---
title: Lamps
---
# Harbour

The lamp burns oil and has done
so since it was built.

It has three parts:

- the wick, which
  is changed daily
- the glass

## Costs

Year | Oil
1901 | 40
1902 | 45

<!-- template: remove -->

Last words
`

// Each line leads to its block, with the headings and what introduces it.
func TestBlocksAndContexts(t *testing.T) {
	text := New(sample)
	for _, tt := range []struct {
		line           int
		first, last    int
		kind           Kind
		headings, lead string
	}{
		{2, 1, 3, Front, "", ""},
		{4, 4, 4, Heading, "", ""},
		{7, 6, 7, Paragraph, "Harbour", ""},
		{12, 11, 12, Item, "Harbour", "It has three parts:"},
		{13, 13, 13, Item, "Harbour", "It has three parts:"},
		{17, 17, 17, Row, "Harbour > Costs", ""},
		{19, 19, 19, Row, "Harbour > Costs", "Year | Oil"},
		{21, 21, 21, Comment, "Harbour > Costs", ""},
		{23, 23, 23, Paragraph, "Harbour > Costs", ""},
	} {
		blocks := text.Blocks(Ranges{{tt.line, tt.line}})
		if len(blocks) != 1 {
			t.Errorf("line %d: %d blocks", tt.line, len(blocks))
			continue
		}
		b := blocks[0]
		headings, lead := text.Context(b)
		if b.First != tt.first || b.Last != tt.last || b.Kind != tt.kind || headings != tt.headings || lead != tt.lead {
			t.Errorf("line %d: lines %d-%d of kind %d below %q with %q", tt.line, b.First, b.Last, b.Kind, headings, lead)
		}
	}
	if n := text.Len(); n != 23 {
		t.Errorf("%d lines", n)
	}
	if got := text.Outline(); len(got) != 2 || got[1] != (OutlineEntry{15, 2, "Costs"}) {
		t.Errorf("outline %v", got)
	}
	if text.Has(Ranges{{24, 24}}) || !text.Has(Ranges{{1, 23}}) {
		t.Error("which lines there are")
	}
}

// Headings of extracted pages have no mark: short lines between blank ones.
func TestOutline(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"reStructuredText": {"..\n   Free.\n\n.. _lamps:\n\n=====\nLamps\n=====\n\nText.\n\nOil\n~~~\n\nMore " +
			"text.\n\n.. code-block:: ini\n\n   [oil]\n\nGas\n^^^\n\nThe end of it.\n", []string{"Lamps", "Oil", "Gas"}},
		"Markdown, where a line alone is none": {"# Lamps\n\n## Oil\n\nwhale\n\nThe best.\n\n**Price**\n\nHigh.\n",
			[]string{"Lamps", "Oil", "Price"}},
		"a sentence and a question": {"Title of it\n\nA sentence stands here.\n\nWhat next?\n\nAnother sentence.",
			[]string{"Title of it", "What next?"}},
		"a page without marks": {"Lamps\n\nText of lamps.\n\nOil\n\nWhale.\n\n#\n#\n\nEnd.\n", []string{"Lamps", "Oil"}},
	} {
		var got []string
		for _, h := range New(tt.text).Outline() {
			got = append(got, strings.Trim(h.Heading, "*"))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A long line is a paragraph of its own, and an unclosed fence or comment ends with the text.
func TestBlockBounds(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, tt := range []struct {
		text string
		want int
	}{
		{long + "\n" + long, 2}, {"```\na\nb\n\nc", 2}, {"<!-- open\nmore of it, with a full stop.", 1}, {"", 0}, {"\n\n", 0},
	} {
		if got := len(New(tt.text).Blocks(nil)); got != tt.want {
			t.Errorf("%.20q: %d blocks", tt.text, got)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add(sample, 7)
	f.Add("a | b\n---|---\n1 | 2", 3)
	f.Fuzz(func(t *testing.T, s string, at int) {
		text := New(s)
		last := 0
		for _, b := range text.Blocks(nil) {
			if b.First <= last || b.Last < b.First || b.Last > len(text.lines) {
				t.Fatalf("block %+v after line %d", b, last)
			}
			last = b.Last
			text.Context(b)
		}
		n := utf8.RuneCountInString(s)
		if at < 0 || at >= n {
			return
		}
		line := text.At(at)
		start, end, shown := text.Span(Range{line, line})
		if at < start || at > end || end-start != utf8.RuneCountInString(shown) {
			t.Fatalf("offset %d is not in line %d, [%d, %d)", at, line, start, end)
		}
	})
}
