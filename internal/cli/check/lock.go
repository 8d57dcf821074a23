package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// lockName is the name of the file with the readings of the texts in its folder.
const lockName = "citeloop.lock"

const (
	// maxLockBytes bounds a lock: 100,000 sentences (chosen).
	maxLockBytes = 32 << 20
	lockVersion  = 1
	// lockSentenceChars of a sentence are in its entry, for people who read the difference of two versions.
	lockSentenceChars = 80
)

// lock keeps what readers found about the sentences of texts in one folder: a memory that a reviewer approves, like a file of checksums.
// It proves nothing against who can write it. An entry holds while the sentence and the cited block, or the source that is cited as a
// whole, stay as they were: its key is made of them.
type lock struct {
	entries lockEntries
	written lockEntries // as it was read
	counted lockEntries // of it, those that the base of the change has, too, if there is one
}

type lockEntries map[lockKey]lockEntry

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

// lockOf returns the lock of a folder, which without a file is empty; nil if no lock is used.
func (run *verifyRun) lockOf(ctx context.Context, folder string) (l *lock, err error) {
	if l = run.locks[folder]; l != nil || run.noLock {
		return l, nil
	}
	name, body := filepath.Join(folder, lockName), []byte(nil)
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		if body, err = readPlain(name, maxLockBytes, "--no-lock"); err != nil {
			return nil, err
		}
	}
	written, err := readLock(folder, body)
	if err != nil {
		return nil, err
	}
	l = &lock{entries: maps.Clone(written), written: written, counted: written}
	run.locks[folder] = l
	if run.lockBase == "" {
		return l, nil
	}
	base, err := lockAt(ctx, folder, run.lockBase)
	l.counted = lockEntries{}
	who := map[string]bool{}
	for key, e := range written {
		if base[key].Answer == e.Answer {
			l.counted[key] = e
		} else {
			who[cmp.Or(strings.TrimSpace(e.Kind+" "+e.Reader), "nobody named")] = true
		}
	}
	if n := len(written) - len(l.counted); n > 0 {
		run.notes = append(run.notes, fmt.Sprintf("%s: %s not counted, because %s lacks them; by %s (says the lock)",
			sanitize.Line(fromHere(name)), english.Plural(n, "reading", ""), sanitize.Line(run.lockBase),
			sanitize.Short(strings.Join(slices.Sorted(maps.Keys(who)), ", "), addressChars)))
	}
	return l, err
}

// lockAt reads the lock of a folder as it is in a revision of its repository; without a file there it is empty.
func lockAt(ctx context.Context, folder, revision string) (lockEntries, error) {
	git := func(args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, "git", append([]string{"-C", folder}, args...)...).Output()
	}
	commit, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, console.Usagef("--lock-base: git knows no revision %q in %s: fetch it first (fetch-depth: 0)",
			revision, fromHere(folder))
	}
	body, _ := git("show", strings.TrimSpace(string(commit))+":./"+lockName) // nothing, if the revision has no lock
	return readLock(folder+" at "+revision, body)
}

// readLock reads a lock, which an error calls by a name. An empty file is an empty lock.
func readLock(name string, body []byte) (lockEntries, error) {
	if len(body) > maxLockBytes {
		return nil, console.Usagef("%s: %s has more than %d MB: remove it, and have the text read again", name, lockName, maxLockBytes>>20)
	}
	out, n := lockEntries{}, 0
	for line := range bytes.Lines(body) {
		n++
		var e lockEntry
		problem := ""
		switch err := json.Unmarshal(line, &e); {
		case err != nil:
			problem = "invalid JSON"
		case n == 1 && e.Version != lockVersion:
			problem = fmt.Sprintf("the first line must be {\"citeloop_lock\":%d}", lockVersion)
		case n == 1:
		case e.Key == "" || !slices.Contains(loopstate.ReviewAnswers(), e.Answer):
			problem = "key or answer is missing"
		default:
			out[lockKey{e.File, e.Key}] = e
		}
		if problem != "" {
			return nil, console.Usagef("%s: %s, line %d: %s; correct it, or remove the file and have the text read again", name, lockName,
				n, problem)
		}
	}
	return out, nil
}

