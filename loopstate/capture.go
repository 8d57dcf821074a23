package loopstate

// Capture is what an address gave when a source was read: what somebody else needs to check the reading. It is
// shared by all copies of its source and never changed.
type Capture struct {
	URL       string              `json:"url,omitempty"`       // that answered, where it is not the source's final_url: the page's own Markdown
	Status    int                 `json:"status,omitempty"`    // of HTTP; 0 of a file
	Header    map[string][]string `json:"header,omitempty"`    // the headers that say what was sent, by their canonical names
	Accept    string              `json:"accept,omitempty"`    // what was asked for
	Redirects []string            `json:"redirects,omitempty"` // the addresses that led here, the one asked for first
	SHA256    string              `json:"sha256"`              // of the body, its content coding undone
	Bytes     int                 `json:"bytes"`               // of that body
	Kept      bool                `json:"kept,omitempty"`      // the body is in the store, under SHA256
}
