// Package plain reads texts whose source is what people read: plain text and Markdown.
package plain
