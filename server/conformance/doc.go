// Package conformance tests that the fixtures of the official MCP conformance suite can be served together with the product's
// tools, on the same server. .ci/clients runs the suite against them. citeloop does not contain them.
package conformance
