// Package access says who may call a server on a network: bearer tokens of a file and of an OAuth 2.1
// authorization server, what each token may do, from which sites and under which names the server answers,
// and how much one owner may ask for.
//
// A request that passes carries its owner ([loops.OwnerOf]) and its scopes ([ScopesOf]). A server without
// tokens is for one user on one machine: everybody who reaches it is the local owner and may do everything, so
// it listens on loopback alone.
package access
