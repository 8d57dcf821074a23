// Package bench measures the rooms of citeloop against the libraries that others use for the same. It is a
// module of its own, so that the program does not depend on what it is compared with. README.md says how to
// run it and what it found.
package bench
