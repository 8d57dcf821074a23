// Package verdict judges a list of claims or a draft against the texts of a loop. A [Verification] begins with a copy of what
// it uses of the state, resolves the citations, checks the claims, applies earlier readings, and sums up: tally, flags, plan
// of further reading, verdict, and its cause in words. It does no input or output; package loops gives it the texts.
package verdict
