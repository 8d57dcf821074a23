package html

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A thread is a list of posts: a question and its answers, the replies of a forum, the comments on code. A post that is
// kept begins with a line that says who wrote it and when, its votes, and whether it is the accepted answer, as far as the
// page marks them and the text that is kept does not say them.

// postFacts are what a page says about one post.
type postFacts struct {
	author, day, shownDay, votes string
	authorRank, dayRank          int // 2 = by microdata, 1 = by names of elements
}

const (
	maxPostFact  = 60    // bytes of an author, a day or a count
	maxByline    = 20    // bytes around an author in a block that says nothing else, as in "Posted by …"
	maxAuthorBox = 2_000 // bytes of an element that is marked as the author
	maxNameTries = 4     // elements of it that may be the name
	minPostChars = 20    // of kept text; a post with less is a header
	minPosts     = 2     // of a thread; fewer are an article
)

var (
	postNames     = []string{"post", "comment", "message", "reply", "answer", "question", "note", "topic"}
	authorNames   = []string{"author", "username", "user-name", "user_name", "creator", "poster", "user-details", "user-info", "userinfo"}
	voteNames     = []string{"vote-count", "votecount", "vote-score", "upvotes", "points"}
	acceptedNames = []string{"accepted", "best-answer", "bestanswer", "is-solution", "solution-post"}
)

// post is an element that is one post.
type post struct {
	region   int
	facts    postFacts
	accepted bool
}

// gathered is what the elements inside of one say: facts that belong to no post yet, and posts that the elements around
// them may say more about.
type gathered struct {
	loose postFacts
	posts []post // the last of the page first
}

// attributePosts writes the line of each post before the first of its blocks that is kept.
func (o *outline) attributePosts(kept []bool) {
	posts := o.postsOf(kept)
	if len(posts) < minPosts {
		return
	}
	for _, p := range posts {
		o.attributePost(p, kept)
	}
}

// postsOf finds the posts of which something is kept. A post is the smallest element named as one that holds text, an author
// and a day; elements around it that hold no other post add votes and acceptance.
func (o *outline) postsOf(kept []bool) (posts []post) {
	chars := make([]int, len(kept)+1)
	for i, keep := range kept {
		chars[i+1] = chars[i]
		if keep {
			chars[i+1] += o.blocks[i].chars
		}
	}
	inside := map[int]*gathered{}
	for r := len(o.regions) - 1; r >= 0; r-- { // parents come before their children
		x := &o.regions[r]
		g := inside[r]
		delete(inside, r)
		if g == nil {
			if x.near[hintPost] > 0 && x.near[hintComment] > 0 && x.near[hintAuthor] > 0 && x.near[hintMeta] > 0 && !mayHoldFacts(x.node) {
				continue
			}
			g = new(gathered)
		}
		g.loose = o.postFactsOf(r).over(g.loose)
		switch named := isPost(x.node); {
		case named && len(g.posts) > 0:
			last := len(g.posts) - 1
			first := &g.posts[last]
			first.facts.votes = document.First(first.facts.votes, g.loose.votes)
			first.accepted = first.accepted || isAccepted(x.node)
			if len(g.posts) == 1 {
				first.region = r
			}
			posts = append(posts, g.posts[:last]...)
			g.posts, g.loose = g.posts[last:], postFacts{}
		case named && g.loose.author != "" && g.loose.day+g.loose.shownDay != "" && chars[x.last]-chars[x.first] >= minPostChars:
			g.posts, g.loose = []post{{r, g.loose, isAccepted(x.node)}}, postFacts{}
		case len(g.posts) > 1:
			posts = append(posts, g.posts...)
			g.posts, g.loose = nil, postFacts{}
		}
		if x.parent < 0 {
			posts = append(posts, g.posts...)
			continue
		}
		if outer := inside[x.parent]; outer != nil {
			outer.loose = g.loose.over(outer.loose)
			outer.posts = append(outer.posts, g.posts...)
		} else if g.loose != (postFacts{}) || len(g.posts) > 0 {
			inside[x.parent] = g
		}
	}
	return posts
}

func (o *outline) attributePost(p post, kept []bool) {
	x, f := &o.regions[p.region], p.facts
	first := slices.Index(kept[x.first:x.last], true) + x.first
	said := ""
	for i := x.first; i < x.last; i++ {
		b := &o.blocks[i]
		if !kept[i] || b.chars > maxHeading {
			continue
		}
		next := slices.Index(kept[i+1:x.last], true)
		switch {
		case i == first && f.shownDay != "" && strings.Contains(b.text, f.shownDay) && f.isByline(b.text) && next >= 0:
			kept[i], first = false, i+1+next // the line says it
		case i != first && f.isByline(b.text):
			kept[i] = false
		default:
			said += " " + b.text
		}
	}
	var parts []string
	if !strings.Contains(said, f.author) {
		parts = append(parts, f.author)
	}
	if day := document.First(f.day, f.shownDay); !strings.Contains(said, day) && (f.shownDay == "" || !strings.Contains(said, f.shownDay)) {
		parts = append(parts, day)
	}
	if f.votes != "" && f.votes != "0" {
		parts = append(parts, "votes: "+f.votes)
	}
	if p.accepted {
		parts = append(parts, "accepted answer")
	}
	if len(parts) == 0 {
		return
	}
	line := With(Element(atom.P), TextNode(strings.Join(parts, ", ")+":"))
	n := o.regions[o.blocks[first].region].node
	switch n.DataAtom {
	case atom.Td, atom.Th, atom.Li, atom.Dd, atom.Body:
		n.InsertBefore(line, n.FirstChild)
	default:
		if n.Parent != nil {
			n.Parent.InsertBefore(line, n)
		}
	}
}

