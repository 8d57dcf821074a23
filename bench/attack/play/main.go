// Command play measures without a server how many batches of citeloop's reader's game programs win that only compare texts.
//
//	go run ./attack/play --train FOLDER,FOLDER --held FOLDER,FOLDER
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/bench/attack/game"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

type batch struct {
	own   []string
	items []game.Item
	made  []reader.Item
}

func main() {
	train, held, show := flag.String("train", "", "folders of texts to learn from"), flag.String("held", "", "folders of texts to measure on"), flag.Bool("show", false, "show the planted errors and controls")
	n, known := flag.Int("n", 40, "batches"), flag.Bool("known", false, "of a reader who was believed before")
	flag.Parse()
	learned := batches(texts(*train), 120, *known, 1)
	measured := batches(texts(*held), *n, *known, 2)
	var l game.Learner
	var features []map[string]float64
	var planted []bool
	for _, b := range learned {
		for i, it := range b.items {
			if b.made[i].Role != reader.RolePending {
				features, planted = append(features, game.Features(b.own, it)), append(planted, b.made[i].Role == reader.RolePlanted)
			}
		}
	}
	players := game.Players()
	if len(features) > 0 {
		l.Learn(features, planted)
		players = append(players, l.Player())
	}
	kinds := map[string]int{}
	for _, b := range measured {
		for _, it := range b.made {
			kinds[it.Role+" "+it.Kind]++
			if it.Role == reader.RoleControl && it.Claim == it.Base {
				kinds["control unchanged"]++
			}
			if it.Role == reader.RolePlanted && slices.Contains(b.own, it.Base) {
				kinds["planted own"]++
			}
			if *show && it.Role != reader.RolePending {
				fmt.Printf("%s %s\n\t%s\n\t%s\n", it.Role, it.Kind, it.Base, it.Claim)
			}
		}
	}
	fmt.Println(len(learned), "batches to learn from,", len(measured), "measured", kinds)
	for _, p := range players {
		fmt.Printf("%-60s %s  %s\n", p.Name, believed(p, learned[:min(len(learned), 40)]), believed(p, measured))
	}
}

func believed(p game.Player, bs []batch) string {
	won, caught, passed, wrong, right := 0, 0, 0, 0, 0
	for i, b := range bs {
		items, answers := []loopstate.ReviewItem{}, map[string]loopstate.ReviewAnswer{}
		says := p.Stamp(b.own, b.items, rand.New(rand.NewPCG(7, uint64(i))))
		for j, it := range b.made {
			id := b.items[j].ID
			items = append(items, loopstate.ReviewItem{Item: id, Role: it.Role})
			answers[id] = loopstate.ReviewAnswer{Item: id, Answer: loopstate.AnswerNotStated}
			if says[j] {
				answers[id] = loopstate.ReviewAnswer{Item: id, Answer: loopstate.AnswerSupported, Found: true}
			}
		}
		a, c, status := loopstate.Referee(items, answers)
		caught, wrong, passed, right = caught+a.Good, wrong+a.N, passed+c.Good, right+c.N
		if status == loopstate.BatchCounted {
			won++
		}
	}
	return fmt.Sprintf("%3d of %3d (caught %3d of %3d, passed %3d of %3d)", won, len(bs), caught, wrong, passed, right)
}

func texts(folders string) (out [][]string) {
	for _, folder := range strings.Split(folders, ",") {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				if data, err := os.ReadFile(path); err == nil && len(data) > 4_000 {
					out = append(out, strings.Split(string(data), "\n"))
				}
			}
			return nil
		})
	}
	return out
}

func batches(texts [][]string, n int, known bool, seed uint64) (out []batch) {
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	for i := 0; len(out) < n && len(texts) > 0 && i < 10*n; i++ {
		lines := texts[i%len(texts)]
		var blocks []reader.Passage
		at := 0
		for k, l := range lines {
			size := len([]rune(l))
			if strings.TrimSpace(l) != "" {
				blocks = append(blocks, reader.Passage{SourceID: "S1", Lines: fmt.Sprint(k + 1), Start: at, End: at + size, Text: l})
			}
			at += size + 1
		}
		var b batch
		request := reader.Request{Seed: fmt.Sprint(seed, i), Known: known, Blocks: func(string) []reader.Passage { return blocks }}
		for _, c := range game.Claims(lines, 12+r.IntN(12), r) {
			j := slices.IndexFunc(blocks, func(p reader.Passage) bool { return p.Lines == fmt.Sprint(c.Line) })
			b.own = append(b.own, c.Text)
			request.Candidates = append(request.Candidates, reader.Candidate{Key: c.Text, Claim: c.Text, Passages: []reader.Passage{blocks[j]}})
		}
		if len(b.own) < 8 {
			continue
		}
		made, err := reader.Prepare(request)
		if err != nil {
			continue
		}
		b.made = made
		for k, it := range made {
			item := game.Item{ID: fmt.Sprint(k), Claim: it.Claim}
			for _, p := range it.Passages {
				item.Passages = append(item.Passages, p.Heading+"\n"+p.Text)
			}
			b.items = append(b.items, item)
		}
		out = append(out, b)
	}
	return out
}
