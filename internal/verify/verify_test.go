package verify_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

const harbour = `# The harbour of Arden

The lamp burned 40 litres of oil in a week until 1931. "We never let it go dark", said the keeper.

Costs of the light:

- oil, 300 crowns a year
- glass, 20 crowns a year

Year | Visitors
1930 | 4,100
1931 | 3,900
`

// shelf returns sources S1, S2, … with these texts.
func shelf(texts ...string) map[string]verify.Source {
	out := map[string]verify.Source{}
	for i, text := range texts {
		id := fmt.Sprintf("S%d", i+1)
		out[id] = verify.Source{Source: loopstate.Source{ID: id, Title: "Arden", FinalURL: "https://example.org/" + id,
			SHA256: loopstate.HashText([]byte(text)).String(), Chars: len([]rune(text))}, Text: verify.NewText(text)}
	}
	return out
}

func check(t *testing.T, sources map[string]verify.Source, claims ...verify.Claim) []verify.Claim {
	t.Helper()
	library := verify.Library{InLoop: true}
	for _, src := range sources {
		library.Sources = append(library.Sources, src.Source)
	}
	library = library.Indexed()
	library.Follow(claims)
	if err := verify.Check(t.Context(), claims, sources); err != nil {
		t.Fatal(err)
	}
	return claims
}

// A claim shows its reader the blocks of the cited lines with what is above them, and says which lines they are.
func TestCitedLines(t *testing.T) {
	t.Parallel()
	sources := shelf(harbour)
	for _, tt := range []struct {
		cite, lines, heading, text string
	}{
		{"S1:3", "S1:3", "Arden › The harbour of Arden", "The lamp burned"},
		{"S1:7-8", "S1:7-8", "Arden › The harbour of Arden › Costs of the light:", "- oil, 300 crowns a year\n- glass"},
		{"S1:12", "S1:12", "Arden › The harbour of Arden › Year | Visitors", "1931 | 3,900"},
		{"S1:3,12", "S1:3; S1:12", "Arden › The harbour of Arden", "The lamp burned"},
	} {
		c := check(t, sources, verify.New("The lamp burned 40 litres of oil in a week.", tt.cite))[0]
		if c.Lines() != tt.lines || c.Passages[0].Heading != tt.heading || !strings.HasPrefix(c.Passages[0].Text, tt.text) {
			t.Errorf("%s: lines %s, below %q: %q", tt.cite, c.Lines(), c.Passages[0].Heading, c.Passages[0].Text)
		}
	}
	titled := sources["S1"]
	titled.Title = "The harbour of Arden"
	c := check(t, map[string]verify.Source{"S1": titled}, verify.New("The lamp burned 40 litres of oil in a week.", "S1:7"))[0]
	if h := c.Passages[0].Heading; h != "The harbour of Arden › Costs of the light:" {
		t.Errorf("a title that is the first heading stands twice: %q", h)
	}
	found := check(t, sources, verify.New("How many visitors came in 1931?", "S1"))[0]
	if !strings.Contains(found.Passages[0].Text, "3,900") || found.Pinpointed() {
		t.Errorf("found %+v", found.Passages)
	}
}

// Of a paragraph that is a page, a reader sees each of the cited lines, and it has blocks that can be shown.
func TestLinesOfALongParagraph(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "The keeper of tower %d burned %d litres of oil in the winter.\n", i+1, 300+i)
	}
	sources := shelf(b.String())
	c := check(t, sources, verify.New("The keepers of three towers burned oil.", "S1:2,20-21,39"))[0]
	if c.Lines() != "S1:2; S1:20-21; S1:39" || !strings.HasPrefix(c.Passages[1].Text, "The keeper of tower 20 ") {
		t.Errorf("%s: %+v", c.Lines(), c.Passages)
	}
	var all []string
	for _, p := range sources["S1"].Blocks() {
		if len(p.Text) > 1_200 || p.Text != sources["S1"].Text.Slice(p.Start, p.End) {
			t.Errorf("%d-%d, lines %s: %d bytes", p.Start, p.End, p.Lines, len(p.Text))
		}
		all = append(all, p.Text)
	}
	if got := strings.Join(all, "\n"); len(all) < 3 || got != strings.TrimSpace(b.String()) {
		t.Errorf("%d blocks:\n%s", len(all), got)
	}
}

