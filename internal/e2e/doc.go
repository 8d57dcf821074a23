// Package e2e holds the tests that run the built citeloop binary as a user or a client does: over stdio, over
// HTTP, in a browser, killed while it writes. It contains only tests.
package e2e
