package draft

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// draftsDir holds other people's reports, read in place and never copied; without it the test is skipped.
const draftsDir = "../../../../shared/data/drafts"

// counted is what a draft holds, by a count that shares no code with the reader.
type counted struct {
	marks    []countedMark
	list     map[string]string // number -> address, of the list at the end
	listLine int               // its first line, from 1
	headings map[int]bool
}

type countedMark struct {
	line, column int
	number       string
}

var (
	countMark    = regexp.MustCompile(`\[(\d{1,3}(?:\s*[,，]\s*\d{1,3})*)\]`)
	countNumber  = regexp.MustCompile(`\d+`)
	countEntry   = regexp.MustCompile(`^\[(\d{1,3})\] (https?://\S+)`)
	countList    = regexp.MustCompile(`^(参考文献[：:]?|References:?)$`)
	countHeading = regexp.MustCompile(`^#{1,6} `)
)

func count(markdown string) counted {
	c := counted{list: map[string]string{}, headings: map[int]bool{}}
	lines := strings.Split(markdown, "\n")
	for i, l := range lines {
		if countList.MatchString(strings.TrimSpace(l)) && i+1 < len(lines) && countEntry.MatchString(lines[i+1]) {
			c.listLine = i + 1
		}
	}
	fenced := false
	for i, l := range lines {
		if m := countEntry.FindStringSubmatch(l); c.listLine > 0 && i+1 > c.listLine {
			if m != nil {
				c.list[m[1]] = m[2]
			}
			continue
		}
		c.headings[i+1] = countHeading.MatchString(l)
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			fenced = !fenced
		}
		for _, m := range countMark.FindAllStringIndex(l, -1) {
			for _, number := range countNumber.FindAllString(l[m[0]:m[1]], -1) {
				if !fenced {
					c.marks = append(c.marks, countedMark{i + 1, len([]rune(l[:m[0]])) + 1, number})
				}
			}
		}
	}
	return c
}

// TestRealDrafts holds what is asked of the reader: of the marks of the body at least 99 % found, in their sentence, leading to
// the address that the list gives, on a claim; and no claim that is a line of the list or a heading.
func TestRealDrafts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(draftsDir, "*.md"))
	if err != nil || len(files) == 0 {
		t.Skip("the real drafts are not here")
	}
	const least = 0.99
	var marks, found, led, claimed int
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) == "README.md" {
			continue
		}
		want, got := count(string(data)), Parse(string(data))
		type where struct {
			claim   bool
			address string
		}
		at := map[countedMark]where{}
		for _, s := range got.Sentences {
			for _, m := range s.Markers {
				entry, _ := got.Entry(m)
				at[countedMark{m.Line, m.Column, m.Target}] = where{s.IsClaim, entry.URL}
			}
			if s.IsClaim && (want.listLine > 0 && s.Line >= want.listLine || want.headings[s.Line]) {
				t.Errorf("%s:%d is a claim: %q", file, s.Line, s.Text)
			}
		}
		for _, m := range want.marks {
			marks++
			mark, ok := at[m]
			if !ok {
				t.Logf("%s:%d:%d [%s] not found", file, m.line, m.column, m.number)
				continue
			}
			found++
			if mark.claim {
				claimed++
			}
			if a := want.list[m.number]; a == "" || mark.address == a {
				led++
			}
		}
	}
	t.Logf("of %d marks %d found, %d to their address, %d on a claim", marks, found, led, claimed)
	if float64(min(found, led, claimed)) < least*float64(marks) {
		t.Errorf("want at least %.0f %%", 100*least)
	}
}
