package server

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
	"regexp"
	"strings"
	"time"

	"github.com/citeloop/citeloop/loops"
)

// A file of tokens has one token a line: the owner, the SHA-256 of the token in hex, and when it was made.
// What follows a # is a comment. It holds nothing that lets anybody in: tokens have 256 random bits, so they
// cannot be guessed from their hashes, and a hash without salt or stretching is enough.
//
//	# the team's tokens
//	anna 3b1f…e9 2026-11-21T09:30:00Z
//	ben  90cc…07

const (
	tokenBytes  = 32
	tokenPrefix = "citeloop_" // tells people and scanners for leaked secrets what they look at
	// maxTokenChars bounds what a client may send as a token. Ours have 52 characters; others' may be in the
	// file too, as long as their hash is.
	maxTokenChars = 512
	// maxTokens keeps the comparison with all of them cheap (0.2 ms for 10,000, BenchmarkOwnerOf).
	maxTokens = 10_000
)

var ownerName = regexp.MustCompile(`^[a-z0-9._-]{1,64}$`)

// CheckOwner reports what is wrong with the name of an owner, or nil.
func CheckOwner(name string) error {
	switch {
	case !ownerName.MatchString(name):
		return fmt.Errorf("%q is not a name for an owner; use 1 to 64 of a-z, 0-9, '.', '_' and '-'", clip(name))
	case name == loops.LocalOwner:
		return fmt.Errorf("%q is whoever runs citeloop on their own machine; name the owner of the token otherwise", name)
	}
	return nil
}

// newToken makes a token for an owner, and the line that lets it in.
func newToken(owner string, random io.Reader, now time.Time) (token, line string, err error) {
	if err := CheckOwner(owner); err != nil {
		return "", "", err
	}
	var secret [tokenBytes]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return "", "", fmt.Errorf("drawing a token: %w", err)
	}
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(secret[:])
	hash := sha256.Sum256([]byte(token))
	return token, fmt.Sprintf("%s %x %s\n", owner, hash, now.UTC().Format(time.RFC3339)), nil
}

// hashedToken is a line of the file.
type hashedToken struct {
	owner string
	hash  [sha256.Size]byte
}

// parseTokens reads a file of tokens. A line that is none is an error, not a token fewer: whoever wrote it
// would look for the fault elsewhere.
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
			return nil, fmt.Errorf("line %d: this token stands in line %d already", n, first)
		}
		if len(tokens) == maxTokens {
			return nil, fmt.Errorf("line %d: there are more than %d tokens", n, maxTokens)
		}
		seen[t.hash] = n
		tokens = append(tokens, t)
	}
	if err := lines.Err(); err != nil {
		return nil, errors.New("a line is too long to be a token")
	}
	return tokens, nil
}

func parseToken(fields []string) (t hashedToken, err error) {
	t.owner = fields[0]
	if err := CheckOwner(t.owner); err != nil {
		return t, err
	}
	if len(fields) < 2 || len(fields) > 3 {
		return t, fmt.Errorf("it has %d fields; a line is an owner, the SHA-256 of the token in hex, and if you like the time it was made", len(fields))
	}
	hash, err := hex.DecodeString(fields[1])
	if err != nil || len(hash) != sha256.Size {
		return t, fmt.Errorf("the second field is not a SHA-256 in hex (%d characters)", 2*sha256.Size)
	}
	copy(t.hash[:], hash)
	if len(fields) == 3 {
		if _, err := time.Parse(time.RFC3339, fields[2]); err != nil {
			return t, errors.New("the third field is not a time like 2026-11-21T09:30:00Z")
		}
	}
	return t, nil
}

// ownerOf finds whose token it is. Hashes are compared, each in constant time and all of them, so that how
// long it takes tells nothing about any.
func ownerOf(tokens []hashedToken, token string) (owner string, ok bool) {
	hash := sha256.Sum256([]byte(token))
	at := -1
	for i := range tokens {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(tokens[i].hash[:], hash[:]), i, at)
	}
	if at < 0 {
		return "", false
	}
	return tokens[at].owner, true
}

// clip shortens foreign words that an error repeats.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}
