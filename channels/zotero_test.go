package channels_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// zoteroServer answers by path and query like Zotero, and records the requests. A path without an answer gets 404.
type zoteroServer struct {
	answers map[string]string
	asked   []*http.Request
}

func (z *zoteroServer) RoundTrip(r *http.Request) (*http.Response, error) {
	z.asked = append(z.asked, r)
	for _, parameter := range []string{"itemKey", "q", ""} {
		key := r.URL.Path
		if parameter != "" {
			key += "?" + parameter + "=" + r.URL.Query().Get(parameter)
		}
		if body, ok := z.answers[key]; ok {
			return response(r, map[bool]string{true: "text/plain", false: "application/json"}[strings.HasPrefix(body, "file:")],
				reply{body: body}), nil
		}
	}
	return response(r, "text/plain", reply{status: 404, body: "Not found"}), nil
}

const (
	zoteroPaper = `{"key":"TIDE2345","links":{"attachment":{"href":"http://localhost:23119/api/users/9/items/PDFS2345"}},
"meta":{"numChildren":3,"parsedDate":"2021-07-03"},
		"data":{"key":"TIDE2345","itemType":"journalArticle","title":"Energy from tides","creators":[{"creatorType":"author",
"firstName":"Ada","lastName":"Müller"}],
		"publicationTitle":"Journal of Tides","date":"July 2021","DOI":"10.5555/tide.1","url":"https://journal.example.org/tide"}}`
	zoteroChildren = `[{"key":"NOTE2345","data":{"itemType":"note","note":"<p>mine</p>","parentItem":"TIDE2345"}},
		{"key":"LINK2345","data":{"itemType":"attachment","linkMode":"linked_url","contentType":"application/pdf","parentItem":"TIDE2345"}},
		{"key":"SNAP2345","data":{"itemType":"attachment","linkMode":"imported_url","contentType":"text/html",
"url":"https://journal.example.org/tide.html","parentItem":"TIDE2345"}},
		{"key":"PDFS2345","data":{"itemType":"attachment","linkMode":"imported_file","contentType":"application/pdf",
"parentItem":"TIDE2345"}}]`
	zoteroPDF = `{"key":"PDFS2345","data":{"itemType":"attachment","linkMode":"imported_file","contentType":"application/pdf",
"parentItem":"TIDE2345","title":"Full Text PDF"}}`
	zoteroBare = `{"key":"BARE2345","meta":{"numChildren":0},"data":{"itemType":"book","title":"No file","creators":[]}}`
)

func TestZoteroURL(t *testing.T) {
	for place, want := range map[string]string{
		"local": "http://127.0.0.1:23119/api/users/0", "local/groups/77": "http://127.0.0.1:23119/api/groups/77",
		"users/42": "https://api.zotero.org/users/42", "groups/77": "https://api.zotero.org/groups/77",
		"": "", "true": "", "users/ada": "", "local/users/42/items": "", "groups/77/../../keys": "", "http://127.0.0.1:23119": "",
	} {
		got, err := source.ZoteroURL(place)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", place, got, err, want)
		}
	}
}

