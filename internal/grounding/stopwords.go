package grounding

import (
	"sync"

	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

func isStop(word string) bool  { return stopSet()[word] }
func isPlain(word string) bool { return plainSet()[word] }

var (
	stopSet  = sync.OnceValue(func() map[string]bool { return wordlist.Set("stop", "") })
	plainSet = sync.OnceValue(func() map[string]bool { return wordlist.Set("plain", "") })
)
