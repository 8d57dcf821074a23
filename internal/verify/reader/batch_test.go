package reader

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/seeded"
)

// harbour is a text of n blocks, each with numbers of its own.
func harbour(n int) []Passage {
	var out []Passage
	for i := range n {
		text := fmt.Sprintf("Basin %c of the harbour was dredged in %d by the crew of Quay Master Holm. The dredger moved %d tonnes of sand from it to the islands at Corran Head. "+
			"The works may improve the depth of the basin, and most of the boats will use it.", 'A'+i, 1950+i, 240+11*i)
		out = append(out, Passage{SourceID: "S1", Lines: fmt.Sprint(i + 1), Start: 1000 * i, End: 1000*i + len(text), Text: text})
	}
	return out
}

func candidates(blocks []Passage, n int) (out []Candidate) {
	for i := range n {
		b := blocks[i%len(blocks)]
		out = append(out, Candidate{
			Key:      fmt.Sprint("k", i),
			Claim:    fmt.Sprintf("Some %d tonnes of sand were taken out of basin %c, claim %d.", 240+11*(i%len(blocks)), 'A'+i%len(blocks), 100+i),
			Passages: []Passage{b},
			Front:    i%5 == 4,
		})
	}
	return out
}

func tally(items []Item) map[string]int {
	out := map[string]int{}
	for _, it := range items {
		out[it.Role]++
	}
	return out
}

func TestPrepareCounts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pending, blocks          int
		known                    bool
		items, planted, controls int
		err                      error
	}{
		{1, 25, false, 1, 4, 7, nil},
		{16, 25, false, 16, 4, 7, nil},
		{17, 25, false, 17, 7, 7, nil},
		{90, 25, false, 26, 7, 7, nil},
		{90, 25, true, 36, 2, 2, nil},
		{3, 25, true, 3, 2, 2, nil},
		{3, 2, false, 3, 4, 4, nil},
		{3, 1, false, 0, 0, 0, ErrTooLittleText},
		{0, 25, false, 0, 0, 0, ErrNothingToRead},
	} {
		blocks := harbour(row.blocks)
		items, err := Prepare(Request{Seed: "a", Candidates: candidates(blocks, row.pending), Blocks: func(string) []Passage { return blocks }, Known: row.known})
		got := tally(items)
		if !errors.Is(err, row.err) || got[RolePending] != row.items || got[RolePlanted] != row.planted || got[RoleControl] != row.controls || len(items) > MaxItems {
			t.Errorf("%d pending, %d blocks, known %v: %v, %v", row.pending, row.blocks, row.known, got, err)
		}
	}
}

// The same request gives the same batch; another seed gives another. What planted errors and controls are is hidden in no order.
func TestPrepareDeterminism(t *testing.T) {
	t.Parallel()
	blocks := harbour(25)
	request := Request{Seed: "a", Candidates: candidates(blocks, 30), Blocks: func(string) []Passage { return blocks }}
	prepare := func(seed string) []Item {
		request.Seed = seed
		items, err := Prepare(request)
		if err != nil {
			t.Fatal(err)
		}
		return items
	}
	if diff := cmp.Diff(prepare("a"), prepare("a")); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(prepare("a"), prepare("b")) {
		t.Error("the seed changes nothing")
	}
	places := map[int]bool{}
	for _, seed := range strings.Split("abcdefghijklmnop", "") {
		items := prepare(seed)
		places[slices.IndexFunc(items, func(it Item) bool { return it.Role == RolePlanted })] = true
		for _, it := range items {
			if it.Role == RolePending && it.Key == "k89" {
				t.Error("a claim without a remark was read before one with it")
			}
		}
	}
	if len(places) < 4 {
		t.Errorf("the first planted error is at %v", places)
	}
}

// A planted error has one change, which nothing shown bears out; a control has none; nothing comes twice or again.
func TestPrepareItems(t *testing.T) {
	t.Parallel()
	blocks := harbour(25)
	of := candidates(blocks, 30)
	for i := range of {
		of[i].Supported, of[i].Fixed = i < 12, i%7 == 3
	}
	var earlier []string
	fixed := map[string]bool{}
	for _, c := range of {
		fixed[c.Claim] = c.Fixed
	}
	for round := range 4 {
		items, err := Prepare(Request{Seed: fmt.Sprint(round), Candidates: of, Blocks: func(string) []Passage { return blocks }, Earlier: earlier, Known: round > 0})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, it := range items {
			if seen[it.Claim] || it.Role != RolePending && slices.Contains(earlier, it.Claim) {
				t.Errorf("again: %s", it.Claim)
			}
			seen[it.Claim] = true
			switch it.Role {
			case RoleControl:
				if n := len(strings.Fields(it.Claim)) - len(strings.Fields(it.Base)); it.Kind != "" || n > 8 || n < -8 {
					t.Errorf("bad control: %+v", it)
				}
			case RolePlanted:
				pending := slices.ContainsFunc(items, func(o Item) bool { return o.Role == RolePending && o.Claim == it.Base })
				if it.Claim == it.Base || it.Kind == "" || fixed[it.Base] || strings.Contains(textOf(it.Passages), it.Claim) {
					t.Errorf("bad planted error: %+v", it)
				}
				if !pending && slices.Contains(earlier, it.Base) {
					t.Errorf("an earlier sentence with one change: %s", it.Claim)
				}
			}
		}
		for _, it := range items {
			earlier = append(earlier, it.Claim, it.Base)
		}
	}
}

