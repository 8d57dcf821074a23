package progress

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Of many steps only some are reported, but always the last; the amounts grow, and the answer waits a little after the last.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const steps = 5_000
		reports, last := 0, 0.0
		ctx, settle := To(t.Context(), func(done float64, total int, _ string) {
			if reports++; done <= last || total != steps {
				t.Errorf("after %v comes %v of %d", last, done, total)
			}
			last = done
		})
		for i := range steps {
			time.Sleep(time.Millisecond)
			Step(ctx, steps, fmt.Sprint(i))
		}
		if reports > stepsAtOnce+steps/100+2 || reports < steps/100 || last != steps {
			t.Errorf("%d reports, the last %v", reports, last)
		}
		begun := time.Now()
		settle()
		if waited := time.Since(begun); waited != grace {
			t.Errorf("the answer waited %v", waited)
		}
	})
}
