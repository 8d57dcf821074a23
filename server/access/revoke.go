package access

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// idDigits are as many of the hash's hex digits as tell the tokens of one file apart.
const idDigits = 12

// Token is a token of a file, as far as the file knows it.
type Token struct {
	ID     string // the first digits of its hash
	Owner  string
	Scopes Scopes
	Made   time.Time // zero where the file does not say
}

// ListTokens are the tokens of a file, in its order.
func ListTokens(path string) ([]Token, error) {
	read, _, err := readTokens(path)
	out := make([]Token, len(read))
	for i, t := range read {
		out[i] = t.known()
	}
	return out, err
}

func (t hashedToken) known() Token {
	return Token{ID: hex.EncodeToString(t.hash[:])[:idDigits], Owner: t.owner, Scopes: t.scopes, Made: t.made}
}

// RevokeToken makes a comment of the line of a token, named by the first digits of its hash. One byte is written, so
// that a server that reads the file at the same moment finds it whole, before or after, and file, owner and mode stay.
func RevokeToken(path, id string) (revoked Token, err error) {
	f, _, err := openTokenFile(path, os.O_RDWR)
	if err != nil {
		return revoked, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err := io.ReadAll(io.LimitReader(f, maxTokenFileBytes+1))
	if err == nil && len(data) > maxTokenFileBytes {
		err = fmt.Errorf("it has more than %d bytes", maxTokenFileBytes)
	}
	var tokens, found []hashedToken
	if err == nil {
		tokens, err = parseTokens(data)
	}
	if err != nil {
		return revoked, fmt.Errorf("the file of tokens %s: %w", path, err)
	}
	for _, t := range tokens {
		if id != "" && strings.HasPrefix(hex.EncodeToString(t.hash[:]), strings.ToLower(id)) {
			found = append(found, t)
		}
	}
	switch {
	case len(found) == 0:
		return revoked, fmt.Errorf("%s has no token %q; 'citeloop token list' shows those there are", path, clip(id))
	case len(found) > 1:
		return revoked, fmt.Errorf("%d tokens of %s begin with %q; give more of it", len(found), path, clip(id))
	}
	at := 0
	for range found[0].line - 1 {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	if _, err := f.WriteAt([]byte{'#'}, int64(at)); err != nil {
		return revoked, fmt.Errorf("the file of tokens: %w", err)
	}
	return found[0].known(), f.Sync()
}
