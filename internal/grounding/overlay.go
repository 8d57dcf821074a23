package grounding

import (
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// overlay is the claim's running words laid over the best window.
type overlay struct {
	phrases, words float64 // see features
	order          float64 // neighbouring words of content that follow each other in the window too
	degree         float64
}

const (
	// orderReach is how far apart two words may be in the text that are neighbours in the claim.
	orderReach = 4
	// maxOverlay bounds the words of a window that are compared: a sentence beyond is a list (chosen).
	maxOverlay = 800
)

// layOver compares the best window with the claim word by word. Where names have changed places, order drops.
func (m *comparison) layOver() overlay {
	if m.overlay != nil {
		return *m.overlay
	}
	o := overlay{order: 1}
	m.overlay = &o
	if len(m.windows) == 0 {
		return o
	}
	w := m.windows[0]
	own := m.claim.workings
	places := make([][]int, len(own.words)) // by word of the claim
	pairs := make(map[[2]int32]bool)        // of words of the claim that are side by side
	a := m.claim.analyzer
	n, before := 0, int32(-1)
	a.Tokens(m.docs[w.doc].evidence(w.first, w.last).Text, func(t passages.Token) {
		if n < maxOverlay {
			word, ok := own.words[t.Term]
			if ok {
				places[word] = append(places[word], n)
				if before >= 0 {
					pairs[[2]int32{before, word}] = true
				}
				before = word
			} else {
				before = -1
			}
		}
		n++
	})
	shared, neighbours, sharedPairs := 0, 0, 0
	n, before = 0, -1
	for _, word := range own.running {
		there := len(places[word]) > 0
		if there {
			shared++
		} else if own.degree[word] {
			o.degree++
		}
		if n > 0 {
			neighbours++
			if there && pairs[[2]int32{before, word}] {
				sharedPairs++
			}
		}
		before = word
		n++
	}
	if n > 0 {
		o.words = float64(shared) / float64(n)
	}
	switch {
	case neighbours > 0:
		o.phrases = float64(sharedPairs) / float64(neighbours)
	default:
		o.phrases = o.words
	}
	if len(m.claim.terms) >= 2 {
		kept := 0
		for i := 1; i < len(m.claim.terms); i++ {
			if follows(places[own.words[m.claim.terms[i-1].term]], places[own.words[m.claim.terms[i].term]]) {
				kept++
			}
		}
		o.order = float64(kept) / float64(len(m.claim.terms)-1)
	}
	return o
}

// follows reports whether some place of b is within reach after a place of a. Both ascend.
func follows(a, b []int) bool {
	j := 0
	for _, p := range a {
		for j < len(b) && b[j] <= p {
			j++
		}
		if j < len(b) && b[j] <= p+orderReach {
			return true
		}
	}
	return false
}

// degreeWords make a claim stronger than a text that lacks them; as stems.
const degreeWords = ` onli most best largest first all everi alway never highest more less greatest longest main major larg both `

func isDegree(term string) bool { return len(term) < 12 && strings.Contains(degreeWords, " "+term+" ") }
