package tools_test

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/fetch"
)

const latePage = "https://late.invalid/a"

// verifying returns a host whose loop has read the page about Aldmoor, as S1; latePage never arrives in time.
func verifying(t *testing.T) (*host, string) {
	t.Helper()
	h, _, lib := newHost(t)
	lib.pages[latePage] = fetch.Page{Status: fetch.StatusTimeout, Reason: "not finished"}
	loop := h.begin("What did the harbour board of Aldmoor pay for?")
	h.call("fetch", object{"url": lib.urls[0], "state_id": loop})
	return h, loop
}

// read answers the batches of a loop as a careful reader does: supported where a passage has the words of the claim, else
// not_stated, and for claims of said what it says there.
func (h *host) read(loop string, said map[string]string) {
	h.t.Helper()
	args := object{"state_id": loop}
	for range 50 {
		got := h.call("review_claims", args)
		if got.Get("status").Str == "void" {
			h.t.Fatalf("the batch is void: %s", got)
		}
		if args = (object{"state_id": loop}); got.Get("items.#").Int() == 0 {
			if got.Get("left").Int() == 0 {
				return
			}
			continue
		}
		var answers []any
		for _, it := range got.Get("items").Array() {
			claim := it.Get("claim").Str
			answer := object{"item": it.Get("item").Str, "answer": "not_stated"}
			words := strings.TrimSuffix(claim, ".")
			for _, p := range it.Get("passages").Array() {
				text := h.passage(it.Get("item").Str, p.Str)
				switch {
				case said[claim] != "" && said[claim] != "not_stated":
					answer["answer"], answer["quote"] = said[claim], firstWords(text)
				case said[claim] == "" && strings.Contains(text, words):
					answer["answer"], answer["quote"] = "supported", words
				}
			}
			answers = append(answers, answer)
		}
		args["batch"], args["answers"] = got.Get("batch").Str, answers
	}
	h.t.Fatal("the review does not end")
}

// passage returns the text of a passage of a review's item. A text is given once; later items name the one that has it.
// Two items may show different parts of one long line, so its place alone does not say which.
func (h *host) passage(item, shown string) string {
	if h.passages == nil {
		h.passages = map[string]string{}
	}
	head, text, whole := strings.Cut(shown, "\n")
	place, _, _ := strings.Cut(head, " ")
	place = strings.TrimSuffix(place, ",")
	if _, earlier, ok := strings.Cut(head, ", as in "); ok && !whole {
		return h.passages[earlier+" "+place]
	}
	h.passages[item+" "+place] += text
	return text
}

func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(8, len(words))], " ")
}

// sentence is a true one of the page about Aldmoor, without its citation.
func sentence(i int) string { return claim(0, "Aldmoor", i%4, i/4) }

func sentences(n int, cite string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %s\n\n", sentence(i), cite)
	}
	return b.String()
}

const (
	uncitedSentence = "Cranes were sold by the board in 1931 at an auction in the town.\n\n"
	ownSentence     = "So the quay was dear for a small town. [inference]\n\n"
)

