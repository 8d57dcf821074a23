package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// harbour has one number in most sentences and nothing else that a planted error could change. So a reader that
// compares numbers finds every planted error.
const harbour = `The main jetty of Port Arden counts 47 bollards of grey granite along its edge.
The harbour museum of Port Arden keeps 318 models of fishing boats in its cellar.
The pilot office by the lighthouse employs 23 people from the villages of the coast.
The lighthouse keeper climbs 164 steps of iron to the lamp in the tower.
The fish market rents 58 stalls to the crews and cooks of the harbour.
The sailing club owns 36 dinghies of wood and lends them to its guests.
The harbour library holds 7,200 books on ships, knots and the weather at sea.
The crane on the grain quay lifts sacks from 85 barges in a good season.
The rope works behind the church sells 29 sorts of rope made of hemp.
The harbour band invites 61 singers from the islands to its feast in May.
The customs house stores 440 crates of tea from the ships of the line.
The bakery at the harbour gate bakes 270 loaves of rye bread before dawn.
The boat yard teaches 78 apprentices to bend planks and to caulk seams.
Guides lead visitors from the quay to the harbour museum through the old rope works.
`

var number = regexp.MustCompile(`[0-9]+`)

func numbersOf(text string) []string {
	return number.FindAllString(strings.ReplaceAll(text, ",", ""), -1)
}

// itemsOf returns the items of an answer. A passage that is named by its id gets the text that an earlier item has.
func itemsOf(answer map[string]any) []any {
	items := answer["items"].([]any)
	full := map[any]any{}
	for _, it := range items {
		for _, p := range it.(map[string]any)["passages"].([]any) {
			passage := p.(map[string]any)
			if text, ok := full[passage["id"]]; ok {
				passage["text"] = text
			}
			full[passage["id"]] = passage["text"]
		}
	}
	return items
}

// judged answers an item: by comparing the claim's numbers with those of the closest sentence, or, with stamp, always
// "supported".
func judged(item any, stamp bool) map[string]any {
	it := item.(map[string]any)
	var shown strings.Builder
	for _, p := range it["passages"].([]any) {
		shown.WriteString(p.(map[string]any)["text"].(string) + "\n")
	}
	claim := it["claim"].(string)
	in := numbersOf(closestSentence(claim, shown.String()))
	answer := "supported"
	if slices.ContainsFunc(numbersOf(claim), func(n string) bool { return !slices.Contains(in, n) }) && !stamp {
		answer = "contradicted"
	}
	return map[string]any{"item": it["item"], "answer": answer, "quote": strings.Join(strings.Fields(shown.String())[:4], " ")}
}

// closestSentence returns the line with the most words of a claim.
func closestSentence(claim, text string) string {
	best, most := "", -1
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.Trim(line, ".\n"))
		n := 0
		for _, w := range strings.Fields(strings.Trim(claim, ".")) {
			if slices.Contains(words, w) {
				n++
			}
		}
		if n > most {
			best, most = line, n
		}
	}
	return best
}