// Citations of sources and lines that do not exist are dead, with the number of lines there are.
func TestDeadCitations(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cite, why string }{
		{"S9", "no source of the loop has the id S9"}, {"S1:13", "S1 has 12 lines, so there is no S1:13"}, {"S1:9-99", "S1 has 12 lines"},
		{"S1:x", "the lines cannot be read"}, {"", "neither a source id nor an address"},
	} {
		c := check(t, shelf(harbour), verify.New("The lamp burned oil.", tt.cite))[0]
		if !strings.Contains(c.Citations[0].Problem, tt.why) || c.Status != loopstate.Unsupported || c.Key != "" {
			t.Errorf("%s: %q, %s", tt.cite, c.Citations[0].Problem, c.Status)
		}
	}
}

// No rule says grounded or unsupported: a claim waits for its reader whatever its words are.
func TestNothingIsDecidedWithoutAReader(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"The lamp burned 40 litres of oil in a week until 1931.", "The lamp burned 70 litres of oil in a week until 1931.",
		"The lamp never burned oil.", "Penguins live in the south.",
	} {
		for _, cite := range []string{"S1", "S1:3"} {
			c := check(t, shelf(harbour), verify.New(text, cite))[0]
			if c.Status != loopstate.Inferred || c.Read() || !c.Pending() || c.Basis() != "" {
				t.Errorf("%s of %s: %s", text, cite, c.Status)
			}
			if c.Verbatim != (text == "The lamp burned 40 litres of oil in a week until 1931.") {
				t.Errorf("%q is verbatim: %v", text, c.Verbatim)
			}
		}
	}
}

func TestQuotations(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ quote, grade, status, flag string }{
		{"We never let it go dark", "exact", loopstate.Inferred, ""},
		{"we never let it  go dark", "normalised", loopstate.Inferred, ""},
		{"The lamp burned 40 litres of oil in a weak until 1931", "fuzzy", loopstate.Inferred, verify.FlagQuoteFuzzy},
		{"Nobody cared about the light at all", "absent", loopstate.Unsupported, verify.FlagQuoteAbsent},
	} {
		claim := verify.New("The keeper spoke of it.")
		cite := verify.Cite("S1")
		cite.Quote = tt.quote
		claim.Citations = append(claim.Citations, cite)
		c := check(t, shelf(harbour), claim)[0]
		if string(c.QuoteGrade()) != tt.grade || c.Status != tt.status || tt.flag != "" && !c.Has(tt.flag) {
			t.Errorf("%q: %s, %s, %v", tt.quote, c.QuoteGrade(), c.Status, c.Flags)
		}
	}
	other := verify.New("The keeper spoke of it.")
	cite := verify.Cite("S1")
	cite.Quote = "We never let it go dark"
	other.Citations = append(other.Citations, cite, verify.Cite("S2"))
	if c := check(t, shelf("Another text without these words, about ships.", harbour), other)[0]; !c.Has(verify.FlagQuoteOther) {
		t.Errorf("a quotation of another source: %v", c.Flags)
	}
	const twice = "The keeper said never again.\n\nThe lamp was lit in the year 1900.\n\nThe keeper said never again."
	for lines, elsewhere := range map[string]bool{"1": false, "5": false, "3": true, "3,5": false} {
		c := verify.New("They wrote that.", "S1:"+lines)
		c.Quotes = []string{"said never again"}
		if got := check(t, shelf(twice), c)[0]; got.Has(verify.FlagQuoteOther) != elsewhere {
			t.Errorf("lines %s: %v", lines, got.Flags)
		}
	}
}

