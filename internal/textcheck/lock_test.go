package textcheck

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/outcome"
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

// All sentences of a long text are read.
func TestLongDraftsAreReadWhole(t *testing.T) {
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
	if f := r.Files[0]; r.Verdict != outcome.Pass || f.Supported != 90 {
		t.Errorf("%s, %+v", r.Verdict, f)
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
