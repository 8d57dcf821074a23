package channels_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
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

// Items are found by their own words and by those of what is attached to them. Each failure tells the user what to do.
func TestZotero(t *testing.T) {
	const local, group = "http://127.0.0.1:23119/api/users/0", "https://api.zotero.org/groups/77"
	const (
		paper   = `{"key":"TIDE2345","data":{"itemType":"journalArticle","title":"Tides","url":"https://journal.example.org/tide"}}`
		sluices = `{"key":"SLUI2345","links":{"alternate":{"href":"https://www.zotero.org/s"}},` +
			`"data":{"itemType":"book","title":"Sluices"}}`
		pdf  = `{"key":"PDFS2345","data":{"itemType":"attachment","parentItem":"TIDE2345","title":"Full Text PDF"}}`
		note = `{"key":"NOTE2345","data":{"itemType":"note","note":"<p>mine</p>"}}`
	)
	const tide, sluice = "https://journal.example.org/tide", "https://www.zotero.org/s"
	for _, tt := range []struct {
		name, base, query string
		answers           map[string]reply // by the words, or by the keys of items
		want              []string         // addresses
		status            channels.Status
		says              string
		asked             []string
	}{
		{"a matching attachment returns its item", local, "wheel",
			map[string]reply{"wheel": {body: "[" + pdf + "," + sluices + "]"}, "TIDE2345": {body: "[" + paper + "]"}},
			[]string{sluice, tide}, channels.StatusOK, "", []string{"wheel", "TIDE2345"}},
		{"an item and its attachment are one", local, "tides",
			map[string]reply{"tides": {body: "[" + sluices + "," + pdf + "," + paper + "]"}},
			[]string{tide, sluice}, channels.StatusOK, "", []string{"tides"}},
		{"notes are not results", local, "mine", map[string]reply{"mine": {body: "[" + note + "]"}}, nil, channels.StatusEmpty, "",
			[]string{"mine"}},
		{"a group of the Web API, the longest word", group, "old tidal sluices",
			map[string]reply{"sluices": {body: "[" + sluices + "]"}, "old tidal sluices": {body: "[]"}}, []string{sluice},
			channels.StatusOK, "no results for the whole query", []string{"old tidal sluices", "sluices"}},
		{"not enabled in Zotero", local, "x", map[string]reply{"x": {status: 403, body: "Local API is not enabled"}}, nil,
			channels.StatusAuthRequired, `in Zotero, open Settings, Advanced, and check "Allow other applications`, []string{"x"}},
		{"no such library", group, "x", map[string]reply{"x": {status: 404, body: "Not found"}}, nil, channels.StatusError,
			"if it has no such library, check CITELOOP_ZOTERO", []string{"x"}},
		{"another user's library", "http://127.0.0.1:23119/api/users/7", "x",
			map[string]reply{"x": {status: 400, body: "use userID 0"}}, nil,
			channels.StatusError, "check CITELOOP_ZOTERO", []string{"x"}},
		{"private, without a key", group, "x", map[string]reply{"x": {status: 403, body: "Forbidden"}}, nil, channels.StatusAuthRequired,
			"check CITELOOP_ZOTERO_KEY", []string{"x"}},
		{"cut JSON", local, "x", map[string]reply{"x": {body: `[{"key":"TIDE2345",`}}, nil, channels.StatusMalformed,
			"not the documented JSON", []string{"x"}},
	} {
		var asked []string
		at := roundTrip(func(r *http.Request) reply {
			words := r.URL.Query().Get("q") + r.URL.Query().Get("itemKey")
			asked = append(asked, words)
			if (r.Header.Get("Authorization") == "Bearer secret") != strings.HasPrefix(tt.base, "https:") ||
				r.Header.Get("Zotero-API-Version") != "3" || strings.Contains(r.URL.String(), "secret") {
				t.Errorf("%s: %s with %v", tt.name, r.URL, r.Header)
			}
			return tt.answers[words]
		})
		cfg := channels.Config{URLs: map[string]string{"zotero": tt.base}, Keys: map[string]string{"zotero": "secret"}}
		out, found := one(t, registry(t, newClock(), cfg, at), "zotero", channels.Query{Text: tt.query})
		if diff := cmp.Diff(tt.want, addresses(found)); diff != "" || out.Status != tt.status || !strings.Contains(out.Message, tt.says) {
			t.Errorf("%s: %+v (-want +got)\n%s", tt.name, out, diff)
		}
		if diff := cmp.Diff(tt.asked, asked); diff != "" {
			t.Errorf("%s: asked (-want +got)\n%s", tt.name, diff)
		}
	}
	for base, want := range map[string]string{"http://127.0.0.1:1": "start Zotero on this machine", "": "set CITELOOP_ZOTERO=local"} {
		cfg := channels.Config{URLs: map[string]string{}, Client: http.DefaultClient}
		if base != "" {
			cfg.URLs["zotero"] = base
		}
		out, _ := one(t, registry(t, newClock(), cfg, nil), "zotero", channels.Query{})
		if out.Status != channels.StatusUnavailable || !strings.Contains(out.Message, want) {
			t.Errorf("%+v, want %s", out, want)
		}
	}
}
