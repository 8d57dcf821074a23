package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
)

// FlagLine is a flag of a claim as Result.Flags lists it.
func FlagLine(c Claim, flag string) string {
	return fmt.Sprintf("%s in %q", flag, sanitize.Short(c.Text, 60))
}

// maxLinesNamed bounds the lines that one flag of a draft names.
const maxLinesNamed = 12

// linesWith lists the lines of a draft whose claims have a flag, in brackets. It is empty for claims without lines.
func (v *Result) linesWith(flag string) string {
	var lines []string
	for _, c := range v.Claims {
		if line, _ := c.Place(); line > 0 && slices.Contains(c.Flags, flag) && !slices.Contains(lines, strconv.Itoa(line)) {
			lines = append(lines, strconv.Itoa(line))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return " (lines " + lineList(lines) + ")"
}

// lineList names at most maxLinesNamed lines.
func lineList(lines []string) string {
	more := ""
	if len(lines) > maxLinesNamed {
		lines, more = lines[:maxLinesNamed], ", …"
	}
	return strings.Join(lines, ", ") + more
}

// FlagOwn is the kind of a flag about the author's own statements in a draft.
const FlagOwn = "own_statement"

// ownFlags counts the author's own statements, and names the lines of those that state figures: a source should
// support what is a fact in them. It also counts sentences that are split: checked up to their last citation.
func (v *Result) ownFlags() []string {
	if len(v.Own) == 0 {
		return nil
	}
	counts := map[string]int{}
	split, facts := 0, 0
	var lines []string
	for _, c := range v.Own {
		counts[c.Sentence.Own]++
		if c.Sentence.Split {
			split++
		}
		if c.Sentence.Own == draft.OwnInference && strings.ContainsFunc(c.Text, unicode.IsDigit) {
			facts++
			if line := strconv.Itoa(c.Sentence.Line); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	var parts []string
	for _, kind := range []struct{ own, one string }{{draft.OwnInference, "inferences"}, {draft.OwnAbsence, "of what the sources do not say"}, {draft.OwnOpen, "open questions"}} {
		if n := counts[kind.own]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind.one))
		}
	}
	out := []string{fmt.Sprintf("%s: %d sentences are the author's own (%s); they are not checked and count neither way", FlagOwn, len(v.Own), strings.Join(parts, ", "))}
	if split > 0 {
		out = append(out, fmt.Sprintf("%s: %d sentences both cite and infer; they are checked up to the last citation, and the rest is the author's own", FlagOwn, split))
	}
	if facts > 0 {
		out = append(out, fmt.Sprintf("%s: %d inferences state figures; cite the source of those that are facts (lines %s)", FlagOwn, facts, lineList(lines)))
	}
	return out
}
