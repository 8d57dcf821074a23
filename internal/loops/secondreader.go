package loops

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	reviewTime   = 17 * time.Second // of the reader within one tool call of 25 s
	tokensOfItem = 1_000            // about the cost of one item: 500 to 800 tokens of passages, and the answer
)

// FlagNotReviewed is the kind of a flag about claims that the configured reader did not review.
const FlagNotReviewed = "not_reviewed"

// readByEndpoint lets the configured model answer review batches until nothing is pending, two batches were void, or the
// time is over. It reports whether a batch counted, and flags what prevented a review. After two void batches in a row, it
// asks the model again only if demanded is set.
func (s *Service) readByEndpoint(ctx context.Context, loop string, demanded bool) (counted bool, flags []string, err error) {
	limited, cancel := context.WithTimeout(ctx, cmp.Or(s.Patience, reviewTime))
	defer cancel()
	who := loopstate.Reader{Kind: ReaderEndpoint, Name: s.ClaimReader.Model()}
	flag := func(format string, args ...any) {
		flags = append(flags, FlagNotReviewed+": "+fmt.Sprintf(format, args...))
	}
	for void := 0; void < reader.VoidBatches && limited.Err() == nil; {
		failed := 0
		tokens, err := peek(ctx, s, loop, func(st *loopstate.State) int {
			failed = reader.VoidLast(st, who)
			return *st.Remaining().Tokens
		})
		if err == nil && failed >= reader.VoidBatches && !demanded {
			flag("%s had two void batches; ask it again with judge llm", who.Name)
			break
		}
		var batch ReviewResult
		if err == nil {
			batch, err = s.Review(ctx, ReviewInput{Loop: loop, Limit: loopstate.MaxReviewItems, Reader: who})
		}
		n := len(batch.Items)
		switch {
		case loopstate.Has(err, loopstate.CodeNothingToRead):
			return counted, flags, nil
		case err != nil:
			return counted, flags, err
		case n*tokensOfItem > tokens:
			flag("the loop has %d tokens left, and %d items need about %d", tokens, n, n*tokensOfItem)
			return counted, flags, nil
		}
		reading, err := s.ClaimReader.Read(limited, batch.Items)
		if err != nil {
			return counted, flags, fmt.Errorf("loops: ask the reader: %w", err)
		}
		result, usage := batch, loopstate.Usage{Tokens: reading.Tokens}
		if len(reading.Answers) > 0 {
			result, err = s.Review(ctx, ReviewInput{Loop: loop, Batch: batch.Batch, Answers: reading.Answers, Limit: 1, Reader: who,
				Usage: usage})
		} else if usage.Tokens > 0 {
			_, err = s.Update(ctx, loop, "", loopstate.UpdateInput{Usage: usage})
		}
		unanswered, inTime := n-len(reading.Answers), limited.Err() == nil
		switch {
		case err != nil:
			return counted, flags, err
		case result.Status == loopstate.BatchVoid:
			void++
			flag("batch %s is void and changed nothing: %s caught %d of %d planted errors and passed %d of %d controls", result.Batch,
				who.Name, result.Planted.Good, result.Planted.N, result.Controls.Good, result.Controls.N)
		case result.Status == loopstate.BatchCounted:
			counted = true
		case len(result.Refused) > 0 && unanswered == 0 && inTime: // each item is refused once, so this ends
		default:
			flag("%d of %d items of batch %s have no answer yet: %s; verify again to continue", unanswered+len(result.Refused), n,
				batch.Batch, cmp.Or(reading.Problem, "quotes are not in what was shown"))
			return counted, flags, nil
		}
		if !inTime && result.Left > 0 {
			flag("the time was up with %d claims left; verify again to continue", result.Left)
		}
	}
	return counted, flags, nil
}
