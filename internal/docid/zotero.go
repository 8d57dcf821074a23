package docid

import (
	"net/url"
	"path"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// zoteroItem matches the path of the address of a Zotero item, in its current and its earlier form.
var zoteroItem = lazyregexp.New(`^/(?:library/|(groups/\d+/))?items/(?:0_)?([A-Z0-9]{8})/?$`)

// zoteroIdentity returns the identity of an item in a Zotero library, or "" for any other address.
func zoteroIdentity(u *url.URL) string {
	if u.Scheme != "zotero" || u.Host != "select" {
		return ""
	}
	m := zoteroItem.FindStringSubmatch(u.Path)
	switch {
	case m == nil:
		return ""
	case m[1] == "":
		return "zotero:library/" + m[2]
	}
	return "zotero:" + m[1] + m[2]
}

// ZoteroItem returns the zotero://select address that opens an item of a Zotero library in Zotero, or "" if raw is not the
// address of such an item.
func ZoteroItem(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return ""
	}
	id, ok := strings.CutPrefix(zoteroIdentity(u), "zotero:")
	if !ok {
		return ""
	}
	place, key := path.Split(id)
	return "zotero://select/" + place + "items/" + key
}
