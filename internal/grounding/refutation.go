package grounding

import (
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

var refutations = sync.OnceValue(func() []string { return wordlist.Words("refutations", "") })

// refutationChars: of a text this short all is read, of a longer one the best window.
const refutationChars = 800

// refutation looks, for a Chinese claim, for words of refutation that the claim does not have, and compares whether the claim and
// its best sentence deny anything at all.
func (m *comparison) refutation() (refuted, denied float64) {
	if !m.claim.chinese {
		return 0, 0
	}
	w := m.windows[0]
	d := m.docs[w.doc]
	context := d.Text
	if len(context) > refutationChars*utf8.UTFMax || utf8.RuneCountInString(context) > refutationChars {
		context = d.evidence(w.first, w.last).Text
	}
	kinds := 0
	for _, word := range refutations() {
		if strings.Contains(context, word) && !strings.Contains(m.claim.text, word) {
			kinds++
		}
	}
	refuted = math.Log(1 + float64(kinds))
	best := m.ranked[0]
	if hasNegator(m.claim.text) != hasNegator(m.docs[best.doc].sentences[best.sentence].Text) {
		denied = 1
	}
	return refuted, denied
}
