package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// size is the size of a loop. Half of its gaps are closed.
type size struct{ rounds, searches, sources, claims, gaps int }

// topics are the topics of the test loops, in several scripts.
var topics = []string{"the lighthouse on the cape", "colza oil as lamp fuel", "灯塔的自动化", "منارة الرأس", "harbour dues of the parish", "Aufzeichnungen der Leuchtturmwärter"}

// grow writes the log of a loop of a size, as the tools would.
func (h fixture) grow(tb testing.TB, n size) string {
	tb.Helper()
	loop, op, at := uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String(), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var st *loopstate.State
	var events []loopstate.Event
	add := func(p loopstate.Payload) {
		tb.Helper()
		at = at.Add(7 * time.Second)
		e, err := loopstate.NewEvent(loop, int64(len(events)+1), at, op, p)
		if err != nil {
			tb.Fatal(err)
		}
		if st, err = loopstate.Apply(st, e); err != nil {
			tb.Fatal(err)
		}
		events = append(events, e)
	}
	gap := func(i, round int) loopstate.Gap {
		return loopstate.Gap{ID: fmt.Sprintf("G%d", i+1), Gap: fmt.Sprintf("What do the records say about %s in year %d?", topics[i%len(topics)], 1870+i), Kind: "question", Query: topics[i%len(topics)],
			Material: i%3 > 0, Importance: loopstate.Importances()[i%3], SourceTypes: []string{}, Status: loopstate.GapOpen, OpenedRound: round}
	}
	var first []loopstate.Gap
	for i := range n.gaps / 2 {
		first = append(first, gap(i, 1))
	}
	add(loopstate.Started{Owner: loops.LocalOwner, Query: "How did the lamps, keepers and costs of the lighthouse on the cape change between 1874 and 1987?", Complexity: "complex", Budget: loopstate.Budget{Rounds: 1 + n.rounds, Tokens: 900_000, CostUSD: 4.5, LatencySeconds: 360_000}, AsOf: "2026-03-01", Gaps: first})
	for r := range n.rounds + 1 {
		share := func(all int) (from, to int) { return all * r / (n.rounds + 1), all * (r + 1) / (n.rounds + 1) }
		for i, to := share(n.searches); i < to; i++ {
			add(loopstate.Searched{Query: fmt.Sprintf("%s %d keeper's log", topics[i%len(topics)], 1870+i), Angle: []string{"", "byCounterArg", "byRecency"}[i%3], Hits: 9, TookMS: 800, Channels: []loopstate.SearchOutcome{
				{Channel: "openalex", Status: "ok", Count: 7, TookMS: 300}, {Channel: "crossref", Status: []string{"empty", "degraded"}[i%2], TookMS: 500},
				{Channel: "wikipedia", Status: "rate_limited", TookMS: 100, Message: "answered 429 Too Many Requests; retry after 30s"}}})
		}
		for i, to := share(n.sources); i < to; i++ {
			text := fmt.Sprintf("Record %d. %s", i+1, lighthouse)
			hash, err := h.svc.Store.PutBlob(tb.Context(), []byte(text))
			if err != nil {
				tb.Fatal(err)
			}
			src := loopstate.Source{ID: fmt.Sprintf("S%d", i+1), Key: fmt.Sprintf("example.org/record/%d", i+1), URL: fmt.Sprintf("https://example.org/record/%d", i+1), FinalURL: fmt.Sprintf("https://example.org/record/%d", i+1),
				Title: fmt.Sprintf("%s: a record of the parish, volume %d, with notes by its last keeper", topics[i%len(topics)], i+1), Authors: []string{}, PublishedAt: []string{"", "1931", "1987-04", "2019-05-12", "2024"}[i%5],
				SourceType: []string{"peer", "primary", "press", ""}[i%4], Chars: utf8.RuneCountInString(text), SHA256: hash.String(), FetchedAt: at, Round: r + 1}
			if i%7 == 3 {
				src.DuplicateOf = fmt.Sprintf("S%d", i)
			}
			if i%40 == 9 {
				src.Flags = []string{"instruction: it tells the reader to ignore what they were asked, at character 17"}
			}
			add(loopstate.Read{Sources: []loopstate.Source{src}, Shown: []loopstate.ShownText{{SourceID: src.ID, Spans: loopstate.Spans{{0, 60}, {100, 180}}}}})
		}
		verified := loopstate.Verified{Cycle: r + 1, Verdict: "pass", Groundedness: 0.9, Threshold: 0.8}
		for _, c := range st.Claims {
			verified.Checks = append(verified.Checks, loopstate.CheckOf{ClaimID: c.ID, Check: checkOf(c, r+1)})
		}
		for i, to := share(n.claims); i < to; i++ {
			// A source gave more claims the earlier it was read, and most claims have one.
			c := loopstate.Claim{ID: fmt.Sprintf("C%d", i+1), Claim: fmt.Sprintf("In %d the lamp of %s was tended by keeper number %d, and its light was seen from 50 kilometres away.", 1874+i, topics[i%len(topics)], i%17+1), SourceIDs: []string{fmt.Sprintf("S%d", i%max(1, len(st.Sources))+1)}, Round: r + 1}
			if i%3 == 0 {
				c.SourceIDs = append(c.SourceIDs, fmt.Sprintf("S%d", i*i%max(1, len(st.Sources))+1))
			}
			verified.Claims = append(verified.Claims, c)
			if i%11 > 0 {
				verified.Checks = append(verified.Checks, loopstate.CheckOf{ClaimID: c.ID, Check: checkOf(c, r+1)})
			}
		}
		add(verified)
		if r < n.rounds {
			closed := loopstate.Closed{Coverage: &loopstate.Coverage{Overall: 0.5 + 0.4*float64(r)/float64(n.rounds)}, SynthesisLen: 4_000, SignOff: r == n.rounds-1}
			for i, to := share(n.gaps / 2); i < to; i++ {
				closed.Gaps = append(closed.Gaps, gap(n.gaps/2+i, r+1))
				closed.Answered = append(closed.Answered, fmt.Sprintf("G%d", i+1))
			}
			add(loopstate.Updated{Usage: loopstate.Usage{Tokens: 41_000, CostUSD: 0.31}, Bad: []loopstate.BadURL{{URL: fmt.Sprintf("https://example.org/walled/%d", r), Reason: "behind a wall: a subscription is asked for", Round: r + 1}}})
			add(closed)
		}
	}
	if err := h.svc.Store.Append(tb.Context(), st.Head(), 0, events); err != nil {
		tb.Fatal(err)
	}
	return loop
}

