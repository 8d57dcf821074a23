package grounding

import (
	"regexp"
	"sync"
)

// compiled returns a function that compiles a pattern on its first call. The patterns of drafts take most of the start of a
// process that may never read one.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
