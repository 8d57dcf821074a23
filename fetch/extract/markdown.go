package extract

import (
	"cmp"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
)

// markdownText uses the Markdown source as text, line by line, which is what readers see and cite. Front matter stays in it and
// becomes metadata as well; the first heading is the title if there is no other.
func markdownText(text string) document.Document {
	text = document.TidyLines(text)
	d := document.Document{Text: text}
	front, rest, ok := frontMatter(text)
	if ok {
		readFrontMatter(front, &d)
	}
	d.Title = cmp.Or(d.Title, firstHeading(rest))
	return d
}

// maxFrontLines bounds front matter: beyond it, the opening --- was a rule. Chosen.
const maxFrontLines = 200

// frontMatter splits YAML front matter, between two lines of ---, from the text.
func frontMatter(text string) (front, rest string, ok bool) {
	body, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text, false
	}
	end, keys, lines := 0, 0, 0
	for line := range strings.Lines(body) {
		trimmed := strings.TrimRight(line, "\n")
		if trimmed == "---" || trimmed == "..." {
			if keys == 0 {
				break
			}
			return body[:end], body[end+len(line):], true
		}
		if key, _, ok := strings.Cut(trimmed, ":"); ok && key != "" && !strings.ContainsAny(key, " \t#") {
			keys++
		}
		end += len(line)
		if lines++; lines > maxFrontLines {
			break
		}
	}
	return "", text, false
}

// readFrontMatter reads the keys of the metadata, written as scalars or as lists of scalars. It is not a YAML parser and
// ignores everything else.
func readFrontMatter(front string, d *document.Document) {
	key := ""
	for line := range strings.SplitSeq(front, "\n") {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && key != "" {
			frontValue(key, item, d)
			continue
		}
		k, value, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			continue
		}
		key = strings.ToLower(strings.TrimSpace(k))
		value = strings.TrimSpace(value)
		if list, ok := strings.CutPrefix(value, "["); ok {
			for item := range strings.SplitSeq(strings.TrimSuffix(list, "]"), ",") {
				frontValue(key, item, d)
			}
			continue
		}
		frontValue(key, value, d)
	}
}

func frontValue(key, value string, d *document.Document) {
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if value == "" {
		return
	}
	switch key {
	case "title":
		d.Title = document.Title(value)
	case "author", "authors":
		d.Authors = document.AddAuthor(d.Authors, value)
	case "date", "published", "publishdate", "published_at":
		d.PublishedAt = cmp.Or(d.PublishedAt, document.Date(value))
	case "doi":
		d.DOI = docid.NormalizeDOI(value)
	case "lang", "language":
		d.Language = document.Language(value)
	}
}

// firstHeading returns the first heading outside of code, in either syntax.
func firstHeading(text string) string {
	fence, before := "", ""
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		switch {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case before != "" && isUnderline(line):
			return document.Title(before)
		case strings.HasPrefix(trimmed, "#"):
			if hashes := len(trimmed) - len(strings.TrimLeft(trimmed, "#")); hashes <= 6 && strings.HasPrefix(trimmed[hashes:], " ") {
				return document.Title(strings.TrimRight(strings.Trim(trimmed[hashes:], " "), "# "))
			}
		}
		before = ""
		if !strings.HasPrefix(line, "    ") {
			before = trimmed
		}
	}
	return ""
}