// checkOf rests a claim on a passage of its first source.
func checkOf(c loopstate.Claim, cycle int) loopstate.ClaimCheck {
	n := len(c.Claim) + len(c.ID)*31 + int(c.ID[len(c.ID)-1])
	check := loopstate.ClaimCheck{Cycle: cycle, Status: []string{loopstate.Grounded, loopstate.Grounded, loopstate.Grounded, loopstate.Inferred, loopstate.Unsupported}[n%5], SourceID: c.SourceIDs[0], Start: 12, End: 84}
	if check.Status == loopstate.Unsupported {
		check.SourceID, check.Start, check.End, check.Flags = "", 0, 0, []string{"no passage of its sources says it"}
	}
	return check
}

var big = size{rounds: 14, searches: 1_000, sources: 2_000, claims: 2_000, gaps: 500}

// shown answers a path of the page to a visitor who is inside.
func (h fixture) shown(tb testing.TB) func(path string) (int, string) {
	v := h.page.sessions.begin(local(), "")
	return func(path string) (int, string) {
		req := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, path, nil)
		req.AddCookie(&http.Cookie{Name: cookieName, Value: v.id})
		w := httptest.NewRecorder()
		h.page.ServeHTTP(w, req)
		return w.Code, w.Body.String()
	}
}

