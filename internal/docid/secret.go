package docid

import "github.com/citeloop/citeloop/internal/lazyregexp"

var credentials = lazyregexp.New(`(?i)\b([a-z][a-z0-9+.-]*:)(?://|\\\\)[^\s/?#\\"'<>()\[\]]*@`)

// WithoutCredentials drops the names and passwords (https://name:password@host) of all addresses in a text: what is recorded
// is shown, exported and shared.
func WithoutCredentials(text string) string {
	return credentials.ReplaceAllString(text, "$1//")
}
