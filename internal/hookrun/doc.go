// Package hookrun runs the hooks of a user's own client on the open loop of its session. It records which files and pages
// the client's tools showed to the model, and checks what the model said last against the texts of the loop.
//
// A hook runs unasked. So it records no file that may hold a secret, reads no address that neither the client nor the loop
// has named, and changes nothing else of the loop.
package hookrun