// The parts of an answer agree with each other: verdict, cause, next, review.next, counts and left_out_are.
func TestVerifyAnswerAgreesWithItself(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		args    object
		said    map[string]string // by the reader; nil: nobody reads
		verdict string
		next    string // its beginning
	}{
		{"nobody has read it", object{"draft": sentences(8, "[S1]")}, nil, "review", "review_claims"},
		{"a long text", object{"draft": sentences(60, "[S1:1-60]")}, nil, "review", "review_claims"},
		{"all is read", object{"draft": sentences(60, "[S1:1-60]")}, map[string]string{}, "pass", "loop_report"},
		{"one is not in its source", object{"draft": sentences(8, "[S1]")}, map[string]string{sentence(2): "not_stated"}, "pass",
			"loop_report; correct what you can of the 1 "},
		{"too many are not", object{"draft": sentences(4, "[S1]")},
			map[string]string{sentence(1): "not_stated", sentence(2): "partly"}, "fail", "correct sentences that their sources do not say"},
		{"one is contradicted", object{"draft": sentences(8, "[S1]")}, map[string]string{sentence(2): "contradicted"}, "fail",
			"correct sentences that are contradicted"},
		{"a sentence cites nothing", object{"draft": sentences(8, "[S1]") + uncitedSentence}, nil, "fail",
			"correct sentences that cite nothing, and check again; leave the 8 "},
		{"only errors", object{"draft": uncitedSentence + sentences(1, "[S7]")}, nil, "fail",
			"correct citations that lead to nothing, sentences that cite nothing, and check again"},
		{"a line that does not exist", object{"draft": sentences(1, "[S1:99999]")}, nil, "fail",
			"correct citations that lead to nothing"},
		{"a quotation that is nowhere", object{"draft": sentences(2, "[S1]") +
			"The board called it \"a ruinous folly of the pilots' guild\" in its records. [S1]\n"}, nil, "fail",
			"correct quotations that no cited text has, and check again; leave the 2 "},
		{"the author's own beside one", object{"draft": sentences(1, "[S1]") + ownSentence}, map[string]string{}, "pass",
			"loop_report"},
		{"nothing but the author's own", object{"draft": ownSentence}, nil, "review", "nothing to correct or to read"},
		{"claims", object{"claims": []any{object{"claim": sentence(0), "source_ids": []any{"S1:3"}},
			object{"claim": sentence(1), "source_ids": []any{"S1"}}}}, map[string]string{}, "pass", "loop_report"},
		{"claims of which one cites nothing", object{"claims": []any{object{"claim": sentence(0),
			"source_ids": []any{"S1"}}, object{"claim": sentence(1)}}}, nil, "fail", "correct sentences that cite nothing"},
		{"an address that cannot be read", object{"draft": "The board paid 40 crowns. [a](https://gone.invalid/a)\n"}, nil,
			"review", "fetch the addresses"},
		{"an address that is late", object{"draft": "The board paid 40 crowns. [a](" + latePage + ")\n"}, nil, "review",
			"verify_citations again"},
		{"all are listed", object{"draft": sentences(8, "[S1]"), "all": true}, nil, "review", "review_claims"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, loop := verifying(t)
			h.mayFail = true
			tt.args["state_id"] = loop
			got := h.call("verify_citations", tt.args)
			agrees(t, got)
			for range 3 {
				if tt.said == nil || !got.Get("review").Exists() {
					break
				}
				h.read(loop, tt.said)
				got = h.call("verify_citations", tt.args)
				agrees(t, got)
			}
			if next := got.Get("next").Str; got.Get("verdict").Str != tt.verdict || !strings.HasPrefix(next, tt.next) {
				t.Errorf("verdict %s, next %q; want %s, %q …", got.Get("verdict"), next, tt.verdict, tt.next)
			} else if calls := toolNamed.FindAllString(strings.Split(next, ", then ")[0], -1); tt.verdict == "review" && len(calls) != 1 {
				t.Errorf("next %q names %d calls; want one", next, len(calls))
			}
		})
	}
}

var (
	toolNamed = regexp.MustCompile(`review_claims|verify_citations|fetch|loop_\w+`)
	leftOut   = regexp.MustCompile(`(\d+) (supported|not read yet|whose texts|that did not fit)`)
	// unreadTexts matches in a cause how many claims cannot be checked.
	unreadTexts = regexp.MustCompile(`(\d+) not checked`)
	otherText   = regexp.MustCompile(`(?i)reword|rephras|wording|other words|words of the source`)
)

