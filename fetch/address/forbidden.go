package address

import (
	"errors"
	"fmt"
)

// ErrForbidden is wrapped by every refusal by the address rules. The error itself is a *ForbiddenError.
var ErrForbidden = errors.New("forbidden address")

// ForbiddenError is the refusal of an address by a rule.
type ForbiddenError struct {
	Address string // the refused host or address, without user info
	Rule    string // why, as the rest of a sentence
	Allow   string // host:port to list in CITELOOP_ALLOW_PRIVATE; empty if it cannot be allowed
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
