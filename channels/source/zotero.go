package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/tidwall/gjson"
)

// The two APIs.
const (
	zoteroLocal = "http://127.0.0.1:23119/api"
	zoteroWeb   = "https://api.zotero.org"
)

var zoteroPlace = lazyregexp.New(`^(?:local|(local/)?((?:users|groups)/[0-9]{1,12}))$`)

// ZoteroURL returns the base address for a value of CITELOOP_ZOTERO: local, local/groups/ID, users/ID or groups/ID.
func ZoteroURL(place string) (string, error) {
	m := zoteroPlace.FindStringSubmatch(place)
	switch {
	case m == nil:
		return "", fmt.Errorf("invalid CITELOOP_ZOTERO=%q: use local, local/groups/ID, users/ID or groups/ID", place)
	case m[2] == "":
		return zoteroLocal + "/users/0", nil
	case m[1] != "":
		return zoteroLocal + "/" + m[2], nil
	}
	return zoteroWeb + "/" + m[2], nil
}

const (
	zoteroMost = 100 // items of one answer, and the Web API's limit
	zoteroKeys = 50  // item keys of one request
)

// zotero is the library that reads zotero: addresses. If the channel is not configured, its errors name the setting.
type zotero struct {
	*channels.Client
	Recipe // of its records
}

// Zotero addresses one item in Zotero's own form, which selects it there: zotero://select/library/items/KEY for the user's
// library, zotero://select/groups/ID/items/KEY for a group's. The earlier form without "library" is read too.
var (
	zoteroKey = lazyregexp.New(`^[A-Z0-9]{8}$`)
)

// group returns the id of the group whose library is configured; "" = the user's.
func (c zotero) group() string {
	base := strings.TrimRight(cmp.Or(c.Base, c.URL), "/")
	if before, id := path.Split(base); strings.HasSuffix(before, "/groups/") {
		return id
	}
	return ""
}

func (c zotero) address(key string) string {
	if group := c.group(); group != "" {
		return "zotero://select/groups/" + group + "/items/" + key
	}
	return "zotero://select/library/items/" + key
}

