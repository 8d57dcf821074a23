// Package access controls who may call a server on a network: bearer tokens from a file or an OAuth 2.1 authorization
// server, the scopes of a token, the accepted hosts and origins, and the limits of one owner.
//
// A request that passes carries its owner ([loops.OwnerOf]) and its scopes ([ScopesOf]). A server without tokens is for
// one user on one machine: everybody who reaches it is the local owner with all scopes, so it listens on loopback only.
package access