func TestZoteroSearch(t *testing.T) {
	const local, web = "http://127.0.0.1:23119/api/users/0", "https://api.zotero.org/groups/77"
	sluices := `{"key":"SLUI2345","data":{"itemType":"book","title":"Sluices","creators":[]}}`
	tests := []struct {
		name, base, key, query string
		answers                map[string]string
		want                   []string // addresses
		says                   string
		asked                  []string
		authorization          string
	}{
		{"a matching attachment returns its item", local, "", "wheel",
			map[string]string{"/api/users/0/items?q=wheel": "[" + zoteroPDF + "," + sluices + "]",
				"/api/users/0/items?itemKey=TIDE2345": "[" + zoteroPaper + "]"},
			[]string{"zotero://select/library/items/SLUI2345", "zotero://select/library/items/TIDE2345"}, "",
			[]string{"q=wheel", "itemKey=TIDE2345"}, ""},
		{"an item and its attachment are merged", local, "", "tides",
			map[string]string{"/api/users/0/items?q=tides": "[" + sluices + "," + zoteroPDF + "," + zoteroPaper + "]"},
			[]string{"zotero://select/library/items/TIDE2345", "zotero://select/library/items/SLUI2345"}, "", []string{"q=tides"}, ""},
		{"notes are not results", local, "", "mine",
			map[string]string{"/api/users/0/items?q=mine": `[{"key":"NOTE2345","data":{"itemType":"note","note":"<p>mine</p>"}}]`}, nil, "",
			[]string{"q=mine"}, ""},
		{"a group of the Web API, the longest word", web, "secret", "old tidal sluices",
			map[string]string{"/groups/77/items?q=sluices": "[" + sluices + "]", "/groups/77/items": "[]"},
			[]string{"zotero://select/groups/77/items/SLUI2345"}, "no results for the whole query",
			[]string{"q=old tidal sluices", "q=sluices"}, "Bearer secret"},
		{"a key is not sent to the local API", local, "secret", "tides",
			map[string]string{"/api/users/0/items?q=tides": "[" + zoteroPaper + "]"}, []string{"zotero://select/library/items/TIDE2345"},
			"", []string{"q=tides"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			z := &zoteroServer{answers: tt.answers}
			out, found := one(t, zoteroAt(t, tt.base, tt.key, z), "zotero", channels.Query{Text: tt.query})
			var asked []string
			for _, q := range z.asked {
				text := "q=" + q.URL.Query().Get("q")
				if key := q.URL.Query().Get("itemKey"); key != "" {
					text = "itemKey=" + key
				}
				asked = append(asked, text)
				if q.Header.Get("Authorization") != tt.authorization || q.Header.Get("Zotero-API-Version") != "3" {
					t.Errorf("headers %v", q.Header)
				}
			}
			if diff := cmp.Diff(tt.want, addresses(found)); diff != "" || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v (-want +got)\n%s", out, diff)
			}
			if diff := cmp.Diff(tt.asked, asked); diff != "" {
				t.Errorf("asked (-want +got)\n%s", diff)
			}
		})
	}
}

// TestZoteroFaults checks that each failure tells the user what to do.
func TestZoteroFaults(t *testing.T) {
	const local, web = "http://127.0.0.1:23119/api/users/0", "https://api.zotero.org/users/42"
	answer := func(status int, body string) http.RoundTripper {
		return &service{kind: "text/plain", replies: []reply{{status: status, body: body}}}
	}
	tests := []struct {
		name, base, key string
		client          http.RoundTripper
		want            channels.Status
		says            string
	}{
		{"not enabled in Zotero", local, "", answer(403, "Local API is not enabled"), channels.StatusBlocked,
			`Local API is not enabled: in Zotero, open Settings, Advanced, and check "Allow other applications`},
		{"no such group here", "http://127.0.0.1:23119/api/groups/1", "", answer(404, "Not found"), channels.StatusError,
			"it has no such library; check CITELOOP_ZOTERO"},
		{"another user's library", "http://127.0.0.1:23119/api/users/7", "",
			answer(400, "Only data for the logged-in user is available locally -- use userID 0"), channels.StatusError, "use userID 0"},
		{"private, without a key", web, "", answer(403, "Forbidden"), channels.StatusAuthRequired, "check CITELOOP_ZOTERO_KEY"},
		{"cut JSON", local, "", answer(200, `[{"key":"TIDE2345",`), channels.StatusMalformed, "not the documented JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, _ := one(t, zoteroAt(t, tt.base, tt.key, tt.client), "zotero", channels.Query{})
			if out.Status != tt.want || !strings.Contains(out.Message, tt.says) || strings.Contains(out.Message, "secret") {
				t.Errorf("%+v, want %s saying %q", out, tt.want, tt.says)
			}
		})
	}
	t.Run("not running", func(t *testing.T) {
		cfg := channels.Config{URLs: map[string]string{"zotero": "http://127.0.0.1:1"}, Client: http.DefaultClient}
		out, _ := one(t, registry(t, newClock(), cfg, nil), "zotero", channels.Query{})
		if out.Status != channels.StatusUnavailable ||
			out.Message != "the connection failed: connection refused: start Zotero on this machine" {
			t.Errorf("%+v", out)
		}
	})
	t.Run("not enabled here", func(t *testing.T) {
		z := &zoteroServer{}
		r := registry(t, newClock(), channels.Config{}, z)
		out, _ := one(t, r, "zotero", channels.Query{})
		_, err := source.Library(r).Open(t.Context(), "zotero://select/library/items/TIDE2345")
		if out.Status != channels.StatusUnavailable || !strings.Contains(out.Message, "CITELOOP_ZOTERO=local") || err == nil ||
			!strings.Contains(err.Error(), "CITELOOP_ZOTERO=local") || len(z.asked) != 0 {
			t.Errorf("%+v, %v, %d requests", out, err, len(z.asked))
		}
	})
}

// zoteroAt opens the catalog with a library at an address.
func zoteroAt(t *testing.T, base, key string, at http.RoundTripper) *channels.Registry {
	t.Helper()
	return registry(t, newClock(), channels.Config{URLs: map[string]string{"zotero": base}, Keys: map[string]string{"zotero": key}}, at)
}

