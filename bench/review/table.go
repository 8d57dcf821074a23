package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// figures count the statuses of a group of claims, by label.
type figures struct{ n, grounded, unsupported [2]int }

func count(claims []claim, statuses map[string]string) figures {
	var f figures
	for _, c := range claims {
		f.n[c.Supported]++
		switch statuses[c.ID] {
		case loopstate.Grounded:
			f.grounded[c.Supported]++
		case loopstate.Unsupported:
			f.unsupported[c.Supported]++
		}
	}
	return f
}

// pendingOnly names the verdicts in which claims that are grounded by wording stay grounded for any answer of the
// reader.
const pendingOnly = "both keys, samples ignored"

const columns = "true / false | false grounded | true grounded | true unsupported | precision of grounded |"

func (f figures) row(name string) string {
	return fmt.Sprintf("| %s | %d / %d | %s | %s | %s | %s |\n", name, f.n[1], f.n[0], percent(f.grounded[0], f.n[0]),
		percent(f.grounded[1], f.n[1]), percent(f.unsupported[1], f.n[1]), percent(f.grounded[1], f.grounded[0]+f.grounded[1]))
}

func percent(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// write prints the verdicts of both keys as Markdown.
func (out outcome) write(w io.Writer) {
	fmt.Fprintf(w, "| verdicts | %s\n| --- | --- | --- | --- | --- | --- |\n", columns)
	fmt.Fprint(w, count(out.claims, out.first).row("key 1, wording"), count(out.claims, out.both).row("**both keys**"), count(out.claims, out.unsampled).row(pendingOnly))
	if len(out.unread) > 0 {
		fmt.Fprintf(w, "\nOnly the claims of the answered batches are counted. Not answered: %s.\n", strings.Join(out.unread, ", "))
	}
	fmt.Fprintf(w, "\nCharacters, each passage once: %d for an item; %d for a pending claim, its share of the other items included.\n",
		out.chars/max(out.items, 1), out.chars/max(out.pending, 1))
	f := count(out.claims, out.first)
	fmt.Fprintf(w, "Claims that wording grounds: %d, of which the reader saw %d in the samples.\n", f.grounded[0]+f.grounded[1], out.sampled)
	fmt.Fprintf(w, "Flags: %d disputed, %d overruled.\n", out.flags[loopstate.FlagDisputed], out.flags[loopstate.FlagOverruled])

	fmt.Fprintf(w, "\n| both keys | %s\n| --- | --- | --- | --- | --- | --- |\n", columns)
	for _, group := range []struct {
		name string
		of   func(claim) string
	}{{"language", func(c claim) string { return c.Lang }}, {"kind", func(c claim) string { return c.Kind }}} {
		members := map[string][]claim{}
		for _, c := range out.claims {
			members[group.of(c)] = append(members[group.of(c)], c)
		}
		for _, name := range slices.SortedFunc(maps.Keys(members), func(a, b string) int {
			if group.name == "kind" && members[a][0].Supported != members[b][0].Supported {
				return members[b][0].Supported - members[a][0].Supported // true kinds first
			}
			return strings.Compare(a, b)
		}) {
			fmt.Fprint(w, count(members[name], out.both).row(group.name+" "+name))
		}
	}

	fmt.Fprint(w, "\n| batch | items | planted errors caught | controls passed | quotes not found | status |\n| --- | --- | --- | --- | --- | --- |\n")
	void := 0
	var planted, controls loopstate.Tally
	for _, b := range out.batches {
		fmt.Fprintf(w, "| %s | %d | %d of %d | %d of %d | %d | %s |\n", b.Batch, len(b.Items), b.planted.Good, b.planted.N, b.controls.Good, b.controls.N, b.unquoted, b.status)
		planted, controls = sum(planted, b.planted), sum(controls, b.controls)
		if b.status != loopstate.BatchCounted {
			void++
		}
	}
	fmt.Fprintf(w, "| all | %d | %d of %d | %d of %d | | %d of %d do not count |\n", out.items, planted.Good, planted.N, controls.Good, controls.N, void, len(out.batches))
}

func sum(a, b loopstate.Tally) loopstate.Tally {
	return loopstate.Tally{N: a.N + b.N, Good: a.Good + b.Good}
}

// writeErrors lists the false claims that are grounded, and the true ones that are not.
func (out outcome) writeErrors(w io.Writer) {
	fmt.Fprint(w, "\n| claim | kind | key 1 | both keys | answer | quote |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, c := range out.claims {
		if status := out.both[c.ID]; grounded(status) != (c.Supported == 1) {
			a := out.answers[c.ID]
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", c.ID, c.Kind, out.first[c.ID], status, a.Answer, a.Quote)
		}
	}
}
