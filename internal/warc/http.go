package warc

import (
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// The content types of blocks that are HTTP messages.
const (
	ResponseType = "application/http;msgtype=response"
	RequestType  = "application/http;msgtype=request"
)

// ResponseHead returns the head of a response whose body is stored decoded. Headers about the encoding and the encoded length
// would be wrong, so they get the prefix X-Archive-Orig-, as in web archives, and the length is that of the body.
func ResponseHead(status int, header map[string][]string, body int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %03d %s\r\n", status, http.StatusText(status))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		shown := textproto.CanonicalMIMEHeaderKey(name)
		if !httpguts.ValidHeaderFieldName(shown) {
			continue
		}
		switch shown {
		case "Content-Encoding", "Transfer-Encoding", "Content-Length":
			shown = "X-Archive-Orig-" + shown
		}
		for _, value := range header[name] {
			if httpguts.ValidHeaderFieldValue(value) {
				b.WriteString(shown + ": " + value + "\r\n")
			}
		}
	}
	b.WriteString("Content-Length: " + strconv.Itoa(body) + "\r\n\r\n")
	return []byte(b.String())
}

// RequestHead returns the head of a GET request for an http or https address, or nil for another address.
func RequestHead(address, accept string) []byte {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || !httpguts.ValidHeaderFieldValue(u.Host) || !httpguts.ValidHeaderFieldValue(accept) {
		return nil
	}
	var b strings.Builder
	b.WriteString("GET " + u.RequestURI() + " HTTP/1.1\r\nHost: " + u.Host + "\r\n")
	if accept != "" {
		b.WriteString("Accept: " + accept + "\r\n")
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}