// agrees reports where the parts of an answer contradict each other.
func agrees(t *testing.T, got gjson.Result) {
	t.Helper()
	number := func(path string) int { return int(got.Get(path).Int()) }
	verdict, cause, next := got.Get("verdict").Str, got.Get("cause").Str, got.Get("next").Str
	wrong := func(format string, args ...any) {
		t.Helper()
		t.Errorf(format+"\nin %s", append(args, got)...)
	}
	unchecked := 0
	if m := unreadTexts.FindStringSubmatch(cause); m != nil {
		unchecked, _ = strconv.Atoi(m[1])
	}
	read, of, uncited, dead := number("read"), number("of"), number("uncited_sentences.#"), number("hallucinated_citations.#")
	claims := number("counts.grounded") + number("counts.inferred") + number("counts.unsupported")
	isDraft := !got.Get("verified_claims.#.claim_id|0").Exists() && !got.Get("claim_ids").Exists()
	waits := got.Get("review").Exists()

	if !strings.HasPrefix(cause, verdict+": ") {
		wrong("the cause is of another verdict")
	}
	if total := claims + uncited; isDraft && total != of || !isDraft && claims != of {
		wrong("%d are counted", total)
	}
	if of > 0 && !strings.HasPrefix(cause, fmt.Sprintf("%s: %d ", verdict, of)) {
		wrong("the cause has other numbers")
	}
	if share := math.Round(got.Get("overall_groundedness").Num * float64(read)); int(share) != number("counts.grounded") {
		wrong("the groundedness has other numbers")
	}
	if number("verified_claims.#")+number("left_out") != claims {
		wrong("the rows and what is left out are not all")
	}
	sum, unread := 0, 0
	for _, m := range leftOut.FindAllStringSubmatch(got.Get("left_out_are").Str, -1) {
		n, _ := strconv.Atoi(m[1])
		if sum += n; m[2] == "not read yet" {
			unread = n
		}
	}
	if sum != number("left_out") {
		wrong("left_out_are has %d", sum)
	}
	for _, row := range got.Get("verified_claims").Array() {
		status, read := row.Get("status").Str, row.Get("read").Bool()
		if !read && status == "inferred" {
			unread++
		}
		if (row.Get("basis").Str == "review") != (status == "grounded") || status == "grounded" && !read {
			wrong("a row %s", row)
		}
	}
	if waits {
		pending := number("review.pending")
		if pending > unread || !strings.Contains(cause, fmt.Sprintf("%d ", pending)) || !strings.Contains(cause, "not read yet") {
			wrong("%d are pending, %d not read", pending, unread)
		}
		if !strings.Contains(next, "review_claims") && !strings.Contains(next, "not read yet") {
			wrong("next says nothing of the review")
		}
	}
	switch edits := strings.HasPrefix(next, "correct "); verdict {
	case "pass":
		if waits || edits || dead+uncited > 0 || !strings.HasPrefix(next, "loop_report") {
			wrong("a pass that needs something")
		}
	case "review":
		if edits || dead+uncited > 0 || !waits && read+claims > unchecked {
			wrong("a review without anything to read, or with errors")
		}
	case "fail":
		if !edits {
			wrong("a failure without anything to correct")
		}
	}
	if said := otherText.FindString(fmt.Sprint(cause, next, got.Get("left_out_are"), got.Get("review"), got.Get("flags"))); said != "" {
		wrong("it speaks of %q", said)
	}
}