// search searches the user's library, by the local API of a running Zotero or by the Web API
// (https://www.zotero.org/support/dev/web_api/v3/basics and …/v3/local_api). Each result has a zotero: address, which
// zoteroLibrary reads.
func (c zotero) search(ctx context.Context, of *channels.Client, q channels.Query) ([]channels.Result, error) {
	c.Client = of
	found, err := c.items(ctx, url.Values{"q": {q.Text}, "qmode": {"everything"}, "itemType": {"-annotation"},
		"limit": {fmt.Sprint(zoteroMost)}})
	return byWords(found, normal.Keywords(q.Text)), err
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

// items searches items. In place of an attachment or a note it returns the parent item.
func (c zotero) items(ctx context.Context, params url.Values) ([]channels.Result, error) {
	items, err := c.list(ctx, params, "items")
	if err != nil {
		return nil, err
	}
	var found []channels.Result
	var parents []string
	for _, item := range items.Array() {
		switch parent := normal.Text(item, "data.parentItem"); {
		case parent != "":
			parents = append(parents, parent)
		case normal.Text(item, "data.itemType") == "note": // the user's own words
		default:
			found = append(found, c.result(item))
		}
	}
	known := map[string]bool{}
	for _, item := range items.Array() {
		known[normal.Text(item, "key")] = true
	}
	parents = slices.DeleteFunc(normal.Distinct(parents...), func(key string) bool { return known[key] })
	if len(parents) == 0 {
		return found, nil
	}
	above, err := c.list(ctx, url.Values{"itemKey": {strings.Join(parents[:min(len(parents), zoteroKeys)], ",")}}, "items")
	if err != nil {
		return nil, err
	}
	for _, item := range above.Array() {
		found = append(found, c.result(item))
	}
	return found, nil
}

// list requests a list of items.
func (c zotero) list(ctx context.Context, params url.Values, path ...string) (gjson.Result, error) {
	return askZoteroFor(ctx, c, channels.Request{Params: params, Path: path}, readZoteroItems)
}

func askZoteroFor[T any](ctx context.Context, c zotero, req channels.Request, read func([]byte) (T, error)) (T, error) {
	req.Header = http.Header{"Zotero-Api-Version": {"3"}}
	if c.Key != "" && !c.isLocal() {
		req.Header.Set("Authorization", "Bearer "+c.Key) // a redirect to another host drops it, unlike Zotero-API-Key
	}
	req.Explain = explainZotero
	got, err := channels.Ask(ctx, c.Client, req, read)
	return got, c.withRemedy(err)
}

// withRemedy adds a remedy for the user to a failure.
func (c zotero) withRemedy(err error) error {
	fail, ok := errors.AsType[*channels.Failure](err)
	if !ok {
		return err
	}
	refused := strings.HasPrefix(fail.Message, "answered 403") && fail.RetryAfter == 0
	switch local := c.isLocal(); {
	case local && errors.Is(fail.Cause, syscall.ECONNREFUSED):
		fail.Message += ": start Zotero on this machine"
	case local && refused:
		fail.Message += `: in Zotero, open Settings, Advanced, and check "Allow other applications on this computer to communicate ` +
			`with Zotero"`
	case refused:
		fail.Status = channels.StatusAuthRequired
		fail.Message += ": the library is private; check CITELOOP_ZOTERO_KEY (https://www.zotero.org/settings/keys)"
	case strings.HasPrefix(fail.Message, "answered 404") && fail.Status == channels.StatusError:
		fail.Message += ": it has no such library; check CITELOOP_ZOTERO"
	}
	return fail
}

func (c zotero) isLocal() bool { return !strings.HasPrefix(cmp.Or(c.Base, c.URL), zoteroWeb) }

// explainZotero reads the message of a refusal, which is one line of plain text.
func explainZotero(code int, body []byte) channels.Explained {
	said := channels.ExplainMessage(code, body)
	if line := sanitize.Line(string(body[:min(len(body), 1_000)])); said.Words == "" && !strings.ContainsAny(line, "<{[") {
		said.Words = line
	}
	return said
}

func readZoteroItems(body []byte) (gjson.Result, error) {
	answer, err := channels.ReadJSON(body)
	if err == nil && !answer.IsArray() {
		err = channels.NoList(channels.ExplainMessage(http.StatusOK, body).Words, "items")
	}
	return answer, err
}

// result returns the result for an item.
func (c zotero) result(item gjson.Result) channels.Result {
	e := c.Record(item, gjson.Result{})
	if key := normal.Text(item, "key"); zoteroKey.MatchString(key) {
		e.URL = c.address(key)
	}
	e.Snippet, e.Container = normal.Join(e.Snippet, e.Container), ""
	return e
}

// zoteroContainer returns what the publication is, as [document.Document.Container].
func zoteroContainer(data gjson.Result) string {
	switch {
	case normal.Text(data, "itemType") == "journalArticle" && normal.Text(data, "publicationTitle") != "":
		return document.Journal
	case normal.Text(data, "proceedingsTitle") != "":
		return document.Proceedings
	}
	return ""
}

// Library returns the library that reads zotero: addresses through the channel of a registry.
func Library(r *channels.Registry) fetch.Library {
	described, _ := catalog()
	return zotero{r.Client("zotero"), described.recipes["zotero"]}
}

// Open looks up an item and its attachment, the one that Zotero itself would open.
func (c zotero) Open(ctx context.Context, raw string) (fetch.Item, error) {
	item, err := c.open(ctx, raw)
	if fail, ok := errors.AsType[*channels.Failure](err); ok {
		status := fetch.StatusError
		switch fail.Status {
		case channels.StatusEmpty:
			status = fetch.StatusNotFound
		case channels.StatusBlocked, channels.StatusAuthRequired:
			status = fetch.StatusBlocked
		}
		return item, &fetch.LibraryError{Status: status, Reason: "Zotero: " + fail.Message}
	}
	return item, err
}

func (c zotero) open(ctx context.Context, raw string) (fetch.Item, error) {
	m := normal.ZoteroAddress.FindStringSubmatch(raw)
	switch {
	case m == nil:
		return fetch.Item{}, channels.Fail(channels.StatusError,
			"invalid zotero address; use zotero://select/library/items/KEY or zotero://select/groups/ID/items/KEY")
	case !c.Configured:
		return fetch.Item{}, channels.Fail(channels.StatusBlocked, "not enabled; %s", c.Missing)
	case m[1] != c.group():
		return fetch.Item{}, channels.Fail(channels.StatusBlocked, "the item is in another library than that of CITELOOP_ZOTERO")
	}
	item, err := c.item(ctx, m[2])
	if err != nil {
		return fetch.Item{}, err
	}
	above, attached := item, gjson.Result{}
	if normal.Text(item, "data.itemType") == "attachment" {
		attached = item
		if parent := normal.Text(item, "data.parentItem"); zoteroKey.MatchString(parent) {
			if above, err = c.item(ctx, parent); err != nil {
				return fetch.Item{}, err
			}
		}
	} else if attached, err = c.attachment(ctx, item); err != nil {
		return fetch.Item{}, err
	}
	e := c.Record(above, gjson.Result{})
	e.DOI = docid.NormalizeDOI(e.DOI)
	out := fetch.Item{
		Address: c.address(m[2]),
		Document: document.Document{Head: document.Head{Title: e.Title, Authors: e.Authors, PublishedAt: e.PublishedAt, DOI: e.DOI,
			Language: e.Language, SourceType: e.SourceType,
			Publisher: e.Container, Container: zoteroContainer(above.Get("data"))}},
		URL: webAddress(normal.Text(attached, "data.url"), normal.Text(above, "data.url"), normal.RegisteredURL(e.DOI)),
		See: webAddress(normal.RegisteredURL(e.DOI), normal.Text(above, "data.url")),
	}
	if !attached.Exists() {
		return out, nil
	}
	key := normal.Text(attached, "key")
	out.ContentType = normal.Text(attached, "data.contentType")
	out.Text = func(ctx context.Context) (string, error) { return c.fullText(ctx, key) }
	if c.isLocal() {
		out.File, err = c.file(ctx, key)
		out.Folder = "storage/" + key // where Zotero stores attachments
	}
	return out, err
}

// webAddress returns the first http or https address, or "".
func webAddress(addresses ...string) string {
	for _, a := range addresses {
		if u, err := url.Parse(a); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
			return a
		}
	}
	return ""
}

