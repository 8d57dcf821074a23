// Package game plays the host that stamps its own claims: programs that know the claims which they submitted, compare texts
// and read nothing. Each [Player] answers the items of a review batch; what a batch holds is unknown to it.
//
// The files, each using only those before it: text.go (words, the nearest sentence, what differs), claims.go (claims as a host
// writes them, from any text), player.go.
package game
