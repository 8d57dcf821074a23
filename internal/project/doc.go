// Package project reads citeloop.toml, the settings of the check of a project's texts, and says which file applies to a text.
// The file may be a stranger's: it names folders and texts below itself only, and no addresses, keys or loops.
package project
