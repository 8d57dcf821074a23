package judge

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Key is the secret that opens the endpoint. It prints as "[key]" by whatever verb or encoder: the secret lies
// behind a pointer, because fmt does not ask the methods of a value in an unexported field of another struct.
// The zero Key sends no Authorization header, as local servers expect.
type Key struct{ secret *string }

// NewKey wraps a secret, without the white space that reading it from a file leaves around it.
func NewKey(secret string) Key {
	secret = strings.TrimSpace(secret)
	if secret == "" {
		return Key{}
	}
	return Key{&secret}
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.secret == nil }

func (k Key) reveal() string {
	if k.secret == nil {
		return ""
	}
	return *k.secret
}

const redacted = "[key]"

// redact takes the secret out of a text that others wrote. It must come before any shortening, which could leave
// a part of the secret that is not recognised.
func (k Key) redact(text string) string {
	if k.secret == nil {
		return text
	}
	return strings.ReplaceAll(text, *k.secret, redacted)
}

// usable reports whether the key may stand in a header: printable ASCII without spaces.
func (k Key) usable() bool {
	return strings.IndexFunc(k.reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

func (k Key) String() string {
	if k.IsZero() {
		return ""
	}
	return redacted
}

// Format answers every verb, also those that pass over String.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, k.String()) }

// LogValue implements slog.LogValuer.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText implements encoding.TextMarshaler.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
