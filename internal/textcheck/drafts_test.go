package textcheck

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// brief returns the claims in the form of the table below: place, status and citations.
func brief(r *Result) []string {
	var out []string
	for _, c := range r.Claims {
		line := fmt.Sprintf("%d:%d %s", c.Line, c.Column, c.Status)
		for _, cite := range c.Citations {
			line += fmt.Sprintf(" %s=%s", cite.URL, cite.Status)
		}
		out = append(out, line)
	}
	for _, u := range r.Uncited {
		out = append(out, fmt.Sprintf("%d:%d uncited", u.Line, u.Column))
	}
	for _, h := range r.Hallucinated {
		out = append(out, fmt.Sprintf("%d:%d hallucinated %s: %s", h.Line, h.Column, h.Citation, h.Why))
	}
	return out
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		text    string
		offline bool
		want    []string
		verdict string
		exit    int
	}{
		{"a link", "The tower of Arden was built in 1874 by two [brothers](https://arden.example/tower).\n", false,
			[]string{"1:1 inferred https://arden.example/tower=read"}, outcome.Undecided, 3},
		{"no citation", "The tower of Arden was built in 1874 by two brothers.\n", false,
			[]string{"1:1 uncited"}, outcome.Fail, 1},
		{"no such entry", "The tower of Arden was built in 1874 by two brothers [1][2].\n\n## References\n\n[1] The tower. https://arden.example/tower\n", false,
			[]string{"1:1 inferred https://arden.example/tower=read =unresolved", "1:57 hallucinated [2]: the reference list has no entry for 2"}, outcome.Fail, 1},
		{"an id without a loop", "The tower of Arden was built in 1874 by two brothers [S3].\n", false,
			[]string{"1:1 unsupported =unresolved", "1:54 hallucinated [S3]: S3 is the id of a source in a loop; name the loop, or list the address in the references"}, outcome.Fail, 1},
		{"no page at the address", "The tower of Arden was built in 1874 by two [brothers](https://arden.example/lost).\n", false,
			[]string{"1:1 unsupported https://arden.example/lost=not_found", "1:45 hallucinated https://arden.example/lost: https://arden.example/lost: there is no page at this address (HTTP 404)"}, outcome.Fail, 1},
		{"a source that cannot be read", "The tower of Arden was built in 1874 by two [brothers](https://shut.example/paper).\n", false,
			[]string{"1:1 inferred https://shut.example/paper=paywalled"}, outcome.Undecided, 3},
		{"grounded by the source that was read, the other one is still unread", "The tower of Arden was built in 1874 by two brothers (https://arden.example/tower, https://slow.example/).\n", false,
			[]string{"1:1 inferred https://arden.example/tower=read https://slow.example/=timeout"}, outcome.Undecided, 3},
		{"a finding is worse than an unread source", "The tower of Arden stands on granite (https://slow.example/). The parish has paid for it since 1790.\n", false,
			[]string{"1:1 inferred https://slow.example/=timeout", "1:63 uncited"}, outcome.Fail, 1},
		{"offline", "The tower of Arden was built in 1874 by two [brothers](https://arden.example/tower).\n", true,
			[]string{"1:1 inferred https://arden.example/tower=not_read"}, outcome.Undecided, 3},
		{"columns count characters", "塔于1874年由霍尔特兄弟二人建成。The tower of Arden was built in 1874 by two brothers https://arden.example/tower\n", false,
			[]string{"1:19 inferred https://arden.example/tower=read", "1:1 uncited"}, outcome.Fail, 1},
		{"nothing is claimed", "# Arden\n\nWho built the tower?\n", false, nil, outcome.Undecided, 3},
		{"an empty file", "", false, nil, outcome.Undecided, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(island())
			cfg.Offline = tt.offline
			r := check(t, cfg, Draft{"report.md", tt.text})
			if diff := cmp.Diff(tt.want, brief(r)); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
			if r.Verdict != tt.verdict || r.ExitCode() != tt.exit {
				t.Errorf("verdict %s, exit %d; want %s, %d", r.Verdict, r.ExitCode(), tt.verdict, tt.exit)
			}
			for _, c := range r.Claims { // the passages are parts of the text that was read
				for _, p := range c.Passages {
					i := slices.IndexFunc(r.Sources, func(s Source) bool { return s.ID == p.SourceID })
					if got := r.Sources[i].text.Slice(p.Start, p.End); got != p.Text {
						t.Errorf("passage %q, its offsets give %q", p.Text, got)
					}
				}
			}
		})
	}
}