// A reading decides, says who read, and is found again by the sentence and the cited block, in any loop.
func TestReadings(t *testing.T) {
	t.Parallel()
	for answer, status := range map[string]string{
		loopstate.AnswerSupported: loopstate.Grounded, loopstate.AnswerPartly: loopstate.Inferred,
		loopstate.AnswerContradicted: loopstate.Unsupported, loopstate.AnswerNotStated: loopstate.Unsupported,
	} {
		c := check(t, shelf(harbour), verify.New("The lamp burned 40 litres of oil.", "S1:3"))[0]
		c.Apply(loopstate.Reading{Item: "R1-1", Answer: answer, Quote: "40 litres", Reader: loopstate.Reader{Kind: "subagent"}})
		if c.Status != status || !c.Read() || !strings.Contains(c.Because, "by a second assistant") ||
			(c.Basis() == verify.BasisReview) != (status == loopstate.Grounded) {
			t.Errorf("%s: %s, %q", answer, c.Status, c.Because)
		}
	}
	key := func(text, sentence, cite string, before ...string) string {
		c := verify.New(sentence, cite)
		c.Before = strings.Join(before, " ")
		return check(t, shelf(text), c)[0].Key
	}
	first := key(harbour, "The lamp burned 40 litres of oil.", "S1:3")
	if again := key(harbour+"\nA new line.", "the lamp burned 40 litres of oil", "S1:3"); again != first {
		t.Error("a line added elsewhere asks for another reading")
	}
	for what, other := range map[string]string{
		"another number":       key(harbour, "The lamp burned 41 litres of oil.", "S1:3"),
		"a sentence before it": key(harbour, "The lamp burned 40 litres of oil.", "S1:3", "The tower fell."),
		"another line":         key(harbour, "The lamp burned 40 litres of oil.", "S1:7"),
		"another block":        key(strings.Replace(harbour, "in a week", "in a month", 1), "The lamp burned 40 litres of oil.", "S1:3"),
	} {
		if other == first {
			t.Errorf("%s has the same reading", what)
		}
	}
}

