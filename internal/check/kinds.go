package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Kind is the kind of a finding. docs/verdicts.md has a heading for each.
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

// kinds are the kinds with their levels and what they mean, worst first.
var kinds = []struct {
	kind         Kind
	level, short string // level: error, warning or note
}{
	{Hallucinated, "error", "A citation leads to nothing"},
	{Quote, "error", "The quoted words are nowhere"},
	{Contradicted, "error", "The source says otherwise"},
	{Unsupported, "error", "Not in the source"},
	{Uncited, "error", "A claim without a source"},
	{Mistitled, "warning", "The list gives it another title"},
	{Addressed, "warning", "The passage addresses a model"},
	{Noted, "warning", "Look at this sentence"},
	{NotRead, "note", "A cited source could not be read"},
	{Unread, "note", "Not read yet"},
	{NewReading, "note", "Its reading is new in this change"},
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
func DefaultFailOn() []Kind { return []Kind{Hallucinated, Quote, Contradicted, Unsupported, Uncited} }

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
			known := strings.Trim(strings.ReplaceAll(fmt.Sprint(AllKinds()), " ", ", "), "[]")
			return nil, fmt.Errorf("unknown finding %q: use %s, all or none", string(kind), known)
		}
		out = append(out, kind)
	}
	return out, nil
}

// meaning describes a kind.
func (k Kind) meaning() (level, short string) {
	for _, row := range kinds {
		if row.kind == k {
			return row.level, row.short
		}
	}
	return "", ""
}
