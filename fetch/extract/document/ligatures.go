package document

import "strings"

var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// SplitLigatures writes the ligatures of typesetting as the letters that they are drawn from: no keyboard writes them, so
// a search for the word would miss it.
func SplitLigatures(s string) string {
	if !strings.Contains(s, "\xef\xac") { // the first bytes of all of them
		return s
	}
	return ligatures.Replace(s)
}
