package fetch

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	maxForwards     = 4        // of one reading
	maxForwardDelay = 15       // seconds; pages that are shown for longer are meant to be read
	forwardBytes    = 64 << 10 // of a page that are searched
)

var (
	refresh   = lazyregexp.New(`(?is)^\s*(\d{0,6})(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?["']?\s*([^"']*)`)
	scriptsTo = lazyregexp.New(`(?:\blocation(?:\.href)?\s*=|\blocation\.(?:replace|assign)\(|window\.open\()\s*["']([^"'\s]{1,900})["']`)
)

// forwarding returns where a short page sends its readers: by the header Refresh or a meta element, also one inside of
// noscript, and the address that a script of the page goes to. Either may be nil.
func forwarding(header http.Header, body []byte, at *url.URL) (to, script *url.URL) {
	base, said := at, header.Get("Refresh")
	scan(bytes.NewReader(body[:min(len(body), forwardBytes)]), func(name, text string, attr map[string]string) {
		switch {
		case name == "base" && base == at:
			if u, err := at.Parse(attr["href"]); err == nil {
				base = u
			}
		case name == "meta" && said == "" && strings.EqualFold(attr["http-equiv"], "refresh"):
			said = attr["content"]
		case name == "script" && script == nil:
			if m := scriptsTo.FindStringSubmatch(text); m != nil {
				script = resolved(base, m[1])
			}
		}
	})
	if m := refresh.FindStringSubmatch(said); m != nil && m[2] != "" {
		if delay, _ := strconv.Atoi(m[1]); delay <= maxForwardDelay {
			to = resolved(base, strings.TrimSpace(m[2]))
		}
	}
	return to, script
}

func resolved(base *url.URL, ref string) *url.URL {
	u, err := base.Parse(ref)
	if err != nil {
		return nil
	}
	if u, err = address.Check(u); err != nil {
		return nil
	}
	u.Fragment, u.RawFragment = "", ""
	return u
}

// scan calls see for each start tag with its attributes, and for the text in each script. It looks inside of noscript.
func scan(r interface{ Read([]byte) (int, error) }, see func(name, text string, attr map[string]string)) {
	z := html.NewTokenizer(r)
	z.SetMaxBuf(forwardBytes)
	last := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			switch last {
			case "script":
				see("script", string(z.Raw()), nil)
			case "noscript":
				if text := z.Raw(); bytes.IndexByte(text, '<') >= 0 {
					last = ""
					scan(bytes.NewReader(text), see)
				}
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			attr := make(map[string]string, len(t.Attr))
			for _, a := range t.Attr {
				attr[a.Key] = a.Val
			}
			if last = t.Data; last != "script" {
				see(last, "", attr)
			}
		default:
			last = ""
		}
	}
}
