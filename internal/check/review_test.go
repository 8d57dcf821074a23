package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// onePage reads the same text at every address that does not end in gone or lost.
type onePage string

func (p onePage) ReadAll(_ context.Context, urls []string, each func(int, fetch.Page)) (out []fetch.Page) {
	for i, address := range urls {
		page := fetch.Page{URL: address, FinalURL: address, Status: fetch.StatusRead}
		if page.Text, page.Chars = string(p), len(p); strings.HasSuffix(address, "gone") || strings.HasSuffix(address, "lost") {
			page = fetch.Page{URL: address, Status: fetch.StatusBlocked, Reason: "a paywall"}
		}
		if out = append(out, page); each != nil {
			each(i, page)
		}
	}
	return out
}

// A file with several batches is answered once: where one of them is void, later ones count neither in this call nor in the next.
func TestTakeRefusesBatchesBesideVoidOnes(t *testing.T) {
	t.Parallel()
	var text, draft strings.Builder
	for i := range 60 {
		said := fmt.Sprintf("The depot in street %d of Arden keeps %d barrels of tar.", 101+i, 37*i+211)
		fmt.Fprintf(&text, "%s\n\n", said)
		fmt.Fprintf(&draft, "%s [S](https://example.org/tar#L%d)\n\n", said, 2*i+1)
	}
	store, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ids := 0
	pages := NewPages(onePage(text.String()), nil, false)
	svc := loops.New(loops.Config{Store: store, Reader: pages, Owner: loops.LocalOwner, Now: time.Now,
		NewID: func() string { ids++; return fmt.Sprint("id", ids) }, Generator: "test", Patience: time.Minute,
		MaxCited: 10})
	r := &Review{Service: svc, Question: "tar"}
	if _, err := r.ForFile(t.Context(), Draft{Name: "tar.md"}, loops.VerifyInput{Draft: draft.String()}); err != nil {
		t.Fatal(err)
	}
	careless, careful := Answers{Batch: r.Loop, Reader: "x"}, Answers{Batch: r.Loop, Reader: "x"}
	for _, it := range r.Items {
		a := loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerNotStated}
		if slices.ContainsFunc(it.Passages, func(p Passage) bool { return strings.Contains(p.Text, strings.TrimSpace(it.Claim)) }) {
			a.Answer = loopstate.AnswerSupported
		}
		if strings.HasPrefix(it.Item, "R1-") {
			a.Answer = loopstate.AnswerSupported
		} else {
			careful.Answers = append(careful.Answers, a)
		}
		careless.Answers = append(careless.Answers, a)
	}
	if len(careful.Answers) == 0 || len(careful.Answers) == len(careless.Answers) {
		t.Fatalf("%d of %d items are in later batches", len(careful.Answers), len(careless.Answers))
	}
	for _, in := range []Answers{careless, careful} {
		found, err := r.Take(t.Context(), in, "answers.json")
		if err != nil || len(found) > 0 {
			t.Errorf("%d readings count, %v: %q", len(found), err, r.Notes)
		}
	}
	st, err := svc.Snapshot(t.Context(), r.Loop, 0)
	if err != nil || st.Reviews[0].Status != loopstate.BatchVoid || st.Reviews[1].Status == loopstate.BatchCounted {
		t.Errorf("%+v, %v", st.Reviews, err)
	}
}
