package textcheck

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/verify"
)

// inWords returns the summary line of a check, without a full stop.
func inWords(t verify.Tally) string {
	if t.Total() == 0 {
		return "no sentence makes a claim, so nothing was checked"
	}
	var parts []string
	for _, part := range []struct {
		n     int
		words string
	}{
		{t.Supported, "supported"}, {t.Partly, "partly supported"}, {t.Contradicted, "contradicted by the source"}, {t.NotStated, "not in the source"},
		{t.Unread, "not read yet"}, {t.BadQuotes, "with words that no source has"}, {t.Dead, "citing nothing that was read"}, {t.Uncited, "uncited"}, {t.NotChecked, "not checked"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.words))
		}
	}
	if t.Total() == 1 {
		return "1 sentence: " + strings.Join(parts, ", ")
	}
	return fmt.Sprintf("%d sentences: %s", t.Total(), strings.Join(parts, ", "))
}