// One document is read once, however often and however its address is spelt.
func TestEachAddressOnce(t *testing.T) {
	t.Parallel()
	w := island()
	w.pages["https://arden.example/tower#built"] = w.pages["https://arden.example/tower"]
	var progress []string
	cfg := config(w)
	cfg.Progress = func(done, of int, s Source, _ time.Duration) {
		progress = append(progress, fmt.Sprintf("%d/%d %s %s", done, of, s.Status, s.URL))
	}
	r := check(t, cfg,
		Draft{"a.md", "The tower of Arden was built in 1874 by two brothers (https://arden.example/tower#built).\n\nEleven men lost their lives in a storm (http://www.arden.example/tower/?utm_source=x).\n"},
		Draft{"b.md", "The harbour pays two thirds of the upkeep [1].\n\n[1]: https://arden.example/cost\n"})
	want := []string{"https://arden.example/tower#built", "https://arden.example/cost"}
	if diff := cmp.Diff(want, w.asked); diff != "" {
		t.Errorf("addresses read (-want +got):\n%s", diff)
	}
	if len(progress) != 2 || progress[1] != "2/2 read https://arden.example/cost" {
		t.Errorf("progress: %q", progress)
	}
	if len(r.Sources) != 2 || r.Sources[0].Cited != 2 {
		t.Errorf("sources: %+v", r.Sources)
	}
	if r.Files[0].Verdict != outcome.Undecided || r.Files[1].Verdict != outcome.Undecided || r.Verdict != outcome.Undecided {
		t.Errorf("verdicts: %+v", r.Files)
	}
}

// A citation of the last sentence may cover its paragraph, until a reader does not find a sentence there.
func TestParagraphCitedAtItsEnd(t *testing.T) {
	t.Parallel()
	text := "The tower of Arden was built in 1874 by two brothers. It never rains on the island of Arden. The work took three summers. [1]\n\n[1]: https://arden.example/bridge\n"
	r, err := bridge(t, text, nil)
	if err != nil || len(r.Claims) != 3 || len(r.Uncited) != 0 || !slices.ContainsFunc(r.Claims[0].Flags, func(f string) bool { return strings.HasPrefix(f, verify.FlagByParagraph) }) {
		t.Fatalf("%v %q", err, brief(r))
	}
	var batches []ReviewBatch
	r, err = bridge(t, text, answering(func(b ReviewBatch, it ReviewItem) loopstate.ReviewAnswer {
		if strings.HasPrefix(it.Claim, "It never rains") {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerNotStated}
		}
		return honestly(b, it)
	}, &batches))
	if err != nil || len(r.Claims) != 2 || len(r.Uncited) != 1 || r.Uncited[0].Column != 55 {
		t.Errorf("%v %q", err, brief(r))
	}
}

// A reference with the title of another page is a finding at its line.
func TestMistitled(t *testing.T) {
	t.Parallel()
	text := "The tower of Arden was built in 1874 by two brothers [1].\n\nThe harbour pays two thirds of the upkeep [2].\n\n## References\n\n[1] The tower of Arden. https://arden.example/tower\n[2] Herring fisheries of the western coast. https://arden.example/cost\n"
	r := check(t, config(island()), Draft{"a.md", text})
	if len(r.Mistitled) != 1 || r.Mistitled[0].Line != 8 || r.Mistitled[0].Title != "What the upkeep of the Arden tower costs the harbour" || r.Verdict != outcome.Undecided {
		t.Errorf("%s: %+v", r.Verdict, r.Mistitled)
	}
	cfg := config(island())
	cfg.FailOn = []Kind{Mistitled}
	if r := check(t, cfg, Draft{"a.md", text}); r.Verdict != outcome.Fail {
		t.Errorf("verdict %s", r.Verdict)
	}
}

