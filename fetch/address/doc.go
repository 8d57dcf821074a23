// Package address gives web addresses one spelling, and refuses those that two programs might read differently.
//
// The spelling matters because two parsers of one address are how guards are passed by: the text that is checked
// must be the text that is dialled. Which hosts may be dialled is decided later, when the name is resolved
// (package fetch, guard.go).
package address
