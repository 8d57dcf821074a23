package llm

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Key is the secret for an endpoint. It prints as "[key]" with every verb and encoder: the secret is behind a pointer,
// because fmt does not call the methods of a value in an unexported field of another struct. The zero Key sends no
// Authorization header, as local servers expect.
type Key struct{ secret *string }

// NewKey wraps a secret, without the white space around it.
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

// Redact removes the secret from a text. Call it before shortening, which could leave a part of the secret.
func (k Key) Redact(text string) string {
	if k.secret == nil {
		return text
	}
	return strings.ReplaceAll(text, *k.secret, k.String())
}

// valid reports whether the key can be sent in a header: printable ASCII without spaces.
func (k Key) valid() bool {
	return strings.IndexFunc(k.reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// String returns a placeholder, or "" without a key.
func (k Key) String() string {
	if k.IsZero() {
		return ""
	}
	return "[key]"
}

// Format handles every verb, also those that do not call String.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, k.String()) }

// LogValue implements slog.LogValuer.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText implements encoding.TextMarshaler.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
