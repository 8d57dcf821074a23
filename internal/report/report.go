package report

import (
	"fmt"
	"io"
	"strings"
)

// The formats of Write.
const (
	Markdown = "markdown"
	HTML     = "html"
	BibTeX   = "bibtex"
	CSLJSON  = "csl-json"
	RIS      = "ris"
	JSON     = "json"
	Table    = "table"
	CSV      = "csv"
)

// OfLog reports whether a format shows what the log has, so that no text is checked for it: the evidence table.
func OfLog(format string) bool { return format == Table || format == CSV }

// handler writes a document in one format.
type handler struct {
	format, extension, contentType string
	render                         func(Document) ([]byte, error)
}

func handlers() []handler {
	return []handler{
		{Markdown, ".md", "text/markdown; charset=utf-8", renderMarkdown},
		{HTML, ".html", "text/html; charset=utf-8", renderHTML},
		{BibTeX, ".bib", "application/x-bibtex; charset=utf-8", renderBibTeX},
		{CSLJSON, ".csl.json", "application/vnd.citationstyles.csl+json; charset=utf-8", renderCSLJSON},
		{RIS, ".ris", "application/x-research-info-systems; charset=utf-8", renderRIS},
		{JSON, ".json", "application/json; charset=utf-8", renderJSON},
		{Table, ".table.md", "text/markdown; charset=utf-8", renderTable},
		{CSV, ".csv", "text/csv; charset=utf-8", renderCSV},
	}
}

// handlerOf returns the handler of a format; the zero value for an unknown format.
func handlerOf(format string) handler {
	for _, h := range handlers() {
		if h.format == format {
			return h
		}
	}
	return handler{}
}

// Formats lists the formats, the default first.
func Formats() []string {
	var names []string
	for _, h := range handlers() {
		names = append(names, h.format)
	}
	return names
}

// Extension returns the file extension of a format, with the dot; "" for an unknown format.
func Extension(format string) string { return handlerOf(format).extension }

// ContentType returns the media type of a format; "" for an unknown format.
func ContentType(format string) string { return handlerOf(format).contentType }

// UnknownFormatError is the error of a format that does not exist.
type UnknownFormatError struct{ Format string }

func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("unknown report format %q: use %s", e.Format, strings.Join(Formats(), ", "))
}

// Write writes a document in one format. The error is an [UnknownFormatError], or the writer's.
func Write(w io.Writer, format string, d Document) error {
	h := handlerOf(format)
	if h.render == nil {
		return &UnknownFormatError{format}
	}
	out, err := h.render(d)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}
