package access

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
)

// A token file has one token a line: owner, SHA-256 of the token in hex and, if it is known, the creation time. A # starts a comment. The
// file holds no secrets: tokens have 256 random bits, so a hash without salt or stretching is safe.
//
//	# the team's tokens
//	anna 3b1f…e9 2026-11-21T09:30:00Z
//	ben  90cc…07

const (
	tokenBytes        = 32
	tokenPrefix       = "citeloop_" // recognised by people and by scanners for leaked secrets
	maxTokenFileBytes = 1 << 20     // about 10,000 tokens, which are compared in 0.2 ms
	tokenCheckEvery   = time.Second // how often the file is read again: a revoked token works no longer than this
	idDigits          = 12          // enough hex digits of the hash to distinguish the tokens of one file
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

// Token describes a token of a file, without the secret.
type Token struct {
	ID    string // the first digits of its hash
	Owner string
	Made  time.Time // zero if the file does not state it

	hash [sha256.Size]byte
	at   int // where its line begins in the file
}

// Tokens is an [Authenticator] for the tokens of a file. It reads the file once a second while it is used. It is safe for
// concurrent use.
type Tokens struct {
	path string
	now  func() time.Time

	mu      sync.Mutex
	checked time.Time
	tokens  []Token
	fault   error // why there are no tokens
}

// OpenTokens reads a token file. It rejects a file that others can read or the group can write.
func OpenTokens(path string, now func() time.Time) (*Tokens, error) {
	tokens, err := ListTokens(path)
	return &Tokens{path: path, now: now, checked: now(), tokens: tokens}, err
}

// Authenticate implements [Authenticator]. It fails closed: with a missing or damaged file, no token is accepted. It
// compares all hashes in constant time, so that its duration reveals nothing.
func (t *Tokens) Authenticate(_ context.Context, token string) (string, error) {
	t.mu.Lock()
	now := t.now()
	if since := now.Sub(t.checked); since < 0 || since >= tokenCheckEvery {
		t.checked = now
		t.tokens, t.fault = ListTokens(t.path)
	}
	tokens, fault := t.tokens, t.fault
	t.mu.Unlock()
	if fault != nil {
		return "", fault
	}
	hash, at := sha256.Sum256([]byte(token)), -1
	for i := range tokens {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(tokens[i].hash[:], hash[:]), i, at)
	}
	if at < 0 {
		return "", ErrUnknownToken
	}
	return tokens[at].Owner, nil
}

// ListTokens returns the tokens of a file in order. It checks type and mode first, because opening a pipe blocks.
func ListTokens(path string) (tokens []Token, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("token file: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("token file: %s is not a regular file", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o027 != 0: // the group may read, for a service, but not write
		const format = "token file: %s has mode %04o, so others can read or change it; run chmod 600 on it"
		return nil, fmt.Errorf(format, path, info.Mode().Perm())
	case info.Size() > maxTokenFileBytes:
		return nil, fmt.Errorf("token file %s: larger than %d bytes", path, maxTokenFileBytes)
	}
	data, err := os.ReadFile(path)
	if err == nil {
		tokens, err = parseTokens(data)
	}
	if err != nil {
		return nil, fmt.Errorf("token file %s: %w", path, err)
	}
	return tokens, nil
}

// AddToken creates a token for an owner and appends its hash to a file, which it creates if missing. The token itself is
// not stored.
func AddToken(path, owner string, now time.Time) (token string, err error) {
	if err := CheckOwner(owner); err != nil {
		return "", err
	}
	if _, err := ListTokens(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // it never fails
	token = tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
	// One write, so that concurrent ones do not mix. An editor may have left the last line without an end.
	line := fmt.Sprintf("\n%s %x %s\n", owner, sha256.Sum256([]byte(token)), now.UTC().Format(time.RFC3339))
	return token, change(path, os.O_CREATE|os.O_APPEND, func(f *os.File) (int, error) { return f.WriteString(line) })
}

// RevokeToken comments out the line of the token with this id. It writes one byte, so that a server that reads the file at
// that moment never sees half a line.
func RevokeToken(path, id string) (revoked Token, err error) {
	tokens, err := ListTokens(path)
	if err != nil {
		return revoked, err
	}
	i := slices.IndexFunc(tokens, func(t Token) bool { return strings.EqualFold(t.ID, id) })
	if i < 0 {
		return revoked, fmt.Errorf("no token %q in %s; run 'citeloop token list' to see all tokens", clip(id), path)
	}
	return tokens[i], change(path, 0, func(f *os.File) (int, error) { return f.WriteAt([]byte{'#'}, int64(tokens[i].at)) })
}

// change writes to a token file until it is on disk.
func change(path string, flag int, write func(*os.File) (int, error)) error {
	f, err := os.OpenFile(path, os.O_WRONLY|flag, 0o600)
	if err != nil {
		return fmt.Errorf("token file: %w", err)
	}
	_, err = write(f)
	return errors.Join(err, f.Sync(), f.Close())
}

// parseTokens reads a token file. An invalid line is an error: if it were skipped, its author would look for the fault
// elsewhere.
func parseTokens(data []byte) (tokens []Token, err error) {
	at, n := 0, 0
	for line := range bytes.Lines(data) {
		n++
		text, _, _ := strings.Cut(string(line), "#")
		if fields := strings.Fields(text); len(fields) > 0 {
			t, err := parseToken(fields)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			t.at = at
			tokens = append(tokens, t)
		}
		at += len(line)
	}
	return tokens, nil
}

func parseToken(fields []string) (t Token, err error) {
	if len(fields) < 2 || len(fields) > 3 { // builds that had scopes wrote them in a fourth
		return t, fmt.Errorf("unexpected number of fields: %d; use OWNER SHA256 [TIME], or make a new token", len(fields))
	}
	t.Owner = fields[0]
	hash, err := hex.DecodeString(fields[1])
	if err != nil || len(hash) != sha256.Size {
		return t, fmt.Errorf("invalid SHA-256 in the second field: use %d hex digits", 2*sha256.Size)
	}
	t.hash, t.ID = [sha256.Size]byte(hash), hex.EncodeToString(hash)[:idDigits]
	if len(fields) > 2 {
		if t.Made, err = time.Parse(time.RFC3339, fields[2]); err != nil {
			return t, errors.New("invalid time in the third field: use the form 2026-11-21T09:30:00Z")
		}
	}
	return t, CheckOwner(t.Owner)
}
