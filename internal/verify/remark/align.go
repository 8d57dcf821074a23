package remark

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

const (
	// The table of an alignment has the product of these two.
	maxTokens   = 300  // tokens of a claim
	maxSentence = 1000 // code points of a sentence; longer ones are cut
)

// sentence is a sentence of a block.
type sentence struct {
	words.Span // in the block
	block      *Block
	tokens     []token
}

// sentences reads all sentences of blocks.
func sentences(analyzer *words.Analyzer, language string, blocks []Block) (out []sentence) {
	for i := range blocks {
		for _, s := range words.Sentences(blocks[i].Text) {
			for _, part := range words.Cut(s.Text, maxSentence) {
				part.Start += s.Start
				out = append(out, sentence{part, &blocks[i], scan(analyzer, language, part.Text)})
			}
		}
	}
	return out
}

// remark returns a remark on a stretch of a sentence.
func (s *sentence) remark(kind Kind, start, end int) Remark {
	before := string([]rune(s.block.Text)[:s.Span.Start+start])
	at := s.block.Start + s.Span.Start
	return Remark{Kind: kind, SourceID: s.block.SourceID, Line: s.block.Line + strings.Count(before, "\n"), Start: at + start,
		End: at + end}
}

// best returns the sentence that shares most words with a claim, nil for none.
func best(claim []token, all []sentence) (found *sentence) {
	wanted, highest := map[string]int{}, 0
	for _, t := range claim {
		if !t.function {
			wanted[t.Term] = 1
		}
	}
	for i := range all {
		seen, score := map[string]bool{}, 0
		for _, t := range all[i].tokens {
			if !seen[t.Term] {
				seen[t.Term] = true
				score += wanted[t.Term]
			}
		}
		if score > highest {
			found, highest = &all[i], score
		}
	}
	return found
}

// align finds the longest common subsequence of the tokens of a claim and a sentence: for each token its partner on the other side, or -1.
func align(a, b []token) (of, back []int) {
	of, back = slices.Repeat([]int{-1}, len(a)), slices.Repeat([]int{-1}, len(b))
	for _, p := range words.Common(len(a), len(b), func(i, j int) bool { return a[i].Term == b[j].Term }) {
		of[p[0]], back[p[1]] = p[1], p[0]
	}
	return of, back
}

// hunk is a stretch where claim and sentence differ: tokens a to b of the claim stand for c to d of the sentence.
type hunk struct{ a, b, c, d int }

// hunks returns the differences. Before the first and behind the last pair, the sentence has there as many words as the claim.
func hunks(of []int, tokens int) (out []hunk) {
	i, j := 0, -1
	for k, next := range append(slices.Clone(of), tokens) {
		switch {
		case next < 0:
			continue
		case j < 0:
			j = max(0, next-k)
		case k == len(of):
			next = min(next, j+k-i)
		}
		if k > i || next > j {
			out = append(out, hunk{i, k, j, next})
		}
		i, j = k+1, next+1
	}
	return out
}