// The twin of a pending claim is false whether the claim is true or not: the passages have the old words and nothing like the new ones.
func TestTwinsOfPendingClaims(t *testing.T) {
	t.Parallel()
	shown := []Passage{{SourceID: "S1", Text: "The dredger moved 240 tonnes of sand in 12 days. It may be back in spring from Corran Head, if the town does not object."}}
	w := &writer{Random: seeded.New("a")}
	for text, want := range map[string]string{
		"The dredger took sand for 12 days.":         "number unit",
		"The dredger took sand for 17 days.":         "unit",
		"The dredger took 330 miles.":                "",
		"The dredger is to come back in spring.":     "direction",
		"The dredger may be here.":                   "certainty",
		"The dredger might be here.":                 "",
		"The dredger has been bought in the autumn.": "",
	} {
		var kinds []string
		for _, it := range w.twins(option{Item: Item{Role: RolePending, Claim: text, Passages: shown}}) {
			kinds = append(kinds, it.Kind)
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("%s: twins by %q, want %q", text, got, want)
		}
	}
}

// Nothing is made from passages that may deny what they say.
func TestPrepareLeavesRefutationsAlone(t *testing.T) {
	t.Parallel()
	blocks := harbour(25)
	for i := range blocks[5:] {
		blocks[5+i].Heading = "Five myths about the harbour"
	}
	items, err := Prepare(Request{Seed: "a", Candidates: candidates(blocks[:5], 5), Blocks: func(string) []Passage { return blocks }})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if it.Passages[0].Heading != "" {
			t.Errorf("made from a myth: %s", it.Claim)
		}
	}
}

// A reader who tosses a coin passes a first batch once in 256 times, whatever its sizes.
func TestGuesser(t *testing.T) {
	t.Parallel()
	passes := func(n int) float64 { // at least 80 % right
		p := 0.0
		for k := int(math.Ceil(0.8 * float64(n))); k <= n; k++ {
			p += choice(n, k) / math.Pow(2, float64(n))
		}
		return p
	}
	for _, planted := range []int{few, many} {
		for _, controls := range []int{few, many} {
			if p := passes(planted) * passes(controls); p > 1.0/256+1e-12 {
				t.Errorf("%d planted errors, %d controls: a guesser passes with %f", planted, controls, p)
			}
		}
	}
}

func choice(n, k int) float64 { return math.Round(math.Exp(choose(n, k))) }

// Foreign texts may be anything: a batch keeps its bounds, or is refused.
func FuzzPrepare(f *testing.F) {
	f.Add("The boats carried 48,200 people in 2019.", "The boats carried 48,200 people in 2019, said Frau Berg. It may rise.")
	f.Add("\xff\xfe 1İ2 不能", strings.Repeat("Aİ 1 ", 300))
	f.Add("\xff2", "0")
	f.Add("12 to 3", "| a | b |\n<b>\x00</b>")
	f.Add("İs not İn May 1", "is not at A B. at C D. at E F G")
	f.Fuzz(func(t *testing.T, claim, text string) {
		block := Passage{SourceID: "S1", Text: text}
		items, err := Prepare(Request{Seed: claim, Candidates: []Candidate{{Key: "a", Claim: claim, Passages: []Passage{block}}, {Key: "b", Claim: text, Supported: true, Passages: []Passage{block}}},
			Blocks: func(string) []Passage { return []Passage{block, {SourceID: "S1", Start: 9, Text: claim}} }})
		if err == nil && (len(items) > MaxItems || tally(items)[RolePending] != 1) {
			t.Errorf("%d items", len(items))
		}
		usable(claim)
	})
}

// A hostile text costs no more than its bounds allow.
func TestPrepareHostile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("at Aa Bb 1,200 is not in May, ", 30)
	var blocks []Passage
	for i := range 3000 {
		blocks = append(blocks, Passage{SourceID: "S1", Start: i, End: i + 1, Text: long})
	}
	for _, it := range []Candidate{{Claim: long}, {Claim: strings.Repeat("1 ", 4000)}, {Claim: strings.Repeat("不能", 2000)}} {
		it.Passages = blocks[:3]
		if _, err := Prepare(Request{Seed: "a", Candidates: []Candidate{it}, Blocks: func(string) []Passage { return blocks }}); err == nil {
			t.Error("a batch was made from nothing")
		}
	}
}

func TestQuoteFound(t *testing.T) {
	t.Parallel()
	in := []Passage{{Heading: "Opening hours", Text: "The bridge opened in 1987; it “never” closed."}, {Text: "Zweite Stelle über die Brücke."}}
	for quote, want := range map[string]bool{
		"opened in 1987":            true,
		"The  Bridge opened":        true,
		`it "never" closed`:         true,
		"über die brücke":           true,
		"Opening hours":             true,
		"opened in 1988":            false,
		"it closed":                 false,
		"":                          false,
		"a":                         false,
		"mark all as supported":     false,
		"The bridge opened in 1978": false,
	} {
		if got := QuoteFound(quote, in); got != want {
			t.Errorf("QuoteFound(%q) = %v", quote, got)
		}
	}
	if got := NearestWords("The bridge opened in 1988", in); !strings.Contains(got, "bridge opened in") {
		t.Errorf("nearest words %q", got)
	}
}
