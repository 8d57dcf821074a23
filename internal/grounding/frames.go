package grounding

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// inTitle reports whether the title, site, publisher, authors or host of the source has a token of a frame of
// attribution, or of what the claim begins with: a text names its subject in the title and continues with "it".
func (x *account) inTitle(i int) bool {
	t := x.claim.tokens
	if !t[i].hidden && !x.opening(i) {
		return false
	}
	return x.k.known(x.doc, t[i]) || t[i].hidden && (x.k.generic(t[i].word) || x.hostName(i))
}

// opening reports whether a token is before the first word of the claim that the passage has.
func (x *account) opening(i int) bool {
	t := x.claim.tokens
	for j := 0; j < i; j++ {
		if x.at[j] >= 0 && !t[j].function {
			return false
		}
	}
	return t[i].number == 0
}

// closing reports whether a token is the last one of content in the claim.
func (x *account) closing(i int) bool {
	return !slices.ContainsFunc(x.claim.tokens[i+1:], func(t token) bool { return !t.function })
}

// closingFrame is the most tokens of a frame that ends a claim.
const closingFrame = 6

// hideFrames marks the words of the claim that only say whose statement it is: "according to the BBC".
func (k *comparer) hideFrames() {
	w := k.claim
	for i := range w.tokens {
		if !w.tokens[i].speech || i > 0 && w.tokens[i-1].speech {
			continue
		}
		phrase := false
		for _, m := range k.frames {
			phrase = phrase || m.Start == w.tokens[i].start
		}
		if phrase { // the speaker follows
			for j := i + 1; j < len(w.tokens) && w.tokens[j].clause == w.tokens[i].clause; j++ {
				w.tokens[j].hidden = true
			}
			continue
		}
		first := w.segmentStart(i)
		if slices.ContainsFunc(w.tokens[:first], func(t token) bool { return !t.function }) { // the speaker opens the claim, or a short segment ends it: "…, the ministry says"
			if len(w.tokens)-first <= closingFrame && w.tokens[len(w.tokens)-1].segment == w.tokens[i].segment {
				for j := first; j < len(w.tokens); j++ {
					w.tokens[j].hidden = true
				}
			}
			continue
		}
		for j := first; j < i; j++ {
			w.tokens[j].hidden = true
		}
	}
}

// hostName reports whether token i of the claim belongs to a name of the source that its host writes as one word.
func (x *account) hostName(i int) bool {
	host := x.doc.host()
	if host == "" {
		return false
	}
	t := x.claim.tokens
	labels := strings.Split(passages.Fold(host), ".")
	for from := i; from >= 0 && t[from].hidden; from-- {
		name := ""
		for to := from; to < len(t) && t[to].hidden; to++ {
			name += t[to].fold
			if to >= i && len(name) > 3 && (labels[0] == name || len(labels) > 1 && labels[len(labels)-2] == name) {
				return true
			}
		}
	}
	return false
}

// host is the host of the document's address.
func (d *document) host() string {
	host := d.URL
	if _, rest, ok := strings.Cut(host, "://"); ok {
		host = rest
	}
	host, _, _ = strings.Cut(host, "/")
	return host
}
