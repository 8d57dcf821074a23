package grounding

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// draftsDir holds other people's reports, read in place and never copied; without it the test is skipped.
const draftsDir = "../../../shared/data/drafts"

// counted is what a draft holds, by a count that shares no code with the reader.
type counted struct {
	marks    []countedMark
	list     map[string]string // number -> address, of the list at the end
	listLine int               // its first line, from 1
	headings map[int]bool
	talk     map[int]bool // lines of nothing but narration of the search
}

type countedMark struct {
	line, column int
	numbers      []string
	before       string // the last letters before the mark on its line, or ""
}

var (
	countMark    = regexp.MustCompile(`\[(\d{1,3}(?:\s*[,，]\s*\d{1,3})*)\]`)
	countEntry   = regexp.MustCompile(`^\[(\d{1,3})\] (https?://\S+)`)
	countList    = regexp.MustCompile(`^(参考文献[：:]?|References:?)$`)
	countHeading = regexp.MustCompile(`^#{1,6} `)
	countTalk    = regexp.MustCompile(`(?i)\b(let me|let's|let us|I'll|I will|I need to|I should|I want to|I have to|I'd like to|we need to) (\w+ ){0,4}(search|look|research|find|gather|get|explore|investigate|check|examine|query|continue|begin|start|conduct)|(让我|我将|我会|我需要|我还需要|我想|我再|再|继续|让我们|我先)[^。]{0,16}(搜索|查找|检索|查询|获取|了解|寻找|收集|搜集|调研|调查|补充)`)
)

func count(markdown string) counted {
	c := counted{list: map[string]string{}, headings: map[int]bool{}, talk: map[int]bool{}}
	lines := strings.Split(markdown, "\n")
	for i, l := range lines {
		if countList.MatchString(strings.TrimSpace(l)) && i+1 < len(lines) && countEntry.MatchString(lines[i+1]) {
			c.listLine = i + 1
		}
	}
	fenced := false
	for i, l := range lines {
		switch {
		case c.listLine > 0 && i+1 > c.listLine:
			if m := countEntry.FindStringSubmatch(l); m != nil {
				c.list[m[1]] = m[2]
			}
			continue
		case strings.HasPrefix(strings.TrimSpace(l), "```"):
			fenced = !fenced
			continue
		case fenced:
			continue
		case countHeading.MatchString(l):
			c.headings[i+1] = true
		case countTalk.MatchString(l) && !countMark.MatchString(l):
			c.talk[i+1] = true
		}
		for _, m := range countMark.FindAllStringSubmatchIndex(l, -1) {
			mark := countedMark{line: i + 1, column: len([]rune(l[:m[0]])) + 1}
			mark.numbers = append(mark.numbers, strings.FieldsFunc(l[m[2]:m[3]], func(r rune) bool { return r < '0' || r > '9' })...)
			words := strings.FieldsFunc(countMark.ReplaceAllString(l[:m[0]], " "), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if len(words) > 0 {
				last := []rune(words[len(words)-1])
				mark.before = string(last[max(0, len(last)-4):])
			}
			c.marks = append(c.marks, mark)
		}
	}
	return c
}

// TestRealDrafts holds what is asked of the reader: of the marks of the body at least 99 % found, on their
// sentence and line, leading to the address that the list gives, on a claim; and no claim that is a line of the
// list, a heading or talk about the search.
func TestRealDrafts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(draftsDir, "*.md"))
	if err != nil || len(files) == 0 {
		t.Skip("the real drafts are not here")
	}
	const least = 0.99
	var marks, found, placed, led, claimed, wrong int
	for _, file := range files {
		name := filepath.Base(file)
		if name == "README.md" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, got := count(string(data)), ParseDraft(string(data))
		lines := linesOf(string(data))
		type place struct {
			line, column int
			target       string
		}
		type where struct {
			*DraftSentence
			address string
		}
		at := map[place]where{}
		for i := range got.Sentences {
			s := &got.Sentences[i]
			for _, m := range s.Markers {
				entry, _ := got.Entry(m)
				at[place{m.Line, m.Column, m.Target}] = where{s, entry.URL}
			}
			what := ""
			switch {
			case !s.IsClaim:
			case want.listLine > 0 && s.Line >= want.listLine:
				what = "a line of the list"
			case want.headings[s.Line]:
				what = "a heading"
			case want.talk[s.Line] && countTalk.MatchString(s.Text):
				what = "talk about the search"
			}
			if what != "" {
				wrong++
				t.Errorf("%s:%d %s is a claim: %q", name, s.Line, what, s.Text)
			}
		}
		for _, m := range want.marks {
			for _, number := range m.numbers {
				marks++
				s := at[place{m.line, m.column, number}]
				if s.DraftSentence == nil {
					t.Logf("%s:%d:%d [%s] not found", name, m.line, m.column, number)
					continue
				}
				found++
				if s.Line <= m.line && m.line <= lines[s.End-1] && strings.Contains(s.Text, m.before) || m.before == "" {
					placed++
				} else {
					t.Logf("%s:%d:%d [%s] behind %q, on the sentence of line %d %q", name, m.line, m.column, number, m.before, s.Line, s.Text)
				}
				if s.IsClaim {
					claimed++
				} else {
					t.Logf("%s:%d:%d [%s] on no claim: %q", name, m.line, m.column, number, s.Text)
				}
				if a := want.list[number]; a == "" || s.address == a {
					led++
				} else {
					t.Logf("%s [%s] leads to %q, the list has %q", name, number, s.address, a)
				}
			}
		}
	}
	t.Logf("of %d marks %d found, %d on their sentence, %d to their address, %d on a claim; %d false claims", marks, found, placed, led, claimed, wrong)
	for what, n := range map[string]int{"found": found, "on their sentence and line": placed, "leading to the address of the list": led, "on a claim": claimed} {
		if float64(n) < least*float64(marks) {
			t.Errorf("%d of %d marks %s, want at least %.0f %%", n, marks, what, 100*least)
		}
	}
}

// linesOf returns the line, from 1, of each code point.
func linesOf(text string) []int {
	var out []int
	line := 1
	for _, r := range text {
		out = append(out, line)
		if r == '\n' {
			line++
		}
	}
	return out
}