// isByline reports a text that says little but the author, or the author and the day as the page shows it.
func (f postFacts) isByline(text string) bool {
	said := len(f.author) + maxByline
	if f.shownDay != "" && strings.Contains(text, f.shownDay) {
		said += len(f.shownDay)
	}
	return len(text) <= said && strings.Contains(text, f.author)
}

// over are the facts of f, and those of less where f has none or less sure ones. f comes first in the page.
func (f postFacts) over(less postFacts) postFacts {
	if f.authorRank < less.authorRank {
		f.author, f.authorRank = less.author, less.authorRank
	}
	if f.dayRank < less.dayRank {
		f.day, f.shownDay, f.dayRank = less.day, less.shownDay, less.dayRank
	}
	if f.votes == "" {
		f.votes = less.votes
	}
	return f
}

func mayHoldFacts(n *html.Node) bool {
	return n.DataAtom == atom.Time || n.Data == "relative-time" || attr(n, "itemprop") != "" || attr(n, "title") != "" || attr(n, "rel") == "author"
}

// postFactsOf are the facts that an element itself says.
func (o *outline) postFactsOf(r int) (f postFacts) {
	n := o.regions[r].node
	prop, names := attr(n, "itemprop"), strings.ToLower(attr(n, "class")+" "+attr(n, "data-testid"))
	short := func() bool {
		_, ok := shortText(n, 3*maxPostFact)
		return ok
	}
	switch {
	case (prop == "author" || prop == "creator") && (n.DataAtom == atom.Meta || isAuthorBox(n)):
		f.author, f.authorRank = postAuthor(n), 2
	case attr(n, "data-author") != "" && isPost(n):
		f.author, f.authorRank = attr(n, "data-author"), 2
	case (attr(n, "rel") == "author" || containsAny(names, authorNames)) && short():
		f.author, f.authorRank = postAuthor(n), 1
	}
	if f.author == "" || len(f.author) > maxPostFact {
		f.author, f.authorRank = "", 0
	}
	stamp := firstAttr(n, "datetime", "title", "content")
	switch {
	case prop == "datePublished" || prop == "dateCreated":
		f.dayRank = 2
	case n.DataAtom == atom.Time || n.Data == "relative-time" || isoDay(stamp) != "" && short():
		f.dayRank = 1
	}
	if f.dayRank > 0 {
		if f.day = isoDay(stamp); short() {
			f.shownDay = InlineText(n)
		}
		if len(f.shownDay) > maxPostFact || f.day+f.shownDay == "" {
			f = postFacts{author: f.author, authorRank: f.authorRank}
		}
	}
	if (prop == "upvoteCount" || containsAny(names, voteNames)) && short() {
		if count := strings.Trim(InlineText(n), "+ "); isCount(count) {
			f.votes = count
		}
	}
	return f
}

// isAuthorBox reports an element that may hold a name beside titles, counts and signatures, but no post.
func isAuthorBox(n *html.Node) bool {
	_, ok := shortText(n, maxAuthorBox)
	return ok
}

// postAuthor is the name in an element: that of a link in it, or all that it says.
func postAuthor(n *html.Node) string {
	if n.DataAtom == atom.Meta {
		return attr(n, "content")
	}
	tries := 0
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (attr(d, "itemprop") == "name" || d.DataAtom == atom.A) {
			if tries++; tries > maxNameTries {
				break
			}
			if name := InlineText(d); utf8.RuneCountInString(name) > 1 { // a single letter is a picture
				return name
			}
		}
	}
	name := InlineText(n)
	for _, by := range []string{"by ", "By ", "@"} {
		name = strings.TrimPrefix(name, by)
	}
	return name
}

// isoDay is the day at the beginning of a time stamp, as in 2024-03-02T10:00:00Z, or "".
func isoDay(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || !isCount(s[:4]) || !isCount(s[5:7]) || !isCount(s[8:10]) {
		return ""
	}
	return s[:10]
}

func isCount(s string) bool {
	_, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return err == nil && s != ""
}

// isPost reports an element that is marked or named as one post.
func isPost(n *html.Node) bool {
	switch kind := attr(n, "itemtype"); kind[strings.LastIndexByte(kind, '/')+1:] {
	case "Question", "Answer", "Comment", "DiscussionForumPosting", "SocialMediaPosting":
		return true
	}
	if n.DataAtom == atom.Body || n.DataAtom == atom.Html || n.DataAtom == atom.Main {
		return false
	}
	return containsAny(strings.ToLower(attr(n, "class")+" "+attr(n, "id")), postNames)
}

func isAccepted(n *html.Node) bool {
	return attr(n, "itemprop") == "acceptedAnswer" || containsAny(strings.ToLower(attr(n, "class")), acceptedNames)
}
