// Package feed reads RSS, Atom and JSON feeds as texts: entries as headings with their dates, links and contents.
package feed
