package textcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// literally answers like a reader that finds a claim where its words are, and knows what is planted.
func literally(b ReviewBatch, it ReviewItem) loopstate.ReviewAnswer {
	said := strings.TrimSuffix(it.Claim, ".")
	for _, p := range it.Passages {
		if strings.Contains(strings.ReplaceAll(p.Text, "\n", " "), said) {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: said}
		}
	}
	switch roleOf(b, it.Item) {
	case reader.RoleControl: // in other words than the passage
		return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: strings.TrimSpace(it.Passages[0].Text)}
	case reader.RolePlanted:
		return loopstate.ReviewAnswer{Answer: loopstate.AnswerContradicted, Quote: strings.TrimSpace(it.Passages[0].Text)}
	}
	return loopstate.ReviewAnswer{Answer: loopstate.AnswerNotStated}
}

// A sentence that cites the wrong line is found on the second look; its lines come with the lock.
func TestSecondLookOfADraft(t *testing.T) {
	t.Parallel()
	const draft = "The speed limit on the bridge is 60 kilometres per hour for all vehicles ([log](https://arden.example/bridge#L1)).\n\nEngineers painted the eastern cables blue ([log](https://arden.example/bridge#L5))."
	w := island()
	w.pages["https://arden.example/bridge"] = read("The bridge", bridgeText)
	lock, err := ReadLock("/texts", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	var batches []ReviewBatch
	cfg := config(w)
	cfg.Review, cfg.Locks = answering(literally, &batches), map[string]*Lock{"/texts/a.md": lock}
	r := check(t, cfg, Draft{"/texts/a.md", draft})
	if len(batches) != 2 || r.Review.Counted != 2 || r.Review.Left != 0 {
		t.Fatalf("%d batches, %+v", len(batches), r.Review)
	}
	if f := r.Files[0]; f.Supported != 1 || f.Corrected != 1 || f.NotStated != 1 {
		t.Errorf("%+v", f)
	}
	if c := r.Claims[0]; !strings.HasSuffix(c.Lines, "bridge:10-11") || !strings.Contains(c.Because, "bridge:1-2 does not say it, https://arden.example/bridge:10-11 does: ") {
		t.Errorf("%s: %s", c.Lines, c.Because)
	}

	// The same from the lock, without a reader.
	body, changed := lock.Bytes()
	if !changed || bytes.Count(body, []byte("\n")) != 3 {
		t.Fatalf("%s", body)
	}
	if lock, err = ReadLock("/texts", bytes.NewReader(body)); err != nil {
		t.Fatal(err)
	}
	cfg.Review, cfg.Locks = nil, map[string]*Lock{"/texts/a.md": lock}
	again := check(t, cfg, Draft{"/texts/a.md", draft})
	if f := again.Files[0]; f.Supported != 1 || f.Corrected != 1 || f.NotStated != 1 || again.Claims[0].Lines != r.Claims[0].Lines || again.Claims[0].Confidence != r.Claims[0].Confidence {
		t.Errorf("%+v, %s", f, again.Claims[0].Lines)
	}
	if _, changed := lock.Bytes(); changed {
		t.Error("a check without a reader changed the lock")
	}

	// Where the lines of the correction have changed, the sentence is read again.
	w.pages["https://arden.example/bridge"] = read("The bridge", strings.Replace(bridgeText, "60 kilometres", "50 kilometres", 1))
	if f := check(t, cfg, Draft{"/texts/a.md", draft}).Files[0]; f.Corrected != 0 || f.Unread != 1 {
		t.Errorf("changed: %+v", f)
	}
}

// Between the looks nothing is decided, and the lock remembers which look comes next.
func TestLockBetweenTheLooks(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 30 {
		fmt.Fprintf(&log, "The keeper of tower %d burned %d litres of oil in the winter of %d.\n\n", i+1, 200+7*i, 1800+i)
	}
	const draft = "The keeper of tower 9 burned 256 litres of oil in the winter of 1808 ([log](https://arden.example/log#L1)).\n"
	w := island()
	w.pages["https://arden.example/log"] = read("The log", log.String())
	lock, _ := ReadLock("/texts", strings.NewReader(""))
	var batches []ReviewBatch
	once := answering(literally, &batches)
	answer := once.Ask
	cfg := config(w)
	cfg.Locks = map[string]*Lock{"/texts/a.md": lock}
	for i, want := range []string{outcome.Undecided, outcome.Pass} {
		reads := 0
		cfg.Review = &Review{Reader: loopstate.Reader{Kind: "person", Name: "reader-x"}, Ask: func(ctx context.Context, b ReviewBatch) (ReviewAnswers, error) {
			if reads++; reads > 1 {
				return ReviewAnswers{}, nil // nobody is there any more
			}
			return answer(ctx, b)
		}}
		r := check(t, cfg, Draft{"/texts/a.md", draft})
		if r.Verdict != want || r.Files[0].NotStated != 0 || lock.Len() != 1 || r.Review.Left != 1-i {
			t.Errorf("look %d: %s, %+v, %d entries, %+v", i+1, r.Verdict, r.Files[0], lock.Len(), r.Review)
		}
	}
}

// A long text is sampled: what was read stands for the rest, with a bound.
func TestLongDraftsAreSampled(t *testing.T) {
	t.Parallel()
	var source, draft strings.Builder
	for i := range 90 {
		fmt.Fprintf(&source, "The keeper of tower %d burned %d litres of oil in the winter of %d.\n\n", i+1, 200+7*i, 1800+i)
		fmt.Fprintf(&draft, "The keeper of tower %d burned %d litres of oil in the winter of %d ([log](https://arden.example/log#L%d)).\n\n", i+1, 200+7*i, 1800+i, 2*i+1)
	}
	w := island()
	w.pages["https://arden.example/log"] = read("The log", source.String())
	var batches []ReviewBatch
	cfg := config(w)
	cfg.Review = answering(literally, &batches)
	r := check(t, cfg, Draft{"a.md", draft.String()})
	if f := r.Files[0]; r.Verdict != outcome.Pass || f.Supported != 20 || f.Unread != 70 || f.ToRead != 0 || f.Bound == nil || *f.Bound <= 0 || *f.Bound > 0.16 {
		t.Errorf("sample: %s, %+v", r.Verdict, f)
	}
	cfg.Coverage = loopstate.CoverageAll
	r = check(t, cfg, Draft{"a.md", draft.String()})
	if f := r.Files[0]; r.Verdict != outcome.Pass || f.Supported != 90 || f.Bound != nil {
		t.Errorf("all: %s, %+v", r.Verdict, f)
	}
}

func TestReadLockRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		line       int
	}{
		{"no version", `{"key":"k","answer":"supported"}`, 1},
		{"another version", `{"citeloop_lock":2}`, 1},
		{"no JSON", "{\"citeloop_lock\":1}\n<<<<<<< HEAD\n", 2},
		{"no key", "{\"citeloop_lock\":1}\n{\"answer\":\"supported\"}\n", 2},
		{"another answer", "{\"citeloop_lock\":1}\n{\"key\":\"k\",\"answer\":\"yes\"}\n", 2},
	} {
		_, err := ReadLock("/texts", strings.NewReader(tt.text))
		var bad *LockError
		if !errors.As(err, &bad) || bad.Line != tt.line {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func FuzzReadLock(f *testing.F) {
	f.Add("{\"citeloop_lock\":1}\n{\"file\":\"a.md\",\"key\":\"k\",\"answer\":\"supported\",\"corrected\":{\"source\":\"s.md\",\"lines\":\"1\",\"start\":-5,\"end\":9}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		lock, err := ReadLock("/texts", strings.NewReader(text))
		if err != nil {
			return
		}
		body, _ := lock.Bytes()
		again, err := ReadLock("/texts", bytes.NewReader(body))
		if err != nil {
			t.Fatalf("%v of %s", err, body)
		}
		if same, changed := again.Bytes(); changed || !bytes.Equal(same, body) {
			t.Errorf("%s is written as %s", body, same)
		}
	})
}

// A lock names files from its own folder, whatever the working folder is, and pages by their address.
func TestLockNamesFiles(t *testing.T) {
	t.Parallel()
	l := &Lock{folder: filepath.FromSlash("/repo/docs")}
	for _, tt := range []struct{ id, key, want string }{
		{"docs/notes.md", "file:/repo/docs/notes.md", "notes.md"}, {"../my notes.md", "file:/repo/my%20notes.md", "../my notes.md"},
		{"file:///srv/a.md", "file:/srv/a.md", "../../srv/a.md"}, {"https://arden.example/tower", "file:/repo/saved/tower.html", "https://arden.example/tower"}, {"S1", "url:arden.example/tower", "S1"},
	} {
		src := verify.Source{Source: loopstate.Source{ID: tt.id, Key: tt.key}}
		if got := l.name(src.Source); got != tt.want {
			t.Errorf("%s is %q in the lock, want %q", tt.id, got, tt.want)
		}
		if got, ok := l.find(tt.want, map[string]verify.Source{"x": {}, tt.id: src}); !ok || got.ID != tt.id {
			t.Errorf("%q leads to %q", tt.want, got.ID)
		}
	}
}
