package textcheck

import (
	"fmt"
	"slices"
	"strings"
)

// The formats.
const (
	Text   = "text"
	JSON   = "json"
	JSONL  = "jsonl"
	SARIF  = "sarif"
	GitHub = "github"
	HTML   = "html"
)

// Formats lists the formats for the check of drafts, the default first.
func Formats() []string { return []string{Text, JSON, JSONL, SARIF, GitHub, HTML} }

// RowFormats lists the formats for the checks of claims and of receipts.
func RowFormats() []string { return []string{Text, JSON, JSONL} }

// CheckFormat returns an error for an invalid format.
func CheckFormat(format string, valid []string) error {
	if slices.Contains(valid, format) {
		return nil
	}
	if slices.Contains(Formats(), format) {
		return fmt.Errorf("format %s needs a text with findings: use %s", format, strings.Join(valid, ", "))
	}
	return fmt.Errorf("unknown format %q: use %s", format, strings.Join(valid, ", "))
}

// Limits of what a format shows, in code points (chosen).
const (
	textSentenceChars = 240 // of a sentence or a passage on a terminal: three lines
	textAddressChars  = 160
)

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
