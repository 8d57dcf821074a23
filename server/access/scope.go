package access

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
)

// Scopes are what a token may do.
type Scopes uint8

const (
	// Read lets a caller see the loops of its owner.
	Read Scopes = 1 << iota
	// Write lets a caller start and change them.
	Write
	// Web lets a caller search channels and read addresses: the server then sends requests to others.
	Web

	// All are the scopes of a token that names none.
	All = Read | Write | Web
)

// scopeNames in the order in which they are written.
func scopeNames() []string { return []string{"read", "write", "web"} }

// String returns the names of the scopes, joined by commas.
func (s Scopes) String() string {
	var names []string
	for i, name := range scopeNames() {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParseScopes parses the format of String. Read is always included.
func ParseScopes(list string) (Scopes, error) {
	s := Read
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(scopeNames(), strings.TrimSpace(name))
		if i < 0 {
			return 0, fmt.Errorf("unknown scope %q: use %s", clip(name), strings.Join(scopeNames(), ", "))
		}
		s |= 1 << i
	}
	return s, nil
}

type scopesKey struct{}

// WithScopes sets the scopes of the caller. Calls without the write scope leave no trace in a loop.
func WithScopes(ctx context.Context, s Scopes) context.Context {
	if s&Write == 0 {
		ctx = loops.AsOnlooker(ctx)
	}
	return context.WithValue(ctx, scopesKey{}, s)
}

// ScopesOf returns the scopes set by WithScopes. A call over stdio, or without tokens, has all scopes.
func ScopesOf(ctx context.Context) Scopes {
	if s, ok := ctx.Value(scopesKey{}).(Scopes); ok {
		return s
	}
	return All
}
