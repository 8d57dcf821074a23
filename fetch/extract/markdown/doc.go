// Package markdown is what those have in common who write a text and its Markdown at once: which characters are
// escaped, and the map between the two.
package markdown
