package html

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html/css"
)

// The forest (forest.txt) is trained on the gold pages by this test alone. DIR is the absolute path of their folder:
//
//	go test ./fetch/extract/html -run TestForest -gold DIR -forest leftout -v  # cross-validation: five folds by host
//	go test ./fetch/extract/html -run TestForest -gold DIR -forest write       # train on all pages and write forest.txt
var forestMode = flag.String("forest", "", "leftout or write: train the forest that chooses the blocks of a page")

var settings = boosting{trees: 260, leaves: 8, rate: 0.06, lambda: 5, minHess: 10, rows: 0.7, features: 0.5, seed: 1}

const (
	aebWeight     = 4.8 // a page of AEB, which has a quarter of the pages and one kind of them
	snippetWeight = 0.7 // all snippets of a page of trafilatura's set
	folds         = 5
)

// kindWeights are those of pages of WCXB, which has ten times as many articles as products and reads the rare kinds
// worst.
var kindWeights = map[string]float32{"product": 3, "collection": 3, "listing": 2, "forum": 2, "service": 1.5}

// lesson is a gold page with the labels of its blocks.
type lesson struct {
	gold    *goldPage
	set     string
	fold    int
	outline *outline
	page    pageFeatures
	rows    [][]float32
	words   [][]string
	target  []float32
	weight  []float32
}

func TestForest(t *testing.T) {
	if *forestMode == "" {
		t.Skip("trains the forest only when -forest is given")
	}
	lessons := readLessons(t)
	switch *forestMode {
	case "write":
		writeForest(t, learn(lessons, -1))
		return
	}
	chances := map[*lesson][]float32{}
	for fold := range folds {
		g := learn(lessons, fold)
		for _, l := range lessons {
			if l.fold == fold {
				for _, row := range l.rows {
					chances[l] = append(chances[l], g.chance(row))
				}
			}
		}
	}
	for _, set := range []string{"aeb", "wcxb", "trafseg"} {
		s := score(lessons, set, func(l *lesson) []bool { return l.outline.keep(chances[l], l.page) })
		t.Logf("%s, left out: shingle F1 %.4f, word F1 %.4f, segment F1 %.4f, by type %s", set, s.shingle, s.words, s.segments, fmt.Sprint(s.byType))
	}
}

// learn trains a forest on all folds but one.
func learn(lessons []*lesson, leaveOut int) *forestModel {
	var rows [][]float32
	var target, weight []float32
	var total float32
	for _, l := range lessons {
		if l.fold == leaveOut {
			continue
		}
		for i, w := range l.weight {
			if w > 0 {
				rows, target, weight = append(rows, l.rows[i]), append(target, l.target[i]), append(weight, w)
				total += w
			}
		}
	}
	for i := range weight { // so that minHess and lambda mean the same whatever the number of pages
		weight[i] *= 20_000 / total
	}
	return settings.train(rows, target, weight)
}

func readLessons(t *testing.T) []*lesson {
	var all []*lesson
	for _, set := range []string{"aeb", "wcxb", "trafseg"} {
		pages := goldPages(t, set)
		var golds []*goldPage
		for g := range pages {
			golds = append(golds, g)
		}
		slices.SortFunc(golds, func(a, b *goldPage) int { return strings.Compare(a.ID, b.ID) })
		for _, g := range golds {
			all = append(all, readLesson(t, set, g, pages[g]))
		}
	}
	return all
}

func readLesson(t *testing.T, set string, g *goldPage, body []byte) *lesson {
	u, err := url.Parse(g.URL)
	if err != nil {
		t.Fatal(err)
	}
	doc := parseTree(charset.Decode(body, "text/html", document.TypeHTML))
	meta := readMeta(doc)
	styles := css.Read(doc, nil)
	arrange(doc)
	prune(doc, styles)
	o := outlineOf(doc)
	marks := o.articleMarks(readabilityArticle(cloneTree(doc), u))
	facts := meta.facts(nil) // as of a saved page
	l := &lesson{gold: g, set: set, outline: o, page: o.pageFeatures(facts, marks)}
	err = o.features(context.Background(), facts, l.page, marks, func(_ int, row []float32) { l.rows = append(l.rows, slices.Clone(row)) })
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.blocks {
		l.words = append(l.words, goldWord.FindAllString(o.blocks[i].text, -1))
	}
	host := strings.TrimPrefix(u.Hostname(), "www.")
	if host == "" || host == "example.com" {
		host = g.ID
	}
	h := fnv.New32a()
	h.Write([]byte(host))
	l.fold = int(h.Sum32() % folds)
	if set == "trafseg" {
		l.teachSnippets()
	} else {
		l.teachText()
	}
	if w := kindWeights[g.Type]; w > 0 {
		for i := range l.weight {
			l.weight[i] *= w
		}
	}
	return l
}

