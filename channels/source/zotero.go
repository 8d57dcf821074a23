package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

// The two APIs.
const (
	zoteroLocal = "http://127.0.0.1:23119/api/"
	zoteroWeb   = "https://api.zotero.org/"
)

var zoteroPlace = lazyregexp.New(`^(?:local|(local/)?((?:users|groups)/[0-9]{1,12}))$`)

// ZoteroURL returns the base address for a value of CITELOOP_ZOTERO: local, local/groups/ID, users/ID or groups/ID.
func ZoteroURL(place string) (string, error) {
	m := zoteroPlace.FindStringSubmatch(place)
	switch {
	case m == nil:
		return "", fmt.Errorf("invalid CITELOOP_ZOTERO=%q: use local, local/groups/ID, users/ID or groups/ID", place)
	case m[2] == "":
		return zoteroLocal + "users/0", nil
	case m[1] != "":
		return zoteroLocal + m[2], nil
	}
	return zoteroWeb + m[2], nil
}

// zoteroKeys is how many items may be named in one request.
const zoteroKeys = 50

// zotero searches the user's library, by the local API of a running Zotero or by the Web API
// (https://www.zotero.org/support/dev/web_api/v3/basics and …/v3/local_api).
type zotero struct{ Recipe }

// search asks for items, and then for those to which a found attachment or note belongs.
func (z zotero) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	code := Code{Values: map[string]string{"words": q.Text}}
	if !strings.HasPrefix(c.Base, zoteroWeb) {
		code.Values["key"] = "" // for zotero.org only
	}
	var found []channels.Result
	keys, parents := map[string]bool{}, []string(nil)
	code.Read = func(body []byte) ([]channels.Result, error) {
		items, err := channels.ReadJSON(body)
		if err == nil && !items.IsArray() {
			err = z.NoList(body)
		}
		for _, item := range items.Array() {
			parent := normal.Text(item, "data.parentItem")
			keys[normal.Text(item, "key")] = true
			if parent != "" {
				parents = append(parents, parent)
			} else if normal.Text(item, "data.itemType") != "note" { // the user's own words
				found = append(found, z.Record(item, gjson.Result{}))
			}
		}
		return nil, err
	}
	if _, err := z.Ask(ctx, c, q, code); err != nil {
		return nil, withRemedy(err)
	}
	parents = slices.DeleteFunc(normal.Distinct(parents...), func(key string) bool { return keys[key] })
	if len(parents) > 0 {
		code.Values["words"], code.Values["ids"] = "", strings.Join(parents[:min(len(parents), zoteroKeys)], ",")
		if _, err := z.Ask(ctx, c, q, code); err != nil {
			return nil, withRemedy(err)
		}
	}
	return byWords(found, normal.Keywords(q.Text)), nil
}

// byWords returns the results with the most words in title and snippet first, without repeats. The API sorts by date. A
// result with none of the words was found by the text of an attachment.
func byWords(found []channels.Result, words []string) []channels.Result {
	ranked := append(containing(found, words), found...)
	seen := map[string]bool{}
	return slices.DeleteFunc(ranked, func(e channels.Result) bool {
		again := seen[e.URL] && e.Title != ""
		seen[e.URL] = true
		return again
	})
}

// withRemedy adds a remedy to the failure of a Zotero that does not run. Those of refusals are in the channel's file.
func withRemedy(err error) error {
	if fail, ok := errors.AsType[*channels.Failure](err); ok && errors.Is(fail.Cause, syscall.ECONNREFUSED) {
		fail.Message += ": start Zotero on this machine"
	}
	return err
}