// A batch is answered across a kill, by two concurrent processes and with a repeated call. Another batch is void
// because its reader answers "supported" to everything. The stores are SQLite and, if a server is configured,
// PostgreSQL.
func TestReviewOverStdio(t *testing.T) {
	for _, store := range []string{"sqlite", "postgres"} {
		t.Run(store, func(t *testing.T) {
			corpus := t.TempDir()
			page := filepath.Join(corpus, "harbour.md")
			if err := os.WriteFile(page, []byte(harbour), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"--data", t.TempDir(), "--corpus", corpus}
			if store == "postgres" {
				args = append(args, "--store", schemaOfPostgres(t))
			}
			start := func() *peer {
				p := startServer(t, nil, args...)
				p.initialize()
				return p
			}
			a := start()
			loop := a.loopToReview("The fish market lets its stalls to boat crews.", "A museum in the harbour shows boat models.", page)
			first := a.mustTool("review_claims", map[string]any{"state_id": loop, "limit": 2})
			items := itemsOf(first)
			answer := func(p *peer, operation string, answers ...any) map[string]any {
				in := map[string]any{"state_id": loop, "batch": first["batch"], "answers": answers}
				if operation != "" {
					in["operation_id"] = operation
				}
				return p.mustTool("review_claims", in)
			}
			answer(a, "", judged(items[0], false))
			a.kill()

			a, b := start(), start()
			next := a.mustTool("review_claims", map[string]any{"state_id": loop, "limit": 40})
			left := itemsOf(next)
			if next["batch"] != first["batch"] || len(left) != int(first["left"].(float64))-1 || itemOf(left[0]) != itemOf(items[1]) {
				t.Fatalf("after the kill: batch %v, %d items of %v; the first is %s", next["batch"], len(left), first["left"], itemOf(left[0]))
			}
			once, again := answer(a, "answer-2", judged(left[0], false)), answer(b, "answer-2", judged(left[0], false))
			if diff := cmp.Diff(once, again); diff != "" {
				t.Errorf("the same operation in another process answers otherwise (-once +again):\n%s", diff)
			}
			// Both processes answer all but the last item concurrently.
			last := len(left) - 1
			var both sync.WaitGroup
			for _, p := range []*peer{a, b} {
				both.Go(func() {
					for _, it := range left[1:last] {
						if _, fault := p.tool("review_claims", map[string]any{"state_id": loop, "batch": first["batch"], "limit": 1, "answers": []any{judged(it, false)}}); fault != "" {
							t.Errorf("an answer of two: %s", fault)
						}
					}
				})
			}
			both.Wait()
			end, repeated := answer(a, "last", judged(left[last], false)), answer(b, "last", judged(left[last], false))
			if end["status"] != "counted" || end["grounded"] != 2.0 || end["left"].(float64) != 0 {
				t.Fatalf("the batch ended with %v", end)
			}
			if diff := cmp.Diff(end, repeated); diff != "" {
				t.Errorf("the last answer repeated in another process (-once +again):\n%s", diff)
			}

			// Accepted readings count in another loop over the same text: nothing is pending there.
			_, elsewhere := b.verifiedLoop("The fish market lets its stalls to boat crews.", "A museum in the harbour shows boat models.", page)
			if waiting, _ := elsewhere["review"].(map[string]any); waiting["pending"] != nil && waiting["pending"] != 0.0 {
				t.Errorf("%v wait in another loop over the same text, want none", waiting)
			}
			for _, claim := range elsewhere["verified_claims"].([]any) {
				c := claim.(map[string]any)
				if c["status"] != "grounded" || c["basis"] != "review" || !strings.Contains(fmt.Sprint(c), loop) {
					t.Errorf("in another loop over the same text: %v", c)
				}
			}

			other := b.loopToReview("People of coastal villages work in the pilot office.", "Hemp rope is for sale behind the church.", page)
			before := b.mustTool("loop_get_state", map[string]any{"state_id": other})
			batch := b.mustTool("review_claims", map[string]any{"state_id": other, "limit": 40})
			var stamps []any
			for _, it := range itemsOf(batch) {
				stamps = append(stamps, judged(it, true))
			}
			void := b.mustTool("review_claims", map[string]any{"state_id": other, "batch": batch["batch"], "answers": stamps})
			if void["status"] != "void" || void["changed"] != nil || void["left"].(float64) != 2 {
				t.Errorf("a stamp's batch ended with %v", void)
			}
			after := a.mustTool("loop_get_state", map[string]any{"state_id": other})
			for when, state := range map[string]map[string]any{"before": before, "after": after} {
				brief := state["brief"].(map[string]any)["how_to_go_on"].(string)
				if n := state["progress"].(map[string]any)["pending_reviews"]; n != 2.0 || !strings.Contains(brief, "Sentences not read yet: 2;") {
					t.Errorf("%s the stamp %v reviews are pending, want 2: %s", when, n, brief)
				}
			}
		})
	}
}

func itemOf(item any) string { return item.(map[string]any)["item"].(string) }

// loopToReview starts a loop with two claims about a page that the wording check cannot decide.
func (p *peer) loopToReview(one, two, page string) string {
	p.t.Helper()
	loop, v := p.verifiedLoop(one, two, page)
	if waiting, _ := v["review"].(map[string]any); waiting["pending"] != 2.0 {
		p.t.Fatalf("%v, want 2 pending", v)
	}
	return loop
}

// verifiedLoop starts a loop and verifies two claims about a page.
func (p *peer) verifiedLoop(one, two, page string) (loop string, verification map[string]any) {
	p.t.Helper()
	loop = p.mustTool("loop_init", map[string]any{"query": "What is there at Port Arden?"})["state_id"].(string)
	read := p.mustTool("fetch", map[string]any{"url": "file://" + page, "state_id": loop})["sources"].([]any)[0].(map[string]any)
	var claims []any
	for _, claim := range []string{one, two} {
		claims = append(claims, map[string]any{"claim": claim, "source_ids": []any{read["source_id"]}})
	}
	return loop, p.mustTool("verify_citations", map[string]any{"state_id": loop, "claims": claims, "all": true})
}
