package cli

import "github.com/citeloop/citeloop/channels/local"

type (
	corpusJSON struct {
		Files     int           `json:"files"`
		Indexed   int           `json:"indexed"`
		Pending   int           `json:"pending"`
		Documents int           `json:"documents"`
		Passages  int           `json:"passages"`
		TextBytes int64         `json:"text_bytes"`
		Bytes     int64         `json:"bytes"`
		Missing   []string      `json:"missing,omitempty"`
		Busy      bool          `json:"busy,omitempty"`
		Overflow  bool          `json:"overflow,omitempty"`
		Unread    int           `json:"unread"`
		Problems  []problemJSON `json:"problems,omitempty"`
	}
	problemJSON struct {
		Path string `json:"path"`
		Why  string `json:"why"`
	}
	corpusHitsJSON struct {
		Hits   []corpusHitJSON `json:"hits"`
		Corpus corpusJSON      `json:"corpus"`
	}
	corpusHitJSON struct {
		Title       string   `json:"title"`
		URL         string   `json:"url"`
		Type        string   `json:"type"`
		Authors     []string `json:"authors,omitempty"`
		PublishedAt string   `json:"published_at,omitempty"`
		Language    string   `json:"language,omitempty"`
		Passage     string   `json:"passage"`
		Start       int      `json:"start"`
		End         int      `json:"end"`
		Score       float64  `json:"score"`
	}
)

func corpusAsJSON(r local.Report) corpusJSON {
	out := corpusJSON{Files: r.Files, Indexed: r.Indexed, Pending: r.Pending, Documents: r.Documents, Passages: r.Passages, TextBytes: r.TextBytes, Bytes: r.Bytes,
		Missing: r.Missing, Busy: r.Busy, Overflow: r.Overflow, Unread: r.Unread}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, problemJSON{p.Path, p.Why})
	}
	return out
}

func hitsAsJSON(hits []local.Hit, r local.Report) corpusHitsJSON {
	out := corpusHitsJSON{Hits: []corpusHitJSON{}, Corpus: corpusAsJSON(r)}
	for _, h := range hits {
		out.Hits = append(out.Hits, corpusHitJSON{h.Title, local.FileURL(h.Path), h.Type, h.Authors, h.PublishedAt, h.Language, h.Passage, h.Start, h.End, h.Score})
	}
	return out
}