// The pages of a list show each item once, and each page is small.
func TestPagesOfAListShowAllItems(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short grows no big loop")
	}
	h := newFixture(t, nil)
	loop := h.grow(t, big)
	get := h.shown(t)
	at := Root + "loops/" + loop
	next := regexp.MustCompile(`(?s)<nav class="pager" aria-label="Pages of ([a-z ]+)">.*?</nav>`)
	on := regexp.MustCompile(`href="([^"#]*)#?[^"]*" rel="next"`)
	for _, row := range []struct {
		list string
		item *regexp.Regexp
		want int
	}{
		{"open gaps", regexp.MustCompile(`<li id="(G\d+)"`), 250},
		{"closed gaps", regexp.MustCompile(`<li id="(G\d+)"`), 233},
		{"claims", regexp.MustCompile(`<li id="(C\d+)"`), 2_000},
		{"sources", regexp.MustCompile(`<li id="(S\d+)"`), 2_000},
		{"searches", regexp.MustCompile(`<li id="(q\d+)"`), 1_000},
	} {
		t.Run(row.list, func(t *testing.T) {
			seen, path, pages := map[string]bool{}, at, 0
			for path != "" && pages < 100 {
				status, body := get(path)
				if status != http.StatusOK || len(body) > 700_000 {
					t.Fatalf("%s: %d, %d bytes", path, status, len(body))
				}
				pages++
				list := body
				switch open, closed, _ := strings.Cut(body, `<details data-keep="closed"`); row.list {
				case "open gaps":
					list = open
				case "closed gaps":
					list = closed
				}
				for _, m := range row.item.FindAllStringSubmatch(list, -1) {
					seen[m[1]] = true
				}
				path = ""
				for _, nav := range next.FindAllStringSubmatch(body, -1) {
					if m := on.FindStringSubmatch(nav[0]); nav[1] == row.list && m != nil && !strings.Contains(m[1], "carried") {
						path = strings.ReplaceAll(m[1], "&amp;", "&")
					}
				}
			}
			if len(seen) != row.want {
				t.Errorf("%d items on %d pages, want %d", len(seen), pages, row.want)
			}
		})
	}
}

func TestPagesOfAListKeepTheirPlace(t *testing.T) {
	at := place{"/ui/loops/x", url.Values{"round": {"3"}, "searches": {"70"}, "claims": {"51"}}}
	for _, row := range []struct {
		name      string
		got       pager
		top, last int
		back, on  string
	}{
		{"a log that has grown", at.fromEnd("searches", "searches", 200, 50), 70, 21, "/ui/loops/x?claims=51&round=3&searches=120#h-searches", "/ui/loops/x?claims=51&round=3&searches=20#h-searches"},
		{"from its end", at.fromEnd("sources", "sources", 60, 50), 60, 11, "", "/ui/loops/x?claims=51&round=3&searches=70&sources=10#h-sources"},
		{"from the top", at.fromTop("claims", "claims", 120, 50), 51, 100, "/ui/loops/x?round=3&searches=70#h-claims", "/ui/loops/x?claims=101&round=3&searches=70#h-claims"},
		{"nothing", at.fromTop("gaps", "gaps", 0, 50), 0, 0, "", ""},
		{"nothing in a log", at.fromEnd("bad", "bad", 0, 50), 0, 0, "", ""},
		{"beyond the end", at.fromTop("claims", "claims", 20, 50), 20, 20, "/ui/loops/x?round=3&searches=70#h-claims", ""},
		{"beyond a log that was longer", at.fromEnd("searches", "searches", 30, 50), 30, 1, "", ""},
	} {
		if row.got.Top != row.top || row.got.Bottom != row.last || row.got.Back != row.back || row.got.On != row.on {
			t.Errorf("%s: %+v", row.name, row.got)
		}
	}
}
