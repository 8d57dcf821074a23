package fetch

import "golang.org/x/net/html/atom"

// pageFeatures are the features that all blocks of a page share.
func (o *outline) pageFeatures(facts pageFacts, inArticle []float32) pageFeatures {
	var f featureWriter
	n := len(o.segments)
	f.log(o.chars)
	f.log(n)
	f.share(o.linked, o.chars)
	f.share(o.long, o.chars)
	prose, articles, mains, h1, forms, posts, cards := 0, 0, 0, 0, 0, 0, 0
	for i := range o.segments {
		if o.segments[i].isProse() {
			prose++
		}
	}
	for i := range o.boxes {
		b := &o.boxes[i]
		switch b.node.DataAtom {
		case atom.Article:
			articles++
		case atom.Main:
			mains++
		case atom.H1:
			h1++
		case atom.Form:
			forms++
		}
		if b.near[hintPost] == 0 {
			posts++
		}
		if b.near[hintCard] == 0 {
			cards++
		}
	}
	f.log(prose)
	f.log(articles)
	f.log(mains)
	f.log(h1)
	f.share(posts, len(o.boxes))
	f.share(cards, len(o.boxes))
	art, artProse := 0, 0
	for i := range o.segments {
		if inArticle[i] > 0.5 {
			art += o.segments[i].chars
			if o.segments[i].isProse() {
				artProse += o.segments[i].chars
			}
		}
	}
	f.log(art)
	f.share(art, o.chars)
	f.share(artProse, o.long)
	f.share(artProse, art)
	f.flag(facts.declared)
	f.num(float32(facts.kind))
	f.flag(facts.root)
	f.flag(facts.words&pathThread != 0)
	f.flag(facts.words&pathShop != 0)
	f.flag(facts.words&pathDocs != 0)
	f.flag(facts.body != "")
	return f.v
}

type pageFeatures []float32

func (p pageFeatures) oneArticle() bool {
	return p[14] > 0 || p[12] > articleProse && p[13] > articlePureProse
}
