package document

import (
	"errors"
	"regexp"
)

// ErrUnsupported is what Extraction answers for a type that is not read. The error that wraps it names the
// type and those that are read.
var ErrUnsupported = errors.New("unsupported type")

// Extraction is a document and what its page says that is not part of it: the signs by which a reader tells a
// source from a wall, a shell or a page that is missing.
type Extraction struct {
	Document
	NotFree     bool   // the page declares that it is not free to read
	NeedsScript bool   // the page says that it needs JavaScript
	HasScripts  bool   // the page has scripts that run, not data alone
	ForwardsTo  string // where a refresh of the page leads
	Shown       string // the beginning of what an HTML page shows, its frame included
	ShownChars  int    // code points of all that it shows
}

var scriptWords = regexp.MustCompile(`(?i)(enable|turn on|activate|requires?|needs?|without|allow) (your )?java ?script|java ?script (is |seems to be )?(disabled|not enabled|required|must be enabled|needs to be enabled)|java ?script (aktivieren|activé)|activer javascript|habilit(e|ar) (el )?javascript|unsupported browser|(your|this) browser is (not supported|out of date|no longer supported)|java ?script is (turned off|blocked)|please enable js|loading\.{3}$|habilite o javascript|abilita(re)? javascript`)

// AsksForScripts reports words that ask to turn JavaScript on.
func AsksForScripts(text string) bool { return scriptWords.MatchString(text) }