// Whatever is wrong with a draft or with claims, the answer fits (host.call checks the size).
func TestVerifyAnswersAreBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long drafts, checked by one call each")
	}
	long := strings.Repeat("The guild of pilots asked the board in writing for a new lighthouse at the end of the old pier, ", 60)
	var manyDead, manyLabels, wrongSums, uncited, quotes strings.Builder
	for i := range 4_000 {
		fmt.Fprintf(&manyDead, "%s [S%d]\n\n", sentence(i%60), 100+i)
	}
	for i := range 150 {
		fmt.Fprintf(&manyLabels, "Work %d was paid for in parts by the board. [%s](https://nowhere.example/%s)\n\n", i,
			strings.Repeat("label ", 200), strings.Repeat("x", 900))
		fmt.Fprintf(&uncited, "Cranes were sold by the board at auction %d, %s.\n\n", i, long[:300])
		fmt.Fprintf(&quotes, "The board said \"%d times %s\" in its records. [S1]\n\n", i, long[:400])
	}
	for i := range 400 {
		fmt.Fprintf(&wrongSums, "%s [S1]\n\n", strings.Replace(sentence(i%60), " crowns", fmt.Sprintf("%d crowns", i), 1))
	}
	var claims []any
	for i := range 150 {
		claims = append(claims, object{"claim": fmt.Sprintf("%d: %s", i, long[:2_000]),
			"citations": []any{object{"source_id": "S1", "quote": long[:1_000]},
				object{"url": "https://nowhere.example/" + strings.Repeat("y", 1_000)}}})
	}
	for _, tt := range []struct {
		name string
		args object
	}{
		{"4,000 dead citations", object{"draft": manyDead.String()}},
		{"huge labels and addresses", object{"draft": manyLabels.String()}},
		{"400 wrong numbers", object{"draft": wrongSums.String()}},
		{"150 sentences without citation", object{"draft": uncited.String()}},
		{"150 invented quotations", object{"draft": quotes.String()}},
		{"150 claims", object{"claims": claims}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, loop := verifying(t)
			h.mayFail = true
			tt.args["state_id"] = loop
			if got := h.call("verify_citations", tt.args); got.Get("verdict").Str == "pass" {
				t.Errorf("%s", got.Get("cause"))
			}
			tt.args["all"] = true
			h.strict = true
			h.call("verify_citations", tt.args)
		})
	}
}

// A draft needs no loop, everything else does.
func TestVerifyWithoutLoop(t *testing.T) {
	t.Parallel()
	h, _, lib := newHost(t)
	if got, _ := h.text("verify_citations", object{"claims": []any{object{"claim": sentence(0),
		"source_ids": []any{"S1"}}}}); !strings.HasPrefix(got, "state_id: missing; give the loop's, or the whole text as draft") {
		t.Error(got)
	}
	out := h.call("verify_citations", object{"draft": sentence(0) + " [a](" + lib.urls[0] + ")\n", "all": true})
	row := out.Get("verified_claims.0")
	if out.Get("state_id").Str == "" || out.Get("verdict").Str != "review" || row.Get("lines").Str != "S1:1-3; S1:5" ||
		row.Get("read").Bool() {
		t.Errorf("%s", out)
	}
}

// A subagent's claims are verified and recorded under its angle with its searches, and the answer lists only what did not hold.
func TestVerifyFindingsOfASubagent(t *testing.T) {
	t.Parallel()
	h, loop := verifying(t)
	_, _, lib := newHost(t)
	h.mayFail = true
	findings := object{"state_id": loop, "angle": "byCounterArg", "queries": []any{"Aldmoor harbour waste", "aldmoor  harbour waste"},
		"claims": []any{
			object{"claim": sentence(0), "source_ids": []any{"S1"}},
			object{"claim": sentence(1), "source_ids": []any{lib.urls[0]}},
			object{"claim": "The board sold its last crane in 1903.", "source_ids": []any{"S9"}},
		}}
	got := h.call("verify_citations", findings)
	if got.Get("hallucinated_citations.#").Int() != 1 || got.Get("verified_claims.#.status").Raw != `["unsupported"]` ||
		got.Get("left_out").Int() != 2 || got.Get("claim_ids.#").Int() != 3 {
		t.Errorf("%s", got)
	}
	for view, want := range map[string]string{"claims": `"angle":"byCounterArg"`, "full": `"all_questions":["Aldmoor harbour waste"]`} {
		if said, _ := h.text("loop_get_state", object{"state_id": loop, "view": view}); !strings.Contains(said, want) {
			t.Errorf("%s: %s", view, said)
		}
	}
	for want, change := range map[string]object{
		"angle: missing; name the angle":     {"angle": ""},
		"draft: given together with angle":   {"draft": sentence(0) + " [S1]", "claims": nil, "queries": nil},
		"angle: too long: 101 characters; u": {"angle": strings.Repeat("a", 101)},
	} {
		args := maps.Clone(findings)
		maps.Copy(args, change)
		maps.DeleteFunc(args, func(_ string, v any) bool { return v == nil })
		if said, _ := h.text("verify_citations", args); !strings.HasPrefix(said, want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
}
