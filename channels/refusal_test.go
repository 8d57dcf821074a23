package channels

import (
	"net/http"
	"testing"
	"time"
)

// TestFormats checks which bodies are accepted as an answer in each format.
func TestFormats(t *testing.T) {
	const (
		page      = `<!DOCTYPE html><html><head><title>Welcome</title></head></html>`
		challenge = `<html><head><title>Just a moment...</title></head><body>Please solve the CAPTCHA</body></html>`
	)
	const html, text = "text/html", "text/plain"
	tests := []struct {
		name string
		want Format
		kind string
		body string
		got  Status
	}{
		{"lines", WantText, text, "a b c\nd e f\n", StatusOK},
		{"no lines", WantText, text, "", StatusOK},
		{"a page instead of lines", WantText, html, page, StatusMalformed},
		{"a bot check instead of lines", WantText, html, challenge, StatusBlocked},
		{"a page", WantPage, html, page, StatusOK},
		{"a bot check, which the channel recognises", WantPage, html, challenge, StatusOK},
		{"no page", WantPage, html, "", StatusMalformed},
		{"JSON instead of a page", WantPage, "application/json", "{}", StatusMalformed},
		{"either: JSON", WantJSONOrXML, "application/json", "{}", StatusOK},
		{"either: XML", WantJSONOrXML, "text/xml", "<a/>", StatusOK},
		{"either: text", WantJSONOrXML, text, "no", StatusMalformed},
		{"either: a page", WantJSONOrXML, html, page, StatusMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := StatusOK
			if fail := refusal(&http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {tt.kind}}}, []byte(tt.body), Request{Want: tt.want}, time.Unix(1, 0)); fail != nil {
				got = fail.Status
			}
			if got != tt.got {
				t.Errorf("%s, want %s", got, tt.got)
			}
		})
	}
}
