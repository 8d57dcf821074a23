package grounding

// opensPart gives the noun after a preposition its part: the words up to the end of its phrase.
func (w *wording) opensPart(preposition int, part string) {
	const reach = 4 // tokens
	segment := w.tokens[preposition].segment
	for i := preposition + 1; i < len(w.tokens) && i <= preposition+reach && w.tokens[i].segment == segment; i++ {
		if w.tokens[i].joins {
			return
		}
		if w.tokens[i].part == "" {
			w.tokens[i].part = part
		}
	}
}

// otherParts lists the words of content that have another part in the claim than in the passage: "from Oslo" for "to Oslo",
// が for を. Where one side has no word that says it, the order of the words decides.
func (x *account) otherParts() []int {
	var out []int
	for i := range x.claim.tokens {
		t := &x.claim.tokens[i]
		if at := x.at[i]; at >= 0 && t.content() && t.number == 0 && t.part != "" {
			if other := x.passage.tokens[at].part; other != "" && other != t.part {
				out = append(out, i)
			}
		}
	}
	return out
}
