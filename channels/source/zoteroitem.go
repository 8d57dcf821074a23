package source

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/tidwall/gjson"
)

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
		return fetch.Item{}, channels.Fail(channels.StatusError, "invalid zotero address; use zotero://select/library/items/KEY or zotero://select/groups/ID/items/KEY")
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
		Document: document.Document{Head: document.Head{Title: e.Title, Authors: e.Authors, PublishedAt: e.PublishedAt, DOI: e.DOI, Language: e.Language, SourceType: e.SourceType,
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
	item, err := askZoteroFor(ctx, c, channels.Request{Path: []string{"items", key}, LookUp: true}, func(body []byte) (gjson.Result, error) {
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
var zoteroReadable = []string{"application/pdf", "application/epub+zip", "text/html", "application/xhtml+xml", "text/plain", "text/markdown"}

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
		if normal.Text(child, "data.itemType") != "attachment" || normal.Text(child, "data.linkMode") == "linked_url" || at < 0 || !zoteroKey.MatchString(normal.Text(child, "key")) {
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
	got, err := askZoteroFor(ctx, c, channels.Request{Path: []string{"items", key, "fulltext"}, LookUp: true}, func(body []byte) (string, error) {
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
	got, err := askZoteroFor(ctx, c, channels.Request{Path: []string{"items", key, "file", "view", "url"}, LookUp: true, Want: channels.WantText}, func(body []byte) (string, error) {
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
