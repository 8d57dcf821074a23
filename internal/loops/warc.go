package loops

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/warc"
	"github.com/citeloop/citeloop/loopstate"
)

// Captured is the result of ExportWARC.
type Captured struct {
	Sources int // number of sources
	Bodies  int // number of sources with a response
}

// textType is the content type of every stored text.
const textType = "text/plain; charset=utf-8"

// ExportWARC writes the sources of a loop as a WARC 1.1 file: for each source, in order, the response with its request (or
// a resource), the extracted text (a conversion; a resource if it was pasted), and metadata. A source without a stored body
// has text and metadata only. The output is deterministic.
func (s *Service) ExportWARC(ctx context.Context, loop string, w io.Writer, packed bool) (Captured, error) {
	var sources []loopstate.Source
	var query string
	var at time.Time
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		sources, query, at = slices.Clone(st.Sources), st.Query, st.StartedAt
		return nil
	})
	if err != nil {
		return Captured{}, err
	}
	for _, src := range sources { // not the last change: an import changes the loop, not what it read
		if src.FetchedAt.After(at) {
			at = src.FetchedAt
		}
	}
	x := warcExport{Service: s, to: warc.NewWriter(w, packed)}
	_, err = x.to.Write(warc.Record{Type: warc.Info, Date: at, ContentType: warc.FieldsType, Body: warc.Fields([]warc.Field{
		{Name: "software", Value: s.Generator},
		{Name: "format", Value: "WARC File Format 1.1"},
		{Name: "conformsTo", Value: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
		{Name: "isPartOf", Value: loop},
		{Name: "description", Value: "What a research loop has read. Its question: " + query},
		{Name: "citeloop-note", Value: "Bodies are kept with their content coding undone; the headers that told it have X-Archive-Orig- before their names. Of the other headers of requests and responses there is a selection without cookies."},
	})})
	if err != nil {
		return x.done, err
	}
	for _, src := range sources {
		if err := x.source(ctx, src); err != nil {
			return x.done, fmt.Errorf("loops: export source %s: %w", src.ID, err)
		}
	}
	return x.done, nil
}

type warcExport struct {
	*Service
	to   *warc.Writer
	done Captured
}

// source writes all records of one source.
func (x *warcExport) source(ctx context.Context, src loopstate.Source) error {
	text, err := x.text(ctx, src)
	if err != nil {
		return err
	}
	captured := src.Capture
	if captured == nil {
		captured = &loopstate.Capture{}
	}
	var body []byte
	if captured.Kept {
		if body, err = x.body(ctx, captured.SHA256); err != nil {
			return err
		}
	}
	base := warc.Record{Date: src.FetchedAt, Target: cmp.Or(warc.URI(captured.URL), warc.URI(src.FinalURL), warc.URI(src.URL), "urn:sha256:"+src.SHA256)}
	received := ""
	if body != nil {
		if received, err = x.received(base, src.ContentType, captured, body); err != nil {
			return err
		}
		x.done.Bodies++
	}
	kept := base
	kept.Type, kept.RefersTo, kept.ContentType, kept.Body = warc.Conversion, received, textType, []byte(text)
	if src.Pasted {
		kept.Type = warc.Resource
	}
	id, err := x.to.Write(kept)
	if err != nil {
		return err
	}
	about := base
	about.Type, about.RefersTo, about.ContentType, about.Body = warc.Metadata, cmp.Or(received, id), warc.FieldsType, warc.Fields(aboutSource(src, captured, received != ""))
	if _, err := x.to.Write(about); err != nil {
		return err
	}
	x.done.Sources++
	return nil
}

// received writes the body of a source, and returns the record's id.
func (x *warcExport) received(r warc.Record, contentType string, c *loopstate.Capture, body []byte) (string, error) {
	request := warc.RequestHead(r.Target, c.Accept)
	if c.Status == 0 || request == nil { // a file
		r.Type, r.ContentType, r.Body = warc.Resource, contentType, body
		return x.to.Write(r)
	}
	r.Type, r.ContentType, r.PayloadType = warc.Response, warc.ResponseType, contentType
	r.Head, r.Body = warc.ResponseHead(c.Status, c.Header, len(body)), body
	id, err := x.to.Write(r)
	if err != nil {
		return "", err
	}
	_, err = x.to.Write(warc.Record{Type: warc.Request, Date: r.Date, Target: r.Target, ContentType: warc.RequestType, ConcurrentTo: id, Head: request})
	return id, err
}

// aboutSource returns the metadata of a source, with Dublin Core names where they exist.
func aboutSource(src loopstate.Source, c *loopstate.Capture, received bool) []warc.Field {
	var out []warc.Field
	add := func(name, value string) { out = append(out, warc.Field{Name: name, Value: value}) }
	add("title", src.Title)
	for _, a := range src.Authors {
		add("creator", a)
	}
	add("publisher", src.Publisher)
	add("issued", src.PublishedAt)
	add("language", src.Language)
	if src.DOI != "" {
		add("identifier", "doi:"+src.DOI)
	}
	add("citeloop-source-id", src.ID)
	add("citeloop-canonical-key", src.Key)
	add("citeloop-asked-for", src.URL)
	add("citeloop-source-type", src.SourceType)
	add("citeloop-content-type", src.ContentType)
	add("citeloop-copy", src.Via)
	add("citeloop-duplicate-of", src.DuplicateOf)
	if src.Pasted {
		add("citeloop-pasted", "yes")
	}
	for _, address := range c.Redirects {
		add("citeloop-redirected-from", address)
	}
	add("citeloop-text-sha256", src.SHA256)
	add("citeloop-text-characters", strconv.Itoa(src.Chars))
	if len(src.Pages) > 0 {
		add("citeloop-page-starts", strings.Trim(fmt.Sprint([]int(src.Pages)), "[]"))
	}
	if c.SHA256 == "" {
		return out
	}
	add("citeloop-body-sha256", c.SHA256)
	add("citeloop-body-bytes", strconv.Itoa(c.Bytes))
	if !received && c.Status != 0 { // no response record has it
		add("citeloop-http-status", strconv.Itoa(c.Status))
		for _, name := range slices.Sorted(maps.Keys(c.Header)) {
			for _, value := range c.Header[name] {
				add("citeloop-http-header", name+": "+value)
			}
		}
	}
	return out
}