// reading returns what the lock has about a claim of a file. An entry holds only where the file, the sentence and the words that decided
// are those of the claim. Who read is what the lock says.
func (l *lock) reading(file string, c verify.Claim) (reading loopstate.Reading, ok bool) {
	if l == nil {
		return reading, false
	}
	e, ok := l.counted[lockKey{filepath.Base(file), c.Key}]
	needed := e.Answer == loopstate.AnswerPartly || e.Answer == loopstate.AnswerContradicted ||
		e.Quote != "" && e.Answer != loopstate.AnswerNotStated
	if !ok || e.Sentence != sentenceOf(c) || needed && !reader.QuoteFound(e.Quote, c.Passages) {
		return reading, false
	}
	who := loopstate.Reader{Kind: e.Kind, Name: strings.TrimSpace(sanitize.Short(e.Reader, 60) + ", says the lock")}
	return loopstate.Reading{Item: lockName, Answer: e.Answer, Quote: e.Quote, Reader: who}, true
}

// keep makes the entries of a text those of its claims. The entry of a sentence whose source could not be read this time stays; those of
// other texts stay as well.
func (l *lock) keep(file string, claims []verify.Claim) {
	if l == nil {
		return
	}
	file = filepath.Base(file)
	stay := map[string]bool{} // keys, and sentences that nobody can judge now
	for _, c := range claims {
		stay[cmp.Or(c.Key, sentenceOf(c))] = true
		if r := c.Reading; r != nil && r.Item != lockName {
			l.entries[lockKey{file, c.Key}] = lockEntry{File: file, Sentence: sentenceOf(c), Key: c.Key, Answer: r.Answer, Quote: r.Quote,
				Kind: r.Reader.Kind, Reader: r.Reader.Name}
		}
	}
	maps.DeleteFunc(l.entries, func(_ lockKey, e lockEntry) bool { return e.File == file && !stay[e.Key] && !stay[e.Sentence] })
}

func sentenceOf(c verify.Claim) string { return sanitize.Short(c.Text, lockSentenceChars) }

// writeLocks keeps new readings, and says what a check without a reader comes to with them. A lock is made or changed only after a
// review, so that a check alone writes nothing.
func (run *verifyRun) writeLocks(verdict string) error {
	then := map[string]string{
		outcome.Pass:      "commit it, and the check passes without a reader until the text or its sources change",
		outcome.Undecided: "commit it; sentences that are not read yet still wait",
		outcome.Fail:      "the check fails until the text is corrected; commit both then, and only changed sentences are read again",
	}
	for folder, lock := range run.locks {
		if maps.Equal(lock.entries, lock.written) {
			continue
		}
		name, fresh := filepath.Join(folder, lockName), 0
		for key, e := range lock.entries {
			if lock.written[key] != e {
				fresh++
			}
		}
		if err := safefile.WriteFile(name, lock.entries.write); err != nil {
			return fmt.Errorf("keeping what the reader found: %w; use --no-lock to keep nothing", err)
		}
		fmt.Fprintf(run.p.Stderr, "wrote %s to %s, %d of them new: %s\n", english.Plural(len(lock.entries), "reading", ""),
			fromHere(name), fresh, then[verdict])
	}
	return nil
}

// write writes the file: the entries by their sentences, so that branches of a text seldom conflict.
func (entries lockEntries) write(w io.Writer) error {
	all := slices.SortedFunc(maps.Values(entries), func(a, b lockEntry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Sentence, b.Sentence), cmp.Compare(a.Key, b.Key))
	})
	out := outcome.JSON(w, false)
	for _, e := range slices.Insert(all, 0, lockEntry{Version: lockVersion}) {
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return nil
}
