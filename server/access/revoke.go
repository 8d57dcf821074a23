package access

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// idDigits is the length of an id: enough hex digits of the hash to distinguish the tokens of one file.
const idDigits = 12

// Token describes a token of a file, without the secret.
type Token struct {
	ID     string // the first digits of its hash
	Owner  string
	Scopes Scopes
	Made   time.Time // zero if the file does not state it
}

// ListTokens returns the tokens of a file in order.
func ListTokens(path string) ([]Token, error) {
	read, err := readTokens(path)
	out := make([]Token, len(read))
	for i, t := range read {
		out[i] = t.known()
	}
	return out, err
}

func (t hashedToken) known() Token {
	return Token{ID: hex.EncodeToString(t.hash[:])[:idDigits], Owner: t.owner, Scopes: t.scopes, Made: t.made}
}

// RevokeToken comments out the line of the token with this id, a prefix of its hash. It writes one byte, so that a
// server that reads the file at that moment never sees half a line.
func RevokeToken(path, id string) (revoked Token, err error) {
	f, err := openTokenFile(path, os.O_RDWR)
	if err != nil {
		return revoked, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, tokens, err := tokensOf(f)
	if err != nil {
		return revoked, err
	}
	var found []hashedToken
	for _, t := range tokens {
		if id != "" && strings.HasPrefix(hex.EncodeToString(t.hash[:]), strings.ToLower(id)) {
			found = append(found, t)
		}
	}
	switch {
	case len(found) == 0:
		return revoked, fmt.Errorf("no token %[2]q in %[1]s; run 'citeloop token list' to see all tokens", path, clip(id))
	case len(found) > 1:
		return revoked, fmt.Errorf("ambiguous token id: %d tokens of %s begin with %q; give more digits", len(found), path, clip(id))
	}
	at := 0
	for range found[0].line - 1 {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	if _, err := f.WriteAt([]byte{'#'}, int64(at)); err != nil {
		return revoked, fmt.Errorf("token file: %w", err)
	}
	return found[0].known(), f.Sync()
}
