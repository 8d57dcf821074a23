package grounding

import (
	"math"
	"strings"
	"unicode/utf8"
)

// refutations are Chinese words by which a text rejects what is said elsewhere, or denies at least. Written by hand.
var refutations = []string{"谣言", "謠言", "谣传", "不实", "虚假", "虛假", "辟谣", "误解", "误读", "假消息", "假的", "并非", "并不", "不存在", "没有科学", "没有证据", "不是", "无法", "不能",
	"否认", "澄清", "造谣", "不会", "没有", "错误", "錯誤", "不符", "誤", "查无", "伪"}

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
	for _, word := range refutations {
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
