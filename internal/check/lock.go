package check

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// LockName is the name of the file with the readings of the texts in its folder.
const LockName = "citeloop.lock"

const (
	// maxLockBytes bounds a lock: 100,000 sentences (chosen).
	maxLockBytes = 32 << 20
	lockVersion  = 1
	// lockSentenceChars of a sentence are in its entry, for people who read the difference of two versions.
	lockSentenceChars = 80
)

// Lock keeps what readers found about the sentences of texts in one folder: a memory that a reviewer approves, like a file of checksums.
// It proves nothing against who can write it. An entry holds while the sentence and the cited
// block, or the source that is cited as a whole, stay as they were: its key is made of them.
type Lock struct {
	folder  string // absolute
	entries []lockEntry
	byKey   map[lockKey]int
	written []byte // as it was read
	base    *Lock  // before the change that is checked; nil: the readings of every entry are old
}

// Since makes the readings that another version of the lock does not have new ones.
func (l *Lock) Since(base *Lock) { l.base = base }

// lockKey finds an entry.
type lockKey struct{ file, key string }

// lockEntry is one line of a lock.
type lockEntry struct {
	File     string `json:"file,omitempty"` // within the folder
	Sentence string `json:"sentence,omitempty"`
	Key      string `json:"key,omitempty"`
	Answer   string `json:"answer,omitempty"`
	Quote    string `json:"quote,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Reader   string `json:"reader,omitempty"`

	Version int `json:"citeloop_lock,omitempty"` // of the first line
}

// LockError reports an unusable line of a lock.
type LockError struct {
	Line    int
	Problem string
}

func (e *LockError) Error() string {
	return fmt.Sprintf("%s, line %d: %s; correct it, or remove the file and have the text read again", LockName, e.Line, e.Problem)
}

// ReadLock reads a lock, or makes an empty one from an empty file. The error is a [*LockError], or that of the reader.
func ReadLock(folder string, in io.Reader) (*Lock, error) {
	l := &Lock{folder: folder, byKey: map[lockKey]int{}}
	body, err := io.ReadAll(io.LimitReader(in, maxLockBytes+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxLockBytes {
		return nil, &LockError{1, fmt.Sprintf("the file has more than %d MB", maxLockBytes>>20)}
	}
	l.written = body
	scan := bufio.NewScanner(bytes.NewReader(body))
	scan.Buffer(nil, 1<<20)
	n := 0
	for scan.Scan() {
		n++
		var e lockEntry
		if err := json.Unmarshal(scan.Bytes(), &e); err != nil {
			return nil, &LockError{n, "invalid JSON"}
		}
		if n == 1 {
			if e.Version != lockVersion {
				return nil, &LockError{n, fmt.Sprintf("the first line must be {\"citeloop_lock\":%d}", lockVersion)}
			}
			continue
		}
		if e.Key == "" || loopstate.CheckOneOf("answer", e.Answer, loopstate.ReviewAnswers()) != nil || e.Answer == "" {
			return nil, &LockError{n, "key or answer is missing"}
		}
		l.add(e)
	}
	if err := scan.Err(); err != nil {
		return nil, &LockError{n + 1, "the line is too long"}
	}
	return l, nil
}

func (l *Lock) add(e lockEntry) {
	l.byKey[lockKey{e.File, e.Key}] = len(l.entries)
	l.entries = append(l.entries, e)
}

// Bytes returns the file, and whether it differs from what was read. An empty lock has none.
func (l *Lock) Bytes() (body []byte, changed bool) {
	var b bytes.Buffer
	if len(l.entries) > 0 {
		out := outcome.JSON(&b, false)
		_ = out.Encode(lockEntry{Version: lockVersion}) // cannot fail in memory
		for _, e := range l.entries {
			_ = out.Encode(e)
		}
	}
	return b.Bytes(), !bytes.Equal(b.Bytes(), l.written)
}

// Len counts the readings.
func (l *Lock) Len() int { return len(l.entries) }

// reading returns what the lock has about a claim of a file, and whether its base does not have the same. An entry holds only where the
// file, the sentence and the words that decided are those of the claim. Who read is what the lock says.
func (l *Lock) reading(file string, c verify.Claim) (reading loopstate.Reading, fresh, ok bool) {
	if l == nil || c.Key == "" {
		return reading, false, false
	}
	key := lockKey{l.path(file), c.Key}
	i, ok := l.byKey[key]
	if !ok {
		return reading, false, false
	}
	e := l.entries[i]
	needed := e.Answer == loopstate.AnswerPartly || e.Answer == loopstate.AnswerContradicted ||
		e.Quote != "" && e.Answer != loopstate.AnswerNotStated
	if e.Sentence != sentenceOf(c) || needed && !reader.QuoteFound(e.Quote, c.Passages) {
		return reading, false, false
	}
	if l.base != nil {
		at, known := l.base.byKey[key]
		fresh = !known || l.base.entries[at].Answer != e.Answer
	}
	who := loopstate.Reader{Kind: e.Kind, Name: strings.TrimSpace(sanitize.Short(e.Reader, 60) + ", says the lock")}
	return loopstate.Reading{Item: LockName, Answer: e.Answer, Quote: e.Quote, Reader: who}, fresh, true
}

// path returns a file as entries name it.
func (l *Lock) path(file string) string {
	if full, err := filepath.Abs(filepath.FromSlash(file)); err == nil {
		if rel, err := filepath.Rel(l.folder, full); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return file
}

// keep makes the entries of a text those of its claims, in their order. The entry of a sentence whose source could not be read
// this time stays; those of other texts stay as well.
func (l *Lock) keep(file string, claims []verify.Claim) {
	if l == nil {
		return
	}
	file = l.path(file)
	var all []lockEntry
	waiting := map[string]bool{} // sentences that nobody can judge now
	for _, c := range claims {
		if c.Key == "" {
			waiting[sentenceOf(c)] = true
			continue
		}
		r := c.Reading
		if at, held := l.byKey[lockKey{file, c.Key}]; held && (r == nil || r.Item == LockName) { // it stays as it is
			all = append(all, l.entries[at])
		} else if r != nil {
			all = append(all, lockEntry{File: file, Sentence: sentenceOf(c), Key: c.Key, Answer: r.Answer, Quote: r.Quote,
				Kind: r.Reader.Kind, Reader: r.Reader.Name})
		}
	}
	for _, e := range l.entries {
		if e.File != file || waiting[e.Sentence] {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b lockEntry) int { return cmp.Compare(a.File, b.File) })
	l.entries = nil
	clear(l.byKey)
	for _, e := range all {
		if _, known := l.byKey[lockKey{e.File, e.Key}]; !known { // a text may say the same twice
			l.add(e)
		}
	}
}

func sentenceOf(c verify.Claim) string { return sanitize.Short(c.Text, lockSentenceChars) }
