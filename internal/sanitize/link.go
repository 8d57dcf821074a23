package foreign

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Link is an address that a page may lead to: http or https, with a host, without a name or a password before it
// (https://example.org@elsewhere.example leads elsewhere); else "".
func Link(raw string) string {
	raw = strings.TrimSpace(raw)
	if strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) || Turns(r) }) || !utf8.ValidString(raw) {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Hostname() == "" || strings.ContainsAny(u.Hostname(), "<>()\"'`{}|\\^%$&+,;=*! \t") {
		return ""
	}
	return loose.Replace(u.String())
}

// loose are characters that net/url lets through in a query, though no address may hold them.
var loose = strings.NewReplacer(`"`, "%22", "<", "%3C", ">", "%3E", " ", "%20", "`", "%60", "{", "%7B", "}", "%7D", "|", "%7C", `\`, "%5C", "^", "%5E")
