package sanitize

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Link returns an address that a page may link to, or "". It must be http or https, have a host, and have no user
// information (https://example.org@elsewhere.example is an address of elsewhere.example).
func Link(raw string) string {
	raw = strings.TrimSpace(raw)
	if strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) || changesDirection(r) }) || !utf8.ValidString(raw) {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Hostname() == "" ||
		strings.ContainsAny(u.Hostname(), "<>()\"'`{}|\\^%$&+,;=*! \t") {
		return ""
	}
	return loose.Replace(u.String())
}

// loose escapes characters that net/url accepts in a query although no address may contain them.
var loose = strings.NewReplacer(`"`, "%22", "<", "%3C", ">", "%3E", " ", "%20",
	"`", "%60", "{", "%7B", "}", "%7D", "|", "%7C", `\`, "%5C", "^", "%5E")
