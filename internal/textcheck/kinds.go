package textcheck

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is the kind of a finding.
type Kind string

// The kinds of findings, worst first.
const (
	// Hallucinated: a citation does not resolve: no such entry in the list of references, no such source, or no page at the
	// address.
	Hallucinated Kind = "hallucinated"
	// Unsupported: the cited texts do not state it.
	Unsupported Kind = "unsupported"
	// Contradicted: the cited texts state something else. Such a sentence is unsupported as well.
	Contradicted Kind = "contradicted"
	// Uncited: a sentence makes a claim and cites nothing.
	Uncited Kind = "uncited"
	// Conflict: two cited texts give different values for one quantity of a claim.
	Conflict Kind = "conflict"
	// Mistitled: a list of references has another title for a source than its page.
	Mistitled Kind = "mistitled"
	// Addressed: the passage contains or touches text that addresses a model.
	Addressed Kind = "addresses_the_model"
	// Inferred: wording does not decide it; it waits for review.
	Inferred Kind = "inferred"
	// NotRead: a cited address could not be read.
	NotRead Kind = "not_read"
)

// AllKinds lists the kinds, worst first.
func AllKinds() []Kind {
	var all []Kind
	for _, row := range kinds {
		all = append(all, row.kind)
	}
	return all
}

// DefaultFailOn returns the kinds that make a draft fail by default.
func DefaultFailOn() []Kind { return []Kind{Hallucinated, Contradicted, Unsupported, Uncited} }

// DefaultThreshold is the minimum share of grounded and waiting sentences for a pass.
const DefaultThreshold = 0.8

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

// kinds are the kinds with their texts for the rules of SARIF, worst first.
var kinds = []struct {
	kind        Kind
	level       string // error, warning or note
	short, long string
}{
	{Hallucinated, "error", "A citation leads to nothing",
		"The mark names an entry that the list of references does not have, a source that was never read, or an address at which there is no page. A citation that cannot be followed supports nothing. Correct the mark or the address, or find another source."},
	{Contradicted, "error", "The cited text says otherwise",
		"The texts that the sentence cites were read, and they say something else: another number, the opposite, another name. The differences show the words of both. Correct the sentence, cite a source that says it, or delete it."},
	{Unsupported, "error", "The cited text does not say it",
		"The texts that the sentence cites were read, and nothing in them says it. Correct the sentence, cite the source that says it, or delete it."},
	{Uncited, "warning", "A claim without a source",
		"The sentence makes a claim and cites nothing. Cite the source that says it, or delete it."},
	{Conflict, "warning", "Two sources disagree on a number",
		"Two cited texts give different values for one quantity of the sentence. State which value is used and why, or report both."},
	{Mistitled, "warning", "The list gives it another title",
		"The list of references calls the source by a title that the page at its address does not have. The address may belong to another work, or the title may be invented. Correct the entry."},
	{Addressed, "warning", "The passage addresses a model",
		"The passage that supports the sentence contains or touches text for a language model instead of a reader: it overrides instructions, assigns a role, or asks to hide something from the user. The source may have been written to be cited. Read it yourself before you rely on it."},
	{Inferred, "note", "Waiting for review",
		"The wording does not decide whether the cited texts say it: an honest paraphrase, or parts that no single passage holds. Read the passage, have it reviewed, or use the words of the source."},
	{NotRead, "note", "A cited source could not be read",
		"The address could not be read, so its citations are not checked: it may be down, blocked, behind a paywall, or of an unsupported type. Try again, or provide the text with a corpus folder or a loop."},
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
