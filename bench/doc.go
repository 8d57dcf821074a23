// Package bench compares packages of citeloop with common libraries for the same tasks. It is a separate module, so that the
// program does not depend on these libraries. README.md has instructions and results.
package bench
