package channels_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
)

// TestPubMedFirstStep checks the answers of the first of the two steps.
func TestPubMedFirstStep(t *testing.T) {
	tests := []struct {
		name   string
		reply  reply
		want   channels.Status
		second int // requests of the second step
	}{
		{"ids in JSON", reply{body: []byte(`{"esearchresult":{"idlist":["900001","x","900002"]}}`)}, channels.StatusOK, 1},
		{"ids in XML", reply{body: []byte(`<?xml ` +
			`version="1.0"?><eSearchResult><Count>1</Count><IdList><Id>900001</Id></IdList></eSearchResult>`)}, channels.StatusOK, 1},
		{"no ids", reply{body: []byte(`{"esearchresult":{"count":"0","idlist":[],"errorlist":{"phrasesnotfound":["x"]}}}`)},
			channels.StatusEmpty, 0},
		{"no ids in XML", reply{body: []byte(`<eSearchResult><Count>0</Count><IdList/></eSearchResult>`)}, channels.StatusEmpty, 0},
		{"an error", reply{body: []byte(`{"esearchresult":{"ERROR":"Invalid db name specified: x"}}`)}, channels.StatusError, 0},
		{"an error in XML", reply{body: []byte(`<eSearchResult><ERROR>Invalid db name specified: x</ERROR></eSearchResult>`)},
			channels.StatusError, 0},
		{"a rate limit with status 200", reply{body: []byte(`{"error":"API rate limit exceeded","count":"11"}`)},
			channels.StatusRateLimited, 0},
		{"a bad key", reply{status: 400, body: []byte(`{"error":"API key invalid","api-key":"x"}`)}, channels.StatusAuthRequired, 0},
		{"another document", reply{body: []byte(`<eInfoResult/>`)}, channels.StatusMalformed, 0},
	}
	s := sourceNamed(t, "pubmed")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			second := 0
			client := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
				if strings.HasSuffix(r.URL.Path, "/esummary.fcgi") {
					second++
					return response(200, s.kind, s.body(t))
				}
				return response(max(tt.reply.status, 200), "application/json", tt.reply.body)
			})}
			out, _ := one(t, registry(t, newClock(), channels.Config{Client: client}), s.name, channels.Query{})
			if out.Status != tt.want || second != tt.second {
				t.Errorf("%s (%s) after %d requests of the second step, want %s after %d", out.Status, out.Message, second, tt.want,
					tt.second)
			}
		})
	}
}
