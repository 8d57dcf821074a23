package fetch

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// windowsPath begins with a drive: "C:\papers\a.pdf", "c:/papers/a.pdf".
var windowsPath = lazyregexp.New(`^/?[A-Za-z]:[\\/]`)

// fileAddress returns the file: address of a path that was given instead of an address: "/home/ann/a.pdf",
// "~/a.pdf", "C:\a.pdf", or a path after http:// or https:// ("https:///home/ann/a.pdf"). ok is false for anything else.
func fileAddress(raw string) (address string, ok bool) {
	name := raw
	for _, scheme := range []string{"https://", "http://"} {
		rest, found := cutPrefixFold(raw, scheme)
		if found && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "~/") || windowsPath.MatchString(rest)) {
			name = rest
		}
	}
	switch {
	case windowsPath.MatchString(name):
		name = "/" + strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/")
	case strings.HasPrefix(name, "~/") || strings.HasPrefix(name, `~\`):
		home, err := os.UserHomeDir()
		if err != nil {
			return "", false
		}
		name = slashPath(home) + "/" + filepath.ToSlash(name[2:])
	case strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "//"): // //host/page is an address without its scheme
	default:
		return "", false
	}
	return (&url.URL{Scheme: "file", Path: name}).String(), true
}

func cutPrefixFold(s, prefix string) (rest string, found bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