// item looks up one item.
func (c zotero) item(ctx context.Context, key string) (gjson.Result, error) {
	item, err := askZoteroFor(ctx, c, channels.Request{Path: []string{"items", key}, LookUp: true},
		func(body []byte) (gjson.Result, error) {
			answer, err := channels.ReadJSON(body)
			if err == nil && !answer.Get("data").IsObject() {
				err = channels.Fail(channels.StatusMalformed, "the answer has no item")
			}
			return answer, err
		})
	if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusEmpty {
		fail.Message = fmt.Sprintf("the library has no item %s", key)
	}
	return item, err
}

// zoteroReadable are the types of attachments that are read, best first.
var zoteroReadable = []string{"application/pdf", "application/epub+zip", "text/html", "application/xhtml+xml", "text/plain",
	"text/markdown"}

// attachment returns the attachment to read: the one that Zotero names as the best, or else the first of the best
// type. Without one, the result does not exist.
func (c zotero) attachment(ctx context.Context, item gjson.Result) (gjson.Result, error) {
	if normal.Text(item, "meta.numChildren") == "0" {
		return gjson.Result{}, nil
	}
	children, err := c.list(ctx, nil, "items", normal.Text(item, "key"), "children")
	if err != nil {
		return gjson.Result{}, err
	}
	named := path.Base(normal.Text(item, "links.attachment.href"))
	var best gjson.Result
	rank := len(zoteroReadable)
	for _, child := range children.Array() {
		at := slices.Index(zoteroReadable, normal.Text(child, "data.contentType"))
		if normal.Text(child, "data.itemType") != "attachment" || normal.Text(child, "data.linkMode") == "linked_url" || at < 0 ||
			!zoteroKey.MatchString(normal.Text(child, "key")) {
			continue
		}
		if normal.Text(child, "key") == named {
			return child, nil
		}
		if at < rank {
			best, rank = child, at
		}
	}
	return best, nil
}

// fullText returns the text of an attachment as Zotero has indexed it, or "" if Zotero has none. The local API of
// earlier versions never has one.
func (c zotero) fullText(ctx context.Context, key string) (string, error) {
	got, err := askZoteroFor(ctx, c, channels.Request{Path: []string{"items", key, "fulltext"}, LookUp: true},
		func(body []byte) (string, error) {
			answer, err := channels.ReadJSON(body)
			if err == nil && answer.Get("content").Type != gjson.String {
				err = channels.Fail(channels.StatusMalformed, "the answer has no text")
			}
			return answer.Get("content").String(), err
		})
	return got, emptyIsNone(err)
}

// file returns the file: address of an attachment on this machine, or "".
func (c zotero) file(ctx context.Context, key string) (string, error) {
	got, err := askZoteroFor(ctx, c, channels.Request{Path: []string{"items", key, "file", "view", "url"}, LookUp: true,
		Want: channels.WantText}, func(body []byte) (string, error) {
		line := strings.TrimSpace(string(body))
		if u, err := url.Parse(line); err != nil || line != "" && u.Scheme != "file" {
			return "", channels.Fail(channels.StatusMalformed, "the answer is not a file: address")
		}
		return line, nil
	})
	return got, emptyIsNone(err)
}

func emptyIsNone(err error) error {
	if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusEmpty {
		return nil
	}
	return err
}
