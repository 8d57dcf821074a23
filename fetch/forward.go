package fetch

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	maxForwards     = 4        // of one reading
	maxForwardDelay = 15       // seconds; pages that are shown for longer are meant to be read
	forwardBytes    = 64 << 10 // of a page that are searched
)

var refresh = lazyregexp.New(`(?is)^\s*(\d{0,6})(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?["']?\s*([^"']*)`)

// forwarding returns where a short page sends its readers by the header Refresh or a meta element, also one inside of noscript,
// or nil.
func forwarding(header http.Header, body []byte, at *url.URL) *url.URL {
	base, said := at, header.Get("Refresh")
	page, err := html.ParseWithOptions(bytes.NewReader(body[:min(len(body), forwardBytes)]), html.ParseOptionEnableScripting(false))
	if err != nil { // nested too deeply
		page = &html.Node{}
	}
	for n := range page.Descendants() {
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		switch {
		case n.DataAtom == atom.Base && base == at:
			if u, err := at.Parse(attr["href"]); err == nil {
				base = u
			}
		case n.DataAtom == atom.Meta && said == "" && strings.EqualFold(attr["http-equiv"], "refresh"):
			said = attr["content"]
		}
	}
	m := refresh.FindStringSubmatch(said)
	if m == nil || m[2] == "" {
		return nil
	}
	to, err := base.Parse(strings.TrimSpace(m[2]))
	if delay, _ := strconv.Atoi(m[1]); err != nil || delay > maxForwardDelay {
		return nil
	}
	if to, err = address.Check(to); err != nil {
		return nil
	}
	to.Fragment, to.RawFragment = "", ""
	return to
}
