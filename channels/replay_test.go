package channels_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
)

// recording is a recorded response of a service with its request.
type recording struct {
	Request  struct{ URL string }
	Response struct {
		Status  int
		Headers map[string]string
	}
	body []byte
}

// recordings reads the recordings of a source, if the collection is on this machine. It is not part of this project.
func recordings(t *testing.T, s webSource) map[string]recording {
	t.Helper()
	source, folder := s.name, s.folder
	if folder == "" {
		folder = strings.ReplaceAll(source, "-", "")
	}
	metas, err := filepath.Glob(filepath.Join("..", "..", "shared", "data", "channels", folder, "*.meta.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(metas) == 0 {
		t.Skip("no recordings of " + source + " on this machine")
	}
	all := map[string]recording{}
	for _, meta := range metas {
		var r recording
		raw, err := os.ReadFile(meta)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatalf("%s: %v", meta, err)
		}
		bodies, err := filepath.Glob(strings.TrimSuffix(meta, ".meta.json") + ".*")
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range bodies {
			if !strings.HasSuffix(b, ".meta.json") {
				if r.body, err = os.ReadFile(b); err != nil {
					t.Fatal(err)
				}
			}
		}
		if source == "semantic-scholar" && !(strings.Contains(r.Request.URL, "/paper/search") && strings.Contains(r.Request.URL, "url")) {
			continue // of endpoints and fields that the channel does not use
		}
		all[strings.TrimSuffix(filepath.Base(meta), ".meta.json")] = r
	}
	return all
}

// replay answers every request with the recording. A recorded redirect is not followed: it would lead to itself.
func (r recording) replay() *http.Client {
	last := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{CheckRedirect: last, Transport: roundTrip(func(*http.Request) *http.Response {
		resp := response(r.Response.Status, "", r.body)
		resp.Header = http.Header{}
		for k, v := range r.Response.Headers {
			resp.Header.Set(k, v)
		}
		return resp
	})}
}

// expected derives the outcome from the recording alone, without the channel's code.
func (r recording) expected(s webSource) (channels.Status, int) {
	switch code := r.Response.Status; {
	case s.refused[code] != "":
		return s.refused[code], 0
	case code >= 500:
		return channels.StatusUnavailable, 0
	case code != 200:
		return channels.StatusError, 0
	}
	count := -1
	if s.count != nil {
		count = s.count(r.body)
	}
	switch s.name {
	case "wikipedia":
		var v struct {
			Query struct{ Search *[]any }
		}
		if err := json.Unmarshal(r.body, &v); err == nil && v.Query.Search != nil {
			count = len(*v.Query.Search)
		}
	case "crossref":
		var v struct{ Message struct{ Items *[]any } }
		if err := json.Unmarshal(r.body, &v); err == nil && v.Message.Items != nil {
			count = len(*v.Message.Items)
		}
	case "semantic-scholar":
		var v struct{ Data *[]any }
		if err := json.Unmarshal(r.body, &v); err == nil && v.Data != nil {
			count = len(*v.Data)
		}
	case "arxiv":
		var v struct {
			XMLName xml.Name
			Entry   []struct{} `xml:"entry"`
		}
		if err := xml.Unmarshal(r.body, &v); err == nil && v.XMLName.Local == "feed" {
			count = len(v.Entry)
		}
	}
	switch count {
	case -1:
		return channels.StatusMalformed, 0 // not the answer of a search
	case 0:
		return channels.StatusEmpty, 0
	}
	return channels.StatusOK, min(count, channels.MaxLimit)
}

// ready configures keys, a contact, and the best-effort channels.
func ready(cfg channels.Config) channels.Config {
	cfg.Contact, cfg.Enable, cfg.Keys = "me@example.org", source.Names(), map[string]string{}
	for _, name := range source.Names() {
		cfg.Keys[name] = "a-key"
	}
	cfg.URLs = map[string]string{"searxng": "http://127.0.0.1:8080", "kiwix": "http://127.0.0.1:8080"} // they have no default address
	return cfg
}

func TestReplay(t *testing.T) {
	for _, s := range webSources() {
		t.Run(s.name, func(t *testing.T) {
			searches := 0
			if s.name == "pubmed" {
				t.Skip("in two steps: see TestReplayPubMed")
			}
			for name, rec := range recordings(t, s) {
				t.Run(name, func(t *testing.T) {
					status, count := rec.expected(s)
					if status == channels.StatusOK {
						searches++
					}
					r := registry(t, newClock(), ready(channels.Config{Client: rec.replay()}))
					out, found := one(t, r, s.name, channels.Query{Limit: channels.MaxLimit})
					if out.Status != status || out.Count != count {
						t.Errorf("%s with %d results (%s), want %s with %d", out.Status, out.Count, out.Message, status, count)
					}
					for _, e := range found {
						u, err := url.Parse(e.URL)
						if e.Title == "" || err != nil || u.Host == "" || e.Source != s.name {
							t.Errorf("result %+v", e)
						}
						if s.name == "arxiv" && (e.PublishedAt == "" || e.Snippet == "" || len(e.Authors) == 0 || !strings.HasPrefix(e.Key, "arxiv:")) {
							t.Errorf("poor result %+v", e)
						}
					}
					if out.Status != channels.StatusOK && out.Status != channels.StatusEmpty && out.Message == "" {
						t.Error("a failure without a message")
					}
				})
			}
			t.Logf("%d recorded searches with results", searches)
		})
	}
}
