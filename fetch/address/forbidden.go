package address

import (
	"errors"
	"fmt"
)

// ErrForbidden is what every refusal by the address rules wraps; the error itself is a
// *ForbiddenError.
var ErrForbidden = errors.New("forbidden address")

// ForbiddenError says which address was refused and by which rule.
type ForbiddenError struct {
	Address string // the host or address as it was refused, without user info
	Rule    string // why, as the rest of a sentence
	Allow   string // host:port that CITELOOP_ALLOW_PRIVATE would have to list; empty when nothing allows it
}

func (e *ForbiddenError) Error() string {
	s := fmt.Sprintf("%s is not dialled: %s", e.Address, e.Rule)
	if e.Allow != "" {
		s += fmt.Sprintf("; to allow it, add %s to CITELOOP_ALLOW_PRIVATE", e.Allow)
	}
	return s
}

func (e *ForbiddenError) Unwrap() error { return ErrForbidden }

// Forbid refuses an address by a rule.
func Forbid(address, rule string, args ...any) *ForbiddenError {
	return &ForbiddenError{Address: address, Rule: fmt.Sprintf(rule, args...)}
}
