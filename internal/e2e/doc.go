// Package e2e has end-to-end tests of the built citeloop binary: over stdio and HTTP, in a browser, and killed while it
// writes.
package e2e
