package docid

import "slices"

// Source types: peer-reviewed, primary or official, reputable press, practitioner.
var sourceTypes = []string{"peer", "primary", "press", "practitioner"}

// SourceTypes returns the source types, strongest first.
func SourceTypes() []string { return slices.Clone(sourceTypes) }

// ValidSourceType reports whether s is a source type, or empty for unknown.
func ValidSourceType(s string) bool { return s == "" || slices.Contains(sourceTypes, s) }