// The caller chooses the findings that fail a draft.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	read := verify.Tally{Supported: 8, NotStated: 2}
	for _, tt := range []struct {
		name      string
		tally     verify.Tally
		found     map[Kind]int
		failOn    []Kind
		threshold float64
		want      string
	}{
		{"all supported", verify.Tally{Supported: 3}, nil, DefaultFailOn(), 0.8, outcome.Pass},
		{"one is not", read, map[Kind]int{Unsupported: 2}, DefaultFailOn(), 0.8, outcome.Fail},
		{"enough are", read, map[Kind]int{Unsupported: 2}, nil, 0.8, outcome.Pass},
		{"too few are", read, map[Kind]int{Unsupported: 2}, nil, 0.9, outcome.Fail},
		{"contradicted is unsupported", verify.Tally{Supported: 9, Contradicted: 1}, map[Kind]int{Contradicted: 1}, []Kind{Unsupported}, 0, outcome.Fail},
		{"contradicted, which the caller allows", verify.Tally{Supported: 9, Contradicted: 1}, map[Kind]int{Contradicted: 1}, nil, 0.8, outcome.Pass},
		{"one is not read", verify.Tally{Supported: 3, Unread: 1}, map[Kind]int{Unread: 1}, DefaultFailOn(), 0.8, outcome.Undecided},
		{"one is not read, and must be", verify.Tally{Supported: 3, Unread: 1}, map[Kind]int{Unread: 1}, []Kind{Unread}, 0.8, outcome.Fail},
		{"one could not be read", verify.Tally{Supported: 3, NotChecked: 1}, nil, DefaultFailOn(), 0.8, outcome.Undecided},
		{"cannot pass any more", verify.Tally{Partly: 8, Unread: 1}, nil, DefaultFailOn(), 0.8, outcome.Fail},
		{"nothing is claimed", verify.Tally{Own: 2}, nil, DefaultFailOn(), 0.8, outcome.Undecided},
		{"a remark", verify.Tally{Supported: 1}, map[Kind]int{Noted: 1}, DefaultFailOn(), 0.8, outcome.Pass},
		{"an error", verify.Tally{Supported: 9, Uncited: 1}, map[Kind]int{Uncited: 1}, DefaultFailOn(), 0.8, outcome.Fail},
		{"an error that the caller allows", verify.Tally{Supported: 9, Uncited: 1}, map[Kind]int{Uncited: 1}, nil, 0.8, outcome.Pass},
	} {
		if got := verdictOf(tt.tally, tt.tally.Unread+tt.tally.NotChecked, tt.found, tt.failOn, tt.threshold); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Equal sentences with two numbers and two sources are remarked.
func TestConflicts(t *testing.T) {
	t.Parallel()
	r := check(t, config(island()), Draft{"a.md", "The upkeep of the Arden tower costs 900 crowns a year (https://arden.example/cost).\n\nThe upkeep of the Arden tower costs 1,200 crowns a year (https://arden.example/roll).\n"})
	if len(r.Conflicts) != 1 || r.Conflicts[0].Line != 3 || r.Files[0].Findings[Noted] != 1 || r.Verdict != outcome.Undecided {
		t.Fatalf("conflicts: %+v", r.Conflicts)
	}
}

func TestTooManyAddresses(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range maxAddresses + 1 {
		fmt.Fprintf(&b, "It stands in book number %d: https://arden.example/%d\n\n", i, i)
	}
	_, err := Drafts(t.Context(), []Draft{{"a.md", b.String()}}, config(island()))
	var tooMany *TooManyError
	if !errors.As(err, &tooMany) {
		t.Errorf("error %v, want a TooManyError", err)
	}
}

// readLoop returns a loop that has read the tower's page.
func readLoop(t *testing.T) *Loop {
	t.Helper()
	log := &memoryLog{texts: map[loopstate.Hash]string{}}
	started, err := loopstate.Start(loopstate.StartInput{Query: "Who built the tower?"}, "local", noon)
	if err != nil {
		t.Fatal(err)
	}
	log.add(t, started)
	hash := loopstate.HashText([]byte(towerText))
	log.texts[hash] = towerText
	log.add(t, loopstate.Read{Sources: []loopstate.Source{{ID: "S1", Key: "url:arden.example/tower", URL: "https://arden.example/tower", FinalURL: "https://arden.example/tower",
		Title: "The tower of Arden", Authors: []string{}, SHA256: hash.String(), Chars: len(towerText), FetchedAt: noon}}})
	loop, err := OpenLoop(t.Context(), log, "L", "local")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLoop(t.Context(), log, "L", "somebody"); !errors.Is(err, ErrNoLoop) {
		t.Errorf("somebody else's loop: %v", err)
	}
	if _, err := OpenLoop(t.Context(), log, "M", "local"); !errors.Is(err, ErrNoLoop) {
		t.Errorf("an unknown loop: %v", err)
	}
	return loop
}

func TestLoopTextsComeFirst(t *testing.T) {
	t.Parallel()
	w := &web{pages: map[string]fetch.Page{}}
	cfg := config(w)
	cfg.Loop = readLoop(t)
	cfg.Offline = true
	r := check(t, cfg, Draft{"a.md", "The tower of Arden was built in 1874 by two brothers [S1].\n\nEleven men lost their lives in a storm (http://arden.example/tower).\n\nThe work took three summers [1].\n\nIt is green all over [S2].\n"})
	want := []string{
		"1:1 inferred https://arden.example/tower=read",
		"3:1 inferred https://arden.example/tower=read",
		"5:1 inferred https://arden.example/tower=read",
		"7:1 unsupported =unresolved",
		"7:22 hallucinated [S2]: no source of the loop has the id S2: it was never read",
	}
	if diff := cmp.Diff(want, brief(r)); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
	if len(r.Sources) != 1 || r.Sources[0].ID != "S1" || r.Sources[0].From != "loop" || !r.Sources[0].FetchedAt.Equal(noon) {
		t.Errorf("sources: %+v", r.Sources)
	}
	if len(w.asked) > 0 {
		t.Errorf("read from the web: %q", w.asked)
	}
}

func TestPagesOfAPDF(t *testing.T) {
	t.Parallel()
	w := island()
	text := "The cover.\n\nThey brought the stones over the ice in the winter.\n\nThe work took three summers, and eleven men lost their lives in a storm."
	page := read("The tower", text)
	page.Pages = []int{0, strings.Index(text, "They brought"), strings.Index(text, "The work")}
	w.pages["https://arden.example/tower.pdf"] = page
	r := check(t, config(w), Draft{"report.md", "The work took three summers ([p](https://arden.example/tower.pdf#page=3)).\n"})
	if p := r.Claims[0].Passages; len(p) != 1 || p[0].Page != 3 || p[0].Lines != "5" {
		t.Errorf("the passages are %+v, want line 5 on page 3", p)
	}
}
