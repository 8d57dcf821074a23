package fetch

import (
	"context"
	"math"
	"strings"

	"golang.org/x/net/html/atom"
)

const maxFeatures = 200

type featureWriter struct {
	v []float32
}

func (f *featureWriter) num(x float32) { f.v = append(f.v, x) }
func (f *featureWriter) log(n int)     { f.v = append(f.v, log1(n)) }
func (f *featureWriter) flag(b bool) {
	if b {
		f.v = append(f.v, 1)
	} else {
		f.v = append(f.v, 0)
	}
}
func (f *featureWriter) share(a, b int) { f.v = append(f.v, ratio(a, b)) }

func ratio(a, b int) float32 {
	if b == 0 {
		return 0
	}
	return float32(a) / float32(b)
}

func log1(n int) float32 { return float32(math.Log2(float64(n + 1))) }

type styleStats struct {
	n, chars, linked, prose int
	article                 float32
}

// features writes a row for each segment.
func (o *outline) features(ctx context.Context, facts pageFacts, page pageFeatures, inArticle []float32, each func(i int, row []float32)) error {
	n := len(o.segments)
	styles := map[uint64]*styleStats{}
	seen := map[uint64]int{}
	firstH1, lastProse, firstProse := -1, -1, -1
	firstArt, lastArt := -1, -1
	cum := make([]int, n+1)
	for i := range o.segments {
		s := &o.segments[i]
		cum[i+1] = cum[i] + s.chars
		g := styles[s.style]
		if g == nil {
			g = new(styleStats)
			styles[s.style] = g
		}
		g.n++
		g.chars += s.chars
		g.linked += int(s.linked * float32(s.chars))
		if s.isProse() {
			g.prose++
			lastProse = i
			if firstProse < 0 {
				firstProse = i
			}
		}
		g.article += inArticle[i]
		if inArticle[i] > 0.5 {
			lastArt = i
			if firstArt < 0 {
				firstArt = i
			}
		}
		seen[s.seen]++
		if firstH1 < 0 && o.boxes[s.box].node.DataAtom == atom.H1 {
			firstH1 = i
		}
	}
	prevProse := make([]int, n)
	nextProse := make([]int, n)
	last := -1
	for i := range n {
		prevProse[i] = 50
		if last >= 0 {
			prevProse[i] = min(50, i-last)
		}
		if o.segments[i].isProse() {
			last = i
		}
	}
	last = -1
	for i := n - 1; i >= 0; i-- {
		nextProse[i] = 50
		if last >= 0 {
			nextProse[i] = min(50, last-i)
		}
		if o.segments[i].isProse() {
			last = i
		}
	}
	f := featureWriter{v: make([]float32, 0, maxFeatures)}
	home := o.homeBox()
	held := make([]float64, n+1) // characters of the article before each segment
	for i := range o.segments {
		held[i+1] = held[i] + float64(inArticle[i])*float64(o.segments[i].chars)
	}
	upFromHome := map[int]int{}
	for b, k := home, 0; b >= 0; b, k = o.boxes[b].parent, k+1 {
		upFromHome[b] = k
	}
	heading, headingBad, headingTag, headingLinked := -1, float32(0), float32(0), float32(0)
	// smallest container of most prose
	top := o.topBox()
	for i := range o.segments {
		s := &o.segments[i]
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f.v = f.v[:0]
		f.log(s.chars)
		f.log(s.words)
		f.num(s.linked)
		f.share(s.chars, s.words)
		f.share(s.stops, s.words)
		f.share(s.commas, s.words)
		f.share(s.digits, s.chars)
		f.share(s.upper, s.chars)
		f.flag(s.ends)
		f.num(tagClass(o.boxes[s.box].node.DataAtom))
		f.num(tagClass(o.boxes[s.inner].node.DataAtom))
		f.flag(strings.HasPrefix(s.text, "- ") || strings.HasPrefix(s.text, "• "))
		f.log(seen[s.seen])
		low := ""
		if s.chars <= 250 {
			low = strings.ToLower(s.text)
		}
		f.flag(low != "" && len(low) > 10 && strings.Contains(facts.title, low))
		if low != "" {
			for _, words := range phraseHints {
				f.flag(containsAny(low, words))
			}
		} else {
			for range phraseHints {
				f.flag(false)
			}
		}
		// body of linked data
		if facts.body == "" {
			f.num(-1)
		} else {
			probe := s.text
			if len(probe) > 40 {
				probe = probe[:40]
			}
			f.flag(strings.Contains(facts.body, strings.ToLower(probe)))
		}
		in := &o.boxes[s.inner]
		for h := range numHints {
			f.num(float32(in.near[h]))
		}
		f.num(float32(in.depth))
		// ancestors
		b := s.box
		for range 4 {
			if b >= 0 {
				x := &o.boxes[b]
				f.log(x.chars)
				f.share(x.linked, x.chars)
				f.share(x.long, x.chars)
				f.share(x.chars, o.chars)
				f.log(x.last - x.first)
				b = x.parent
				for b >= 0 && o.boxes[b].chars == x.chars { // wrappers
					b = o.boxes[b].parent
				}
			} else {
				f.log(o.chars)
				f.share(o.linked, o.chars)
				f.share(o.long, o.chars)
				f.num(1)
				f.log(n)
			}
		}
		// the record that it is part of
		b = s.box
		steps := 0
		for b >= 0 && (o.boxes[b].alike < 3 || o.boxes[b].children < 2) {
			b = o.boxes[b].parent
			steps++
		}
		if b >= 0 {
			x := &o.boxes[b]
			f.log(x.alike)
			f.log(x.alikeLen / x.alike)
			f.share(x.alikeLen, o.chars)
			f.num(float32(min(steps, 10)))
			f.share(x.linked, x.chars)
			f.num(float32(i-x.first) / float32(x.last-x.first))
		} else {
			f.num(0)
			f.num(0)
			f.num(0)
			f.num(20)
			f.num(0)
			f.num(0)
		}
		f.log(o.boxes[s.box].alike)
		// place
		f.share(i, n)
		f.share(cum[i], o.chars)
		f.log(i)
		f.log(n - i)
		f.num(clampTo(i-firstH1, firstH1 >= 0))
		f.num(clampTo(i-firstProse, firstProse >= 0))
		f.num(clampTo(i-lastProse, lastProse >= 0))
		f.num(clampTo(i-firstArt, firstArt >= 0))
		f.num(clampTo(i-lastArt, lastArt >= 0))
		f.num(float32(prevProse[i]))
		f.num(float32(nextProse[i]))
		inTop := top >= 0 && i >= o.boxes[top].first && i < o.boxes[top].last
		f.flag(inTop)
		// neighbours
		for _, d := range []int{-2, -1, 1, 2} {
			if j := i + d; j >= 0 && j < n {
				t := &o.segments[j]
				f.log(t.chars)
				f.num(t.linked)
				f.num(tagClass(o.boxes[t.box].node.DataAtom))
				f.flag(t.style == s.style)
				f.num(inArticle[j])
			} else {
				f.num(-1)
				f.num(-1)
				f.num(-1)
				f.num(-1)
				f.num(-1)
			}
		}
		// where it lies as seen from the element that most prose lies in
		up, down := 30, 0
		for b := s.box; b >= 0; b = o.boxes[b].parent {
			if k, ok := upFromHome[b]; ok {
				up = k
				break
			}
			down++
		}
		f.num(float32(up))
		f.num(float32(min(down, 20)))
		// the heading above
		if heading >= 0 {
			f.num(float32(min(i-heading, 40)))
		} else {
			f.num(-1)
		}
		f.num(headingBad)
		f.num(headingTag)
		f.num(headingLinked)
		if tag := tagClass(o.boxes[s.box].node.DataAtom); tag >= 9 && tag <= 12 {
			heading, headingTag, headingBad, headingLinked = i, tag, phraseClass(strings.ToLower(s.text)), s.linked
		} else if s.chars <= 40 && s.stops == 0 {
			if c := phraseClass(strings.ToLower(s.text)); c > 0 {
				heading, headingTag, headingBad, headingLinked = i, 0, c, s.linked
			}
		}
		// article
		f.num(inArticle[i])
		for b, up := s.box, 0; up < 3; up++ {
			x := &o.boxes[b]
			f.num(float32((held[x.last] - held[x.first]) / float64(max(1, x.chars))))
			if x.parent >= 0 {
				b = x.parent
			}
		}
		// style
		g := styles[s.style]
		f.log(g.n)
		f.log(g.chars / g.n)
		f.share(g.linked, g.chars)
		f.share(g.prose, g.n)
		f.num(g.article / float32(g.n))
		f.v = append(f.v, page...)
		each(i, f.v)
	}
	return nil
}

// topBox is the smallest element with at least 70 % of the prose.
func (o *outline) topBox() int {
	best := -1
	for i := range o.boxes {
		b := &o.boxes[i]
		if o.long > 0 && float32(b.long) >= 0.7*float32(o.long) && (best < 0 || b.chars <= o.boxes[best].chars) {
			best = i
		}
	}
	return best
}

func clampTo(d int, ok bool) float32 {
	if !ok {
		return -100
	}
	return float32(max(-60, min(60, d)))
}

// homeBox is the element whose own blocks hold the most prose.
func (o *outline) homeBox() int {
	sums := map[int]int{}
	best, most := -1, 0
	for i := range o.segments {
		s := &o.segments[i]
		if !s.isProse() {
			continue
		}
		b := s.box
		for range 2 {
			b = o.boxes[b].parent
			if b < 0 {
				break
			}
			sums[b] += s.chars
			if sums[b] > most {
				best, most = b, sums[b]
			}
		}
	}
	return best
}
