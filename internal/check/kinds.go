package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Kind is the kind of a finding.
type Kind string

// The kinds of findings, worst first.
const (
	Hallucinated Kind = "hallucinated"
	Quote        Kind = "quote"
	Contradicted Kind = "contradicted" // counts as unsupported, too
	Unsupported  Kind = "unsupported"
	Uncited      Kind = "uncited"
	Mistitled    Kind = "mistitled"
	Addressed    Kind = sanitize.InjectionFlag
	Noted        Kind = "remark"
	NotRead      Kind = "not_read"
	Unread       Kind = "unread"
	NewReading   Kind = "new_reading"
)

// kinds are the kinds with their texts for the rules of SARIF, worst first.
var kinds = []struct {
	kind        Kind
	level       string // error, warning or note
	short, long string
}{
	{Hallucinated, "error", "A citation leads to nothing",
		"The mark names an entry that the list of references does not have, a source that was never read, lines that its text does not have, or an address at which there is no page. Correct the mark or the address, or find another source."},
	{Quote, "error", "The quoted words are nowhere",
		"None of the texts that the sentence cites has the words in quotation marks. Quote the words of the source, cite the source that has them, or write the sentence without quotation marks."},
	{Contradicted, "error", "The source says otherwise",
		"Somebody who did not write the sentence read it beside the cited lines, and they say something else. Correct the sentence, cite a source that says it, or delete it."},
	{Unsupported, "error", "Not in the source",
		"Somebody who did not write the sentence read it beside the cited lines, and they do not say it. Cite the lines that say it, correct the sentence, or delete it."},
	{Uncited, "error", "A claim without a source",
		"The sentence makes a claim and cites nothing. Cite the source that says it, or delete it."},
	{Mistitled, "warning", "The list gives it another title",
		"The list of references calls the source by a title that the page at its address does not have. The address may belong to another work, or the title may be invented. Correct the entry."},
	{Addressed, "warning", "The passage addresses a model",
		"The passage that the sentence rests on contains or touches text for a language model instead of a reader: it overrides instructions, assigns a role, or asks to hide something from the user. Read the source yourself before you rely on it."},
	{Noted, "warning", "Look at this sentence",
		"Sentence and source differ in a way that can be seen: a number, date or name that the cited lines lack, a negation, a changed quotation, another number in an equal sentence, or a part that a reader did not find. This is no verdict: look at the cited lines."},
	{NotRead, "note", "A cited source could not be read",
		"The address could not be read, so its citations are not checked: it may be down, blocked, behind a paywall, or of an unsupported type. Try again, or provide the text with a corpus folder or a loop."},
	{Unread, "note", "Not read yet",
		"Nobody has read the sentence beside the cited lines. Have it read by a model, an agent or a person who did not write it."},
	{NewReading, "note", "Its reading is new in this change",
		"The change itself adds to citeloop.lock that somebody has read this sentence. A lock is a memory that a reviewer approves; it proves nothing against its author. The reading counts with --trust-new, or once a reader of CI's own repeats it."},
}

// AllKinds lists the kinds, worst first.
func AllKinds() []Kind {
	var all []Kind
	for _, row := range kinds {
		all = append(all, row.kind)
	}
	return all
}

// DefaultFailOn returns the kinds that make a draft fail by default: the errors.
func DefaultFailOn() []Kind {
	return []Kind{Hallucinated, Quote, Contradicted, Unsupported, Uncited}
}

// ParseKinds reads a list of kinds such as "unsupported,uncited", or "all", or "none".
func ParseKinds(list string) ([]Kind, error) {
	switch strings.TrimSpace(list) {
	case "none":
		return []Kind{}, nil
	case "all":
		return AllKinds(), nil
	}
	var out []Kind
	for word := range strings.SplitSeq(list, ",") {
		kind := Kind(strings.TrimSpace(word))
		if !slices.Contains(AllKinds(), kind) {
			return nil, fmt.Errorf("unknown finding %q: use %s, all or none", string(kind), KindWords())
		}
		if !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out, nil
}

// KindWords lists the kinds in words.
func KindWords() string {
	var words []string
	for _, k := range AllKinds() {
		words = append(words, string(k))
	}
	return strings.Join(words, ", ")
}

// meaning describes a kind.
func (k Kind) meaning() (level, short, long string) {
	for _, row := range kinds {
		if row.kind == k {
			return row.level, row.short, row.long
		}
	}
	return "", "", ""
}
