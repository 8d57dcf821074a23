package hooks

import (
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// maxCommandBytes bounds a command that is read (chosen: longer ones are programs).
const maxCommandBytes = 4096

// commandsOf splits a command of a shell into its simple commands, each a list of words. Words whose meaning is not in their
// letters, such as variables and patterns, are left out. It need not understand more: a file counts only if its lines stand
// in the output, so that a word too many proves nothing, and a word too few costs one call of fetch.
func commandsOf(command string) (all [][]string) {
	if len(command) > maxCommandBytes {
		return nil
	}
	var words []string
	var word strings.Builder
	open, odd := false, false // a word has begun, perhaps an empty quoted one; it means more than its letters
	quote := byte(0)
	endWord := func() {
		if open && !odd {
			words = append(words, word.String())
		}
		word.Reset()
		open, odd = false, false
	}
	endCommand := func() {
		if endWord(); len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
			continue
		case quote == '\'':
		case c == '\\' && i+1 < len(command) && (quote == 0 || strings.IndexByte("$`\"\\", command[i+1]) >= 0):
			i++
			c = command[i]
		case c == '$' || c == '`':
			odd = true
		case quote == '"':
		case c == '\'' || c == '"':
			quote, open = c, true
			continue
		case c == ' ' || c == '\t':
			endWord()
			continue
		case strings.IndexByte("\n;|&()", c) >= 0:
			endCommand()
			continue
		case strings.IndexByte("*[{}<>!", c) >= 0, !open && (c == '~' || c == '#'):
			odd = true
		case c == '?' && !strings.HasPrefix(word.String(), "http"): // no file has such a name
			odd = true
		}
		word.WriteByte(c)
		open = true
	}
	if quote != 0 {
		return nil
	}
	endCommand()
	return all
}

// readers are the commands that show lines of files as they are.
var readers = []string{"cat", "nl", "head", "tail", "sed", "grep", "egrep", "fgrep", "rg"}

// curlOption matches the options with which curl prints a page, and sends nothing of the user's.
var curlOption = lazyregexp.New(`^(?:-[sSLfkgN46]+|--(?:silent|show-error|location|fail|compressed))$`)
