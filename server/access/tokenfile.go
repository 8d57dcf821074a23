package access

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"
)

const (
	// maxTokenFileBytes holds maxTokens with their comments.
	maxTokenFileBytes = 4 << 20
	// tokenCheckEvery is how often the file is read again: a revoked token works no longer than this. Reading maxTokens of
	// them takes some milliseconds, and times of modification are too coarse to tell whether a file has changed.
	tokenCheckEvery = time.Second
)

// Tokens is an [Authenticator] for the tokens of a file. It reads the file once a second while it is used. It is safe for
// concurrent use.
type Tokens struct {
	path   string
	now    func() time.Time
	logger *slog.Logger

	mu      sync.Mutex
	checked time.Time
	tokens  []hashedToken
	fault   error // why there are no tokens
}

// OpenTokens reads a token file. It rejects a file that others can read or the group can write.
func OpenTokens(path string, now func() time.Time, logger *slog.Logger) (*Tokens, error) {
	t := &Tokens{path: path, now: now, logger: slog.New(slog.DiscardHandler)} // the first error is returned, not logged
	if t.refresh(); t.fault != nil {
		return nil, t.fault
	}
	t.logger = logger
	if len(t.tokens) == 0 {
		logger.Warn("the token file is empty, so nobody can call; create a token with 'citeloop token OWNER --file FILE'", "file", path)
	}
	return t, nil
}

// Authenticate implements [Authenticator]. It fails closed: with a missing or damaged file, no token is accepted.
func (t *Tokens) Authenticate(_ context.Context, token string) (Caller, error) {
	tokens, err := t.current()
	if err != nil {
		return Caller{}, err
	}
	caller, ok := callerOf(tokens, token)
	if !ok {
		return Caller{}, ErrUnknownToken
	}
	return caller, nil
}

func (t *Tokens) current() ([]hashedToken, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if since := t.now().Sub(t.checked); since < 0 || since >= tokenCheckEvery {
		t.refresh()
	}
	return t.tokens, t.fault
}

func (t *Tokens) refresh() {
	t.checked = t.now()
	had := t.fault
	tokens, err := readTokens(t.path)
	t.tokens, t.fault = tokens, err
	switch {
	case err != nil && had == nil:
		t.logger.Error("invalid token file: all calls are rejected until it is fixed", "error", err)
	case err == nil && had != nil:
		t.logger.Warn("the token file is valid again", "tokens", len(tokens))
	}
}

// readTokens opens, checks and reads a token file.
func readTokens(path string) ([]hashedToken, error) {
	f, err := openTokenFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_, tokens, err := tokensOf(f)
	return tokens, err
}

// tokensOf reads the text and the tokens of an open file.
func tokensOf(f *os.File) (data []byte, tokens []hashedToken, err error) {
	if data, err = io.ReadAll(io.LimitReader(f, maxTokenFileBytes+1)); err == nil && len(data) > maxTokenFileBytes {
		err = fmt.Errorf("larger than %d bytes", maxTokenFileBytes)
	}
	if err == nil {
		tokens, err = parseTokens(data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("token file %s: %w", f.Name(), err)
	}
	return data, tokens, nil
}

// openTokenFile opens a token file and checks its type and mode: before, because opening a pipe blocks, and after,
// because the file may have been replaced.
func openTokenFile(path string, flag int) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = checkTokenFile(path, info)
	} else if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("token file: %w", err)
	}
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, fmt.Errorf("token file: %w", err)
	}
	if info, err = f.Stat(); err == nil {
		err = checkTokenFile(path, info)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("token file: %w", err), f.Close())
	}
	return f, nil
}

func checkTokenFile(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	// Windows has no such bits. The group may read, for a service, but not write.
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o027 != 0 {
		return fmt.Errorf("%s has mode %04o, so others can read or change it; run chmod 600 on it", path, mode)
	}
	return nil
}

// AddToken creates a token for an owner and appends its hash to a file, which it creates if missing. The token itself is
// not stored.
func AddToken(path, owner string, scopes Scopes, random io.Reader, now time.Time) (token string, err error) {
	token, line, err := newToken(owner, scopes, random, now)
	if err != nil {
		return "", err
	}
	f, err := openTokenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, tokens, err := tokensOf(f)
	if err != nil {
		return "", err
	}
	if len(tokens) >= maxTokens {
		return "", fmt.Errorf("token file %s: too many tokens: %d, at most %d are allowed", path, len(tokens), maxTokens)
	}
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
		line = "\n" + line
	}
	if _, err := io.WriteString(f, line); err != nil { // one write, so that concurrent ones do not mix
		return "", fmt.Errorf("token file: %w", err)
	}
	return token, f.Sync()
}
