package verify

import (
	"fmt"
	"strings"
)

// Cause says in one line why the verdict is what it is, the reasons first that no reading can change:
// "fail: 9 sentences cite nothing; 45 are not read yet; 15 of 60 sentences were read, all supported".
func (v Result) Cause() string {
	n := v.Tally
	item := "claim"
	if v.OfDraft {
		item = "sentence"
	}
	var why Counts
	why.Add(v.Dead, "citation leads to nothing that was read", "citations lead to nothing that was read")
	why.Add(n.BadQuotes, item+" quotes words that no cited text has", item+"s quote words that no cited text has")
	why.Add(n.Contradicted, item+" is contradicted by its source", item+"s are contradicted by their sources")
	why.Add(n.Uncited, item+" cites nothing", item+"s cite nothing")
	why.Add(n.Partly+n.NotStated, item+" is partly supported or not in its source", item+"s are partly supported or not in their sources")
	why.Add(len(v.Pending), item+" is not read yet", item+"s are not read yet")
	why.Add(n.NotChecked, item+" cites a text that could not be read", item+"s cite texts that could not be read")
	why.Add(v.Unread(), "cited address was not read", "cited addresses were not read")
	if n.Total() == 0 && v.Dead == 0 {
		why = append(why, "nothing in it is a claim that needs a source")
	}
	read := fmt.Sprintf("%d of %d %ss were read", n.Read(), n.Total(), item)
	switch {
	case n.Read() == 0:
	case n.Supported == n.Read():
		read += ", all supported"
	default:
		read += fmt.Sprintf(", %d supported", n.Supported)
	}
	if v.Verdict == Fail && n.Read() > 0 && v.Groundedness < v.Threshold {
		read += fmt.Sprintf(" (%.0f %% needed)", 100*v.Threshold)
	}
	if n.Total() > 0 {
		why = append(why, read)
	}
	why.Add(n.Own, "is the author's own", "are the author's own")
	return v.Verdict + ": " + strings.Join(why, "; ")
}

// Tolerated returns how many claims are partly supported or not in their sources although the text may pass with them.
func (v Result) Tolerated() int {
	if v.mayPass() {
		return v.Tally.Partly + v.Tally.NotStated
	}
	return 0
}

// mayPass reports whether enough of what is read is supported once all has been read and is.
func (v Result) mayPass() bool {
	return v.Tally.Reaches(v.Threshold, v.open())
}

// Edits names what must be edited before the text can pass, in the order of Cause. What nobody has read yet is not among it.
func (v Result) Edits() []string {
	weak := 0
	if !v.mayPass() {
		weak = v.Tally.Partly + v.Tally.NotStated
	}
	var out []string
	for _, e := range []struct {
		n    int
		what string
	}{{v.Dead, "citations that lead to nothing"}, {v.Tally.BadQuotes, "quotations that no cited text has"}, {v.Tally.Contradicted, "sentences that are contradicted"},
		{len(v.Uncited), "sentences that cite nothing"}, {weak, "sentences that their sources do not say"}} {
		if e.n > 0 {
			out = append(out, e.what)
		}
	}
	return out
}
