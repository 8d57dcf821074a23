package html

import "golang.org/x/net/html/atom"

// pageFeatures are the features that all blocks of a page share, in a fixed order.
type pageFeatures []float32

// Places in pageFeatures.
const (
	atArticleProse     = 12 // share of the page's prose that is in readability's article
	atArticlePureProse = 13 // share of prose in that article
	atDeclared         = 14
)

// oneArticle reports a page that is one article: by its own word, or because readability's article holds most
// of its prose and little else.
func (p pageFeatures) oneArticle() bool {
	return p[atDeclared] > 0 || p[atArticleProse] > articleProse && p[atArticlePureProse] > articlePureProse
}

func (o *outline) pageFeatures(facts pageFacts, inArticle []float32) pageFeatures {
	proseBlocks, held, heldProse := 0, 0, 0
	for i := range o.blocks {
		s := &o.blocks[i]
		prose := s.isProse()
		if prose {
			proseBlocks++
		}
		if inArticle[i] > 0.5 {
			held += s.chars
			if prose {
				heldProse += s.chars
			}
		}
	}
	articles, mains, h1, posts, cards := 0, 0, 0, 0, 0
	for i := range o.regions {
		r := &o.regions[i]
		switch r.node.DataAtom {
		case atom.Article:
			articles++
		case atom.Main:
			mains++
		case atom.H1:
			h1++
		}
		if r.near[hintPost] == 0 {
			posts++
		}
		if r.near[hintCard] == 0 {
			cards++
		}
	}
	return pageFeatures{
		log1(o.chars), log1(len(o.blocks)), ratio(o.linked, o.chars), ratio(o.long, o.chars),
		log1(proseBlocks), log1(articles), log1(mains), log1(h1), ratio(posts, len(o.regions)), ratio(cards, len(o.regions)),
		log1(held), ratio(held, o.chars), ratio(heldProse, o.long), ratio(heldProse, held),
		flagged(facts.declared), float32(facts.kind), flagged(facts.root),
		flagged(facts.words&pathThread != 0), flagged(facts.words&pathShop != 0), flagged(facts.words&pathDocs != 0),
		flagged(facts.body != ""),
	}
}
