package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/bench/attack/game"
	"github.com/citeloop/citeloop/bench/attack/lab"
)

func gameAttempts() []attempt {
	return []attempt{
		{"reader's game", "a host that calls everything supported", holds, play("all supported", 40)},
		{"reader's game", "a host that supports its own claims alone", holds, play("own supported, others not", 40)},
		{"reader's game", "a host that compares the words of other items with the passages", holds, play("own; others by overlap of words above 90 %", 40)},
		{"reader's game", "a host that also compares numbers, negations, opposites and its own claims", holds, play("own; the half by all of these together", 40)},
		{"reader's game", "roles and seed of an open batch in an export, a resource or the state", holds, roles},
		{"reader's game", "a host that tries until a batch is believed", holds, tries},
		{"reader's game", "a program that learned citeloop's word lists", through, func(*lab.Lab) (bool, string) {
			return false, "measured in November 2026: 26 of 40 batches believed after 120 batches with known roles"
		}},
	}
}

// documents are texts with a block on each line.
func documents() (out [][]string) {
	files, _ := filepath.Glob(filepath.Join(texts, "*.md"))
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		var lines []string
		for _, block := range strings.Split(string(data), "\n\n") {
			if !strings.HasPrefix(block, "|") && !strings.HasPrefix(block, "```") && !strings.HasPrefix(block, "#") {
				lines = append(lines, strings.NewReplacer("**", "", "`", "").Replace(strings.Join(strings.Fields(block), " ")))
			}
		}
		if len(strings.Join(lines, "")) > 4_000 {
			out = append(out, lines)
		}
	}
	return out
}

// play plays batches over the documents in turn. A program holds if at most 30 % are believed.
func play(name string, n int) func(*lab.Lab) (bool, string) {
	return func(l *lab.Lab) (bool, string) {
		var p game.Player
		for _, x := range game.Players() {
			if x.Name == name {
				p = x
			}
		}
		s, err := l.Serve()
		if err != nil || p.Stamp == nil {
			return false, fmt.Sprint(p.Name, err)
		}
		played, believed, sum := 0, 0, score{}
		docs := documents()
		for i := 0; played < n && i < 2*n && len(docs) > 0; i++ {
			status, why := batch(s, p, &sum, docs[i%len(docs)], rand.New(rand.NewPCG(uint64(i), 3)))
			switch status {
			case "counted":
				believed++
				played++
			case "void":
				played++
			default:
				if i == 2*n-1 {
					return false, why
				}
			}
		}
		return played == n && 10*believed <= 3*played, fmt.Sprintf("%d of %d batches believed; caught %d of %d planted errors, passed %d of %d controls", believed, played, sum[0], sum[1], sum[2], sum[3])
	}
}

// open submits claims about a text and asks for a batch.
func open(s *lab.Server, lines []string, r *rand.Rand) (loop string, own []string, out map[string]any, why string) {
	loop, err := s.Loop("What do the documents say about their subject?")
	if err != nil {
		return "", nil, nil, err.Error()
	}
	if _, failed := s.Fetch(loop, map[string]any{"text": strings.Join(lines, "\n\n"), "title": "A document", "show": "none"}); failed != "" {
		return loop, nil, nil, failed
	}
	var claims []any
	for _, c := range game.Claims(lines, 12+r.IntN(12), r) {
		own = append(own, c.Text)
		claims = append(claims, map[string]any{"claim": c.Text, "source_ids": []string{fmt.Sprintf("S1:%d", 2*c.Line-1)}})
	}
	if _, failed := s.Call("verify_citations", map[string]any{"state_id": loop, "claims": claims}); failed != "" {
		return loop, own, nil, failed
	}
	out, why = s.Call("review_claims", map[string]any{"state_id": loop, "limit": 40})
	return loop, own, out, why
}

// score has planted errors caught, of all, controls passed, of all.
type score [4]int

// batch plays one batch and returns its status.
func batch(s *lab.Server, p game.Player, sum *score, lines []string, r *rand.Rand) (status, why string) {
	loop, own, out, why := open(s, lines, r)
	shown := map[string]string{}
	for range 5 {
		list, _ := out["items"].([]any)
		if len(list) == 0 {
			break
		}
		var items []game.Item
		for _, x := range list {
			m := x.(map[string]any)
			it := game.Item{ID: fmt.Sprint(m["item"]), Claim: fmt.Sprint(m["claim"])}
			passages, _ := m["passages"].([]any)
			for _, y := range passages {
				pm := y.(map[string]any)
				id := fmt.Sprint(pm["id"])
				if pm["lines"] != nil {
					heading, _ := pm["heading"].(string)
					shown[id] = heading + "\n" + fmt.Sprint(pm["text"])
				}
				it.Passages = append(it.Passages, shown[id])
			}
			items = append(items, it)
		}
		var answers []any
		for i, yes := range p.Stamp(own, items, r) {
			a := map[string]any{"item": items[i].ID, "answer": "not_stated"}
			if yes {
				_, text, _ := strings.Cut(items[i].Passages[0], "\n") // without the heading
				said := strings.Fields(text)
				a["answer"], a["quote"] = "supported", strings.Join(said[:min(5, len(said))], " ")
			}
			answers = append(answers, a)
		}
		out, why = s.Call("review_claims", map[string]any{"state_id": loop, "answers": answers, "limit": 40})
		if status, _ = out["status"].(string); status != "open" {
			for i, at := range [][2]string{{"planted", "caught"}, {"planted", "n"}, {"controls", "passed"}, {"controls", "n"}} {
				m, _ := out[at[0]].(map[string]any)
				n, _ := m[at[1]].(float64)
				sum[i] += int(n)
			}
			return status, why
		}
	}
	return status, fmt.Sprint(why, status)
}

func roles(l *lab.Lab) (bool, string) {
	s := l.Served()
	loop, _, _, why := open(s, documents()[0], rand.New(rand.NewPCG(1, 1)))
	if loop == "" {
		return false, why
	}
	file := filepath.Join(l.Folder, "open.zip")
	said, code := l.Run(l.Folder, nil, "loops", "export", loop, file, "--data", s.Data)
	body, err := unzip(file)
	if err != nil {
		return code != 0, "refused: " + said
	}
	if !strings.Contains(body, loop) {
		return false, "the export cannot be read"
	}
	_, resource, _ := s.Post("resources/read", map[string]any{"uri": "citeloop://loops/" + loop})
	state, _ := s.Call("loop_get_state", map[string]any{"state_id": loop})
	body += string(resource) + fmt.Sprint(state)
	n := strings.Count(body, `"planted"`) + strings.Count(body, `"control"`) + strings.Count(body, `"seed":"0`) + strings.Count(body, `"role":"pending"`)
	return n == 0, fmt.Sprintf("%d roles or seeds in export, resource and state", n)
}

// tries plays in one loop until a batch is believed or refused.
func tries(l *lab.Lab) (bool, string) {
	s := l.Served()
	loop, _, out, why := open(s, documents()[1], rand.New(rand.NewPCG(2, 1)))
	for n := range 6 {
		list, _ := out["items"].([]any)
		if len(list) == 0 {
			return n == 2 && strings.Contains(why, "void"), fmt.Sprintf("after %d void batches: %s", n, why)
		}
		var answers []any
		for _, x := range list {
			answers = append(answers, map[string]any{"item": x.(map[string]any)["item"], "answer": "not_stated"})
		}
		_, _ = s.Call("review_claims", map[string]any{"state_id": loop, "answers": answers})
		out, why = s.Call("review_claims", map[string]any{"state_id": loop, "limit": 40})
	}
	return false, "six batches were given"
}
