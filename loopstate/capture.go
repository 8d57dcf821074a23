package loopstate

// Capture records the response from which a source was read, so that others can check it. All copies of a source share it,
// and it never changes.
type Capture struct {
	URL       string              `json:"url,omitempty"`       // of the response, if not the source's final_url: the page's own Markdown
	Status    int                 `json:"status,omitempty"`    // HTTP status; 0 for a file
	Header    map[string][]string `json:"header,omitempty"`    // headers that describe the content, by canonical name
	Accept    string              `json:"accept,omitempty"`    // the requested types
	Redirects []string            `json:"redirects,omitempty"` // redirecting addresses, the requested one first
	SHA256    string              `json:"sha256"`              // of the decoded body
	Bytes     int                 `json:"bytes"`               // of that body
	Kept      bool                `json:"kept,omitempty"`      // the body is in the store, under SHA256
}