func TestDraftsAndTallies(t *testing.T) {
	t.Parallel()
	text := "The lamp burned 40 litres of oil in a week [S1:3]. It cost 300 crowns a year [S1:7]. The tower behind it was the tallest " +
		"of the whole coast.\n\nGlass was dear [S9]."
	sources := shelf(harbour)
	library := verify.Library{InLoop: true, Sources: []loopstate.Source{sources["S1"].Source}}.Indexed()
	said := library.Read(draft.Parse(text))
	if err := verify.Check(t.Context(), said.Claims, sources); err != nil {
		t.Fatal(err)
	}
	var tally verify.Tally
	for _, c := range said.Claims {
		tally.Add(c)
	}
	tally.Uncited = len(said.Uncited)
	if tally.Unread != 2 || tally.Dead != 1 || tally.Uncited != 1 || tally.Total() != 4 {
		t.Errorf("%+v", tally)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		tally         verify.Tally
		planned, dead int
		want          string
	}{
		{"all read and supported", verify.Tally{Supported: 5}, 0, 0, verify.Pass},
		{"the rest of a sample is unread", verify.Tally{Supported: 20, Unread: 60}, 0, 0, verify.Pass},
		{"four of five", verify.Tally{Supported: 4, Partly: 1}, 0, 0, verify.Pass},
		{"three of five", verify.Tally{Supported: 3, Partly: 2}, 0, 0, verify.Fail},
		{"contradicted", verify.Tally{Supported: 50, Contradicted: 1}, 0, 0, verify.Fail},
		{"to be read", verify.Tally{Unread: 5}, 5, 0, verify.Review},
		{"to be read, and lost", verify.Tally{NotStated: 9, Unread: 1}, 1, 0, verify.Fail},
		{"a dead citation", verify.Tally{Supported: 5}, 0, 1, verify.Fail},
		{"a wrong quotation", verify.Tally{Supported: 5, BadQuotes: 1}, 0, 0, verify.Fail},
		{"uncited", verify.Tally{Supported: 5, Uncited: 1}, 0, 0, verify.Fail},
		{"nothing claimed", verify.Tally{}, 0, 0, verify.Review},
	} {
		if got := tt.tally.Verdict(verify.DefaultThreshold, tt.planned, tt.dead); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Two claims that are equal but for a number conflict if they rest on different sources.
func TestConflicts(t *testing.T) {
	t.Parallel()
	two := shelf(harbour, strings.ReplaceAll(harbour, "40 litres", "45 litres"))
	for _, tt := range []struct {
		a, b string
		want int
	}{{"S1", "S2", 1}, {"S1", "S1", 0}} {
		claims := check(t, two, verify.New("The lamp burned 40 litres of oil in a week.", tt.a),
			verify.New("The lamp burned 45 litres of oil in a week.", tt.b), verify.New("The lamp was tall.", "S2"))
		got := verify.Conflicts(claims)
		if len(got) != tt.want || tt.want == 1 && (got[0].ValueA != "40 litres" || got[0].ValueB != "45 litres") {
			t.Errorf("%s and %s: %+v", tt.a, tt.b, got)
		}
	}
	about := check(t, two, verify.New("About 40 litres of oil burned in a week.", "S1"),
		verify.New("About 60 litres of oil burned in a week.", "S2"))
	if got := verify.Conflicts(about); len(got) != 1 {
		t.Errorf("about: %+v", got)
	}
	for _, pair := range [][2]string{ // numbers that are parts of names, and dates
		{"Apollo 11 carried men to the moon.", "Apollo 12 carried men to the moon."},
		{"RFC 9110 defines the methods.", "RFC 9112 defines the methods."},
		{"The standard ISO 9001 names the tests.", "The standard ISO 9002 names the tests."},
		{"Boeing 747 crews train at Arden.", "Boeing 767 crews train at Arden."},
		{"The mill was sold in 1874.", "The mill was sold in 1901."},
		{"Version 3 removed the old lamp.", "Version 4 removed the old lamp."},
		{"The market for lamps was worth 5 billion crowns in 2020.", "The market for lamps was worth 3 billion crowns in 2021."},
		{"The Model 3 lamp weighs 18 kilograms.", "The Model 4 lamp weighs 20 kilograms."},
		{"The fee was 30 crowns for 12 months.", "The fee was 40 crowns for 24 months."},
		{"The weir is 2 km above the mill.", "The weir is 2,000 m above the mill."},
	} {
		if got := verify.Conflicts(check(t, two, verify.New(pair[0], "S1"), verify.New(pair[1], "S2"))); len(got) > 0 {
			t.Errorf("%q: %+v", pair, got)
		}
	}
	for _, pair := range [][2]string{ // of the same year, version or thing
		{"The market for lamps was worth $5B in 2020.", "The market for lamps was worth $3B in 2020."},
		{"In 2020 the market for lamps was worth 5 billion crowns.", "In 2020 the market for lamps was worth 3 billion crowns."},
		{"Version 3 of the lamp burns 40 litres.", "Version 3 of the lamp burns 45 litres."},
		{"About 65 percent of visitors came by boat.", "About 45 percent of visitors came by boat."},
	} {
		if got := verify.Conflicts(check(t, two, verify.New(pair[0], "S1"), verify.New(pair[1], "S2"))); len(got) != 1 {
			t.Errorf("%q: %+v", pair, got)
		}
	}
}

// The words of a listed claim are read as those of a draft.
func TestQuotationsOfAClaim(t *testing.T) {
	t.Parallel()
	v := verify.Begin(&loopstate.State{}, 0, time.Now())
	if err := v.Resolve("", []verify.Claim{verify.New("The log says “the weir was blown up by pirates”.", "S1")}); err != nil {
		t.Fatal(err)
	}
	if got := v.Claims[0].Quotes; len(got) != 1 || got[0] != "the weir was blown up by pirates" {
		t.Errorf("%q", got)
	}
}