// teachSnippets takes the blocks with snippets that must be there and those that must not; the others teach
// nothing.
func (l *lesson) teachSnippets() {
	n := len(l.words)
	l.target, l.weight = make([]float32, n), make([]float32, n)
	share := float32(snippetWeight) / float32(len(l.gold.With)+len(l.gold.Without))
	teach := func(snippets []string, target float32) {
		for _, s := range snippets {
			var holders []int
			for i := range l.words {
				if strings.Contains(flatten(l.outline.blocks[i].text), flatten(s)) {
					holders = append(holders, i)
				}
			}
			for _, i := range holders {
				l.target[i] = target
				l.weight[i] += share / float32(len(holders))
			}
		}
	}
	teach(l.gold.With, 1)
	teach(l.gold.Without, 0)
}

func flatten(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// teachText compares each block with the gold text: by its four-word shingles, and where it has fewer words
// together with the words beside it, since every text has the same single words.
func (l *lesson) teachText() {
	n := len(l.words)
	l.target, l.weight = make([]float32, n), make([]float32, n)
	gold := lower(goldWord.FindAllString(l.gold.Text, -1))
	grams := map[string]bool{}
	for k := 1; k <= 6; k++ {
		for i := 0; i+k <= len(gold); i++ {
			grams[strings.Join(gold[i:i+k], " ")] = true
		}
	}
	lines := map[string]bool{}
	for line := range strings.SplitSeq(l.gold.Text, "\n") {
		lines[strings.Join(lower(goldWord.FindAllString(line, -1)), " ")] = true
	}
	words := make([][]string, n)
	total := 0
	for i := range words {
		words[i] = lower(l.words[i])
		total += len(words[i])
	}
	for i, w := range words {
		if len(w) == 0 {
			continue
		}
		// An error counts by its share of the gold text, and less where the page is much longer.
		l.weight[i] = (float32(len(w)) + 0.5) / (float32(len(gold)) + 0.5*float32(total) + 50)
		if l.set == "aeb" {
			l.weight[i] *= aebWeight
		}
		if len(w) >= 4 {
			l.target[i] = covered(w, grams)
			continue
		}
		own := strings.Join(w, " ")
		if !grams[own] {
			continue
		}
		if lines[own] {
			l.target[i] = 0.7
		}
		if i > 0 {
			if before := words[i-1][max(0, len(words[i-1])-3):]; len(before) > 0 && len(before)+len(w) >= 3 && grams[strings.Join(before, " ")+" "+own] {
				l.target[i] = 1
			}
		}
		if i+1 < n {
			if after := words[i+1][:min(3, len(words[i+1]))]; len(after) > 0 && len(after)+len(w) >= 3 && grams[own+" "+strings.Join(after, " ")] {
				l.target[i] = 1
			}
		}
	}
}

// covered is the share of words that are in shingles of the gold text.
func covered(words []string, grams map[string]bool) float32 {
	hit := make([]bool, len(words))
	for i := 0; i+4 <= len(words); i++ {
		if grams[strings.Join(words[i:i+4], " ")] {
			for k := range 4 {
				hit[i+k] = true
			}
		}
	}
	count := 0
	for _, h := range hit {
		if h {
			count++
		}
	}
	return float32(count) / float32(len(words))
}

func lower(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.ToLower(w)
	}
	return out
}

// score measures what is kept as scoreGold measures whole extractions.
func score(lessons []*lesson, set string, keep func(*lesson) []bool) goldScore {
	var tally goldTally
	for _, l := range lessons {
		if l.set != set {
			continue
		}
		var b strings.Builder
		for i, kept := range keep(l) {
			if kept {
				b.WriteString(l.outline.blocks[i].text)
				b.WriteByte('\n')
			}
		}
		tally.add(l.gold, b.String())
	}
	return tally.score()
}

func writeForest(t *testing.T, g *forestModel) {
	var b bytes.Buffer
	for line := range strings.Lines(forestText) {
		if strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	fmt.Fprintln(&b, float32(g.bias))
	at := 0
	for _, tree := range g.trees {
		for i, n := range tree {
			next := 0
			if n.feature >= 0 {
				next = at + int(n.next)
			}
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%d %d %.5g", n.feature, next, n.value)
		}
		b.WriteByte('\n')
		at += len(tree)
	}
	if err := os.WriteFile("forest.txt", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every number of forest.txt is valid, and every split leads to later nodes of its tree.
func TestForestText(t *testing.T) {
	t.Parallel()
	f := trained()
	for field := range strings.FieldsSeq(forestText[strings.LastIndexByte(forestText, '#'):]) {
		if _, err := strconv.ParseFloat(field, 32); err != nil && strings.ContainsAny(field, "0123456789") {
			t.Errorf("not a number: %s", field)
		}
	}
	for i, root := range f.roots {
		end := len(f.nodes)
		if i+1 < len(f.roots) {
			end = f.roots[i+1]
		}
		for at := root; at < end; at++ {
			if n := f.nodes[at]; n.feature >= 0 && (int(n.next) <= at || int(n.next)+1 >= end) {
				t.Errorf("node %d leads to %d, outside of its tree", at, n.next)
			}
		}
	}
}
