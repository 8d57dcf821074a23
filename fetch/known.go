package fetch

import "net/http"

// Known is a page that was read before.
type Known struct {
	URL    string
	Header http.Header // of the response that was read, as in [Capture]; nil has the page read in any case
}

// validators name a version of a page: RFC 9110, 8.8.
type validators struct {
	tag, modified string
}

func (k Known) validators() validators {
	return validators{k.Header.Get("Etag"), k.Header.Get("Last-Modified")}
}

// ask has the server send the page only if it is another version.
func (v validators) ask(req *http.Request) {
	if v.tag != "" {
		req.Header.Set("If-None-Match", v.tag)
	}
	if v.modified != "" {
		req.Header.Set("If-Modified-Since", v.modified)
	}
}
