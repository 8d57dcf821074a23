package access

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
)

// A token file has one token a line: owner, SHA-256 of the token in hex, creation time and scopes. Time and scopes are
// optional; without scopes a token has all. A # starts a comment. The file holds no secrets: tokens have 256 random bits,
// so a hash without salt or stretching is safe.
//
//	# the team's tokens
//	anna 3b1f…e9 2026-11-21T09:30:00Z
//	ben  90cc…07 2026-11-21T09:31:00Z read,write
//	eve  17d0…5a

const (
	tokenBytes  = 32
	tokenPrefix = "citeloop_" // recognised by people and by scanners for leaked secrets
	// maxTokens keeps the comparison with all of them cheap (0.2 ms for 10,000, BenchmarkCallerOf).
	maxTokens = 10_000
)

var ownerName = lazyregexp.New(`^[a-z0-9._-]{1,64}$`)

// CheckOwner returns an error for an invalid name of an owner.
func CheckOwner(name string) error {
	switch {
	case !ownerName.MatchString(name):
		return fmt.Errorf("invalid owner %q: use 1 to 64 of a-z, 0-9, '.', '_' and '-'", clip(name))
	case name == loops.LocalOwner:
		return fmt.Errorf("reserved owner %q: it is the local user; use another name", name)
	}
	return nil
}

// newToken creates a token and its line of the file.
func newToken(owner string, scopes Scopes, random io.Reader, now time.Time) (token, line string, err error) {
	if err := CheckOwner(owner); err != nil {
		return "", "", err
	}
	var secret [tokenBytes]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return "", "", fmt.Errorf("generating a token: %w", err)
	}
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(secret[:])
	hash := sha256.Sum256([]byte(token))
	line = fmt.Sprintf("%s %x %s", owner, hash, now.UTC().Format(time.RFC3339))
	if scopes != All {
		line += " " + scopes.String()
	}
	return token, line + "\n", nil
}

// hashedToken is a line of the file.
type hashedToken struct {
	owner  string
	hash   [sha256.Size]byte
	scopes Scopes
	made   time.Time // zero if the line does not state it
	line   int       // counted from 1
}

// parseTokens reads a token file. An invalid line is an error: if it were skipped, its author would look for the fault
// elsewhere.
func parseTokens(data []byte) ([]hashedToken, error) {
	var tokens []hashedToken
	seen := map[[sha256.Size]byte]int{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		t, err := parseToken(fields)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if first, ok := seen[t.hash]; ok {
			return nil, fmt.Errorf("line %d: duplicate token; it is already in line %d", n, first)
		}
		if len(tokens) == maxTokens {
			return nil, fmt.Errorf("line %d: there are more than %d tokens", n, maxTokens)
		}
		seen[t.hash], t.line = n, n
		tokens = append(tokens, t)
	}
	if err := lines.Err(); err != nil {
		return nil, errors.New("a line is too long to be a token")
	}
	return tokens, nil
}

func parseToken(fields []string) (t hashedToken, err error) {
	t.owner, t.scopes = fields[0], All
	if err := CheckOwner(t.owner); err != nil {
		return t, err
	}
	if len(fields) < 2 || len(fields) > 4 {
		return t, fmt.Errorf("unexpected number of fields: %d; use OWNER SHA256 [TIME [SCOPES]]", len(fields))
	}
	hash, err := hex.DecodeString(fields[1])
	if err != nil || len(hash) != sha256.Size {
		return t, fmt.Errorf("invalid SHA-256 in the second field: use %d hex digits", 2*sha256.Size)
	}
	copy(t.hash[:], hash)
	if len(fields) >= 3 {
		if t.made, err = time.Parse(time.RFC3339, fields[2]); err != nil {
			return t, errors.New("invalid time in the third field: use the form 2026-11-21T09:30:00Z")
		}
	}
	if len(fields) == 4 {
		if t.scopes, err = ParseScopes(fields[3]); err != nil {
			return t, fmt.Errorf("the fourth field: %w", err)
		}
	}
	return t, nil
}

// callerOf finds the owner of a token. It compares all hashes in constant time, so that its duration reveals nothing.
func callerOf(tokens []hashedToken, token string) (caller Caller, ok bool) {
	hash := sha256.Sum256([]byte(token))
	at := -1
	for i := range tokens {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(tokens[i].hash[:], hash[:]), i, at)
	}
	if at < 0 {
		return Caller{}, false
	}
	return Caller{Owner: tokens[at].owner, Scopes: tokens[at].scopes}, true
}
