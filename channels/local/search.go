package local

import (
	"context"
	"log/slog"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels/local/index"
)

// About is what is known of a document.
type About struct {
	Path        string   `json:"-"` // absolute; of a message: the mailbox's path and the message's name
	Title       string   `json:"title"`
	Authors     []string `json:"authors,omitempty"`
	PublishedAt string   `json:"published_at,omitempty"`
	DOI         string   `json:"doi,omitempty"`
	SourceType  string   `json:"source_type,omitempty"`
	Language    string   `json:"language,omitempty"`
	Type        string   `json:"type"` // a value of type: in queries
}

// Hit is a document that matches a query, with its best passage.
type Hit struct {
	About
	Passage string  `json:"passage"`
	Start   int     `json:"start"` // of the passage in the document's text, in code points
	End     int     `json:"end"`
	Lines   string  `json:"lines,omitempty"`   // of the passage, such as 120-128
	Section string  `json:"section,omitempty"` // the headings above the passage
	Score   float64 `json:"score"`
}

// Search scans the folders and returns the documents that match a query, best first. Package index documents the query
// syntax. If indexing takes longer than ctx allows, or, once most files are indexed, longer than the configured
// patience, Search answers from the indexed files, and the report counts the missing ones. told, if not nil, receives
// the progress of indexing. The error is that of ctx, and only if nothing is indexed.
func (c *Corpus) Search(ctx context.Context, query string, limit int, told func(Progress)) ([]Hit, Report, error) {
	report, err := c.ready(ctx, told)
	if err != nil {
		return nil, report, err
	}
	return c.find(query, limit), report, nil
}

// ready waits for the indexes and reports their state, with what was read meanwhile.
func (c *Corpus) ready(ctx context.Context, told func(Progress)) (Report, error) {
	begun, read, before := c.cfg.Now(), 0, 0
	c.mu.Lock()
	if c.passing {
		before = c.step.Done
	}
	c.mu.Unlock()
	err := c.await(ctx, func(p Progress) {
		if read = max(0, p.Done-before); told != nil {
			told(p)
		}
	})
	report := c.report()
	report.Read, report.ReadTime = read, c.cfg.Now().Sub(begun)
	if err != nil && report.Indexed == 0 {
		return report, err
	}
	return report, nil
}

// origin is where a part is from.
type origin struct {
	f    *folder
	name string
}

// parts returns the current indexes of the folders that can be opened.
func (c *Corpus) parts() (parts []index.Part, origins []origin) {
	for _, f := range c.folders {
		f.mu.Lock()
		missing := f.state.missing
		f.mu.Unlock()
		if missing {
			continue
		}
		for _, p := range f.now().parts {
			parts = append(parts, index.Part{Segment: p.segment, Deleted: p.deleted, Folder: filepath.ToSlash(f.root)})
			origins = append(origins, origin{f, p.name})
		}
	}
	return parts, origins
}

// damaged drops a damaged part.
func (c *Corpus) damaged(from origin, err error) {
	c.cfg.Logger.Warn("corpus: a segment is damaged; its files will be read again", slog.String("folder", from.f.root), slog.Any("cause", err))
	from.f.drop(from.name)
	c.mu.Lock()
	c.looked = time.Time{} // the next search scans
	c.mu.Unlock()
}

// find searches the current indexes without waiting. The documents that the query names come first.
func (c *Corpus) find(query string, limit int) []Hit {
	parts, origins := c.parts()
	found, damaged := index.Find(parts, index.Parse(query), limit)
	found = withNamed(parts, query, found, limit)
	for _, d := range damaged {
		c.damaged(origins[d.Part], d.Err)
	}
	hits := make([]Hit, len(found))
	for i, h := range found {
		hits[i] = Hit{About: aboutOf(origins[h.Part].f.root, h.About), Passage: h.Text, Start: h.Start, End: h.End, Score: h.Score}
		if text, err := parts[h.Part].TextOf(h.About); err == nil { // a damaged segment was found by the search, or is by the next one
			hits[i].Lines, hits[i].Section = place(text, h.Start, h.End)
		}
	}
	return hits
}

// aboutOf returns a document of a folder. One without a title has the name of its file.
func aboutOf(folder string, a index.About) About {
	if strings.TrimSpace(a.Title) == "" {
		a.Title = path.Base(a.Path)
	}
	return About{Path: filepath.Join(folder, filepath.FromSlash(a.Path), a.Part), Title: a.Title, Authors: a.Authors, PublishedAt: a.PublishedAt,
		DOI: a.DOI, SourceType: a.SourceType, Language: a.Language, Type: a.Type}
}