func TestZoteroOpen(t *testing.T) {
	const in = "/api/users/0/items/"
	whole := map[string]string{
		in + "TIDE2345": zoteroPaper, in + "TIDE2345/children": zoteroChildren, in + "PDFS2345": zoteroPDF, in + "BARE2345": zoteroBare,
		in + "PDFS2345/file/view/url": "file:///home/ada/Zotero/storage/PDFS2345/tide.pdf",
		in + "PDFS2345/fulltext":      `{"content":"As indexed.","indexedPages":1,"totalPages":1}`,
	}
	paper := func(key string) fetch.Item {
		return fetch.Item{Address: "zotero://select/library/items/" + key, File: "file:///home/ada/Zotero/storage/PDFS2345/tide.pdf",
			Folder: "storage/PDFS2345", URL: "https://journal.example.org/tide", See: "https://doi.org/10.5555/tide.1"}
	}
	const web = "https://api.zotero.org/users/42"
	for path, body := range whole {
		whole[strings.Replace(path, "/api/users/0/", "/users/42/", 1)] = body
	}
	tests := []struct {
		name, address string
		without       []string // answers
		want          fetch.Item
		text          string
		fails         fetch.Status
		says          string
	}{
		{"the Web API: no file is downloaded", "zotero://select/library/items/TIDE2345", []string{web}, fetch.Item{
			Address: "zotero://select/library/items/TIDE2345", URL: "https://journal.example.org/tide",
			See: "https://doi.org/10.5555/tide.1"}, "As indexed.", "", ""},
		{"an item", "zotero://select/library/items/TIDE2345", nil, paper("TIDE2345"), "As indexed.", "", ""},
		{"an attachment has its item's metadata", "zotero://select/library/items/PDFS2345", nil, paper("PDFS2345"), "As indexed.", "", ""},
		{"no local file and no index", "zotero://select/library/items/TIDE2345",
			[]string{in + "PDFS2345/file/view/url", in + "PDFS2345/fulltext"}, fetch.Item{
				Address: "zotero://select/library/items/TIDE2345", Folder: "storage/PDFS2345",
				URL: "https://journal.example.org/tide", See: "https://doi.org/10.5555/tide.1"}, "", "", ""},
		{"nothing attached", "zotero://select/library/items/BARE2345", nil, fetch.Item{Address: "zotero://select/library/items/BARE2345"},
			"", "", ""},
		{"no such item", "zotero://select/library/items/NONE2345", nil, fetch.Item{}, "", fetch.StatusNotFound,
			"the library has no item NONE2345"},
		{"another library", "zotero://select/groups/77/items/TIDE2345", nil, fetch.Item{}, "", fetch.StatusBlocked, "another library"},
		{"a path", "zotero://select/library/items/../../x", nil, fetch.Item{}, "", fetch.StatusError, "invalid zotero address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			z := &zoteroServer{answers: map[string]string{}}
			for path, body := range whole {
				if !slices.Contains(tt.without, path) {
					z.answers[path] = body
				}
			}
			base := "http://127.0.0.1:23119/api/users/0"
			if slices.Contains(tt.without, web) {
				base = web
			}
			got, err := source.Library(zoteroAt(t, base, "secret", z)).Open(t.Context(), tt.address)
			for _, q := range z.asked {
				if (q.Header.Get("Authorization") == "Bearer secret") != (base == web) || strings.Contains(q.URL.String(), "secret") {
					t.Errorf("%s with %v", q.URL, q.Header)
				}
			}
			if tt.fails != "" {
				e, ok := errors.AsType[*fetch.LibraryError](err)
				if !ok || e.Status != tt.fails || !strings.Contains(e.Reason, tt.says) {
					t.Errorf("%v, want %s saying %q", err, tt.fails, tt.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(fetch.Item{}, "Document", "Text")); diff != "" {
				t.Errorf("item (-want +got)\n%s", diff)
			}
			if tt.address != "zotero://select/library/items/BARE2345" && (got.Title != "Energy from tides" || got.DOI != "10.5555/tide.1" ||
				got.PublishedAt != "2021-07-03" || got.Publisher != "Journal of Tides" ||
				!slices.Equal(got.Authors, []string{"Ada Müller"})) {
				t.Errorf("metadata %+v", got.Document)
			}
			text := ""
			if got.Text != nil {
				if text, err = got.Text(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if text != tt.text {
				t.Errorf("text %q, want %q", text, tt.text)
			}
		})
	}
}
