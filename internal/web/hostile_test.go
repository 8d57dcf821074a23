package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// twisted has use cases in which every text that a host, a channel or a site can set is hostile, as an older version or
// a damaged store might contain it.
type twisted struct {
	Loops
	text string
}

const twistedLoop = "0199c1d2-0000-7000-8000-00000000000a"

func (s twisted) Detail(context.Context, string, int) (loops.LoopDetail, error) {
	var p loops.LoopDetail
	// What comes from a list of ours, such as a verdict, is hostile but not long: no event has more.
	bad, word, now := s.text, short(300, s.text), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	p.StateID, p.Query, p.AsOf, p.Status, p.Closed, p.Round = twistedLoop, bad, "2026-03-01", loopstate.StatusRunning, 2, 2
	p.StartedAt, p.UpdatedAt, p.Abort, p.Failures = now, now, bad, []string{bad, bad}
	p.Review, p.Batches = verify.ReviewNeeded{Pending: 3, Batch: "R1"}, []loops.Batch{{ID: "R1", Status: loopstate.BatchOpen, Items: 9}}
	p.Decision = wording.Decision{NextAction: word, Because: bad, StopReason: bad, Rule: word, Target: bad, TargetGap: word}
	for i := range 60 {
		p.Gaps = append(p.Gaps, loops.Gap{Gap: loopstate.Gap{ID: fmt.Sprintf("G%d", i), Gap: bad, Importance: word, Status: []string{loopstate.GapOpen, loopstate.GapAnswered}[i%2], Why: bad, OpenedRound: 1, ClosedRound: i % 2}, Tried: bad})
		p.Sources = append(p.Sources, loops.ViewedSource{Source: loopstate.Source{ID: fmt.Sprintf("S%d", i), Key: bad, URL: bad, FinalURL: bad, Title: bad, Publisher: bad, PublishedAt: bad, SourceType: word, Language: word, Via: word, SHA256: word, Chars: 100, DuplicateOf: word, Flags: []string{bad}}})
		p.Claims = append(p.Claims, loopstate.Claim{ID: fmt.Sprintf("C%d", i), Claim: bad, SourceIDs: []string{fmt.Sprintf("S%d", i), word}, Check: &loopstate.ClaimCheck{Status: []string{"grounded", word}[i%2], SourceID: fmt.Sprintf("S%d", i), Start: 1, End: 9, Flags: []string{bad}}})
		p.Searches = append(p.Searches, loopstate.Search{Query: bad, Angle: bad, Gap: word, Channels: []loopstate.SearchOutcome{{Channel: word, Status: word, Message: bad}}})
		p.Contradictions = append(p.Contradictions, loopstate.Contradiction{ID: fmt.Sprintf("X%d", i), Topic: bad, Why: bad, Resolution: []string{"", bad}[i%2], Passages: []loopstate.Quoted{{SourceID: word, Text: bad}}})
		p.Bad = append(p.Bad, loopstate.BadURL{URL: bad, Reason: bad})
		p.Rounds = append(p.Rounds, loopstate.Round{Round: i + 1, Sources: i, Guardrails: []string{word}, Decision: loopstate.Decision{Action: word}})
	}
	return p, nil
}

func (s twisted) Review(context.Context, loops.ReviewInput) (loops.ReviewResult, error) {
	bad := short(9_000, s.text)
	return loops.ReviewResult{Batch: "R1", Status: loopstate.BatchOpen, Items: []verify.ReviewItem{{Item: "R1-1", Claim: bad, Passages: []reader.Passage{{Text: bad, Heading: bad}, {Text: bad + ". \n" + bad}}}}}, nil
}

func (s twisted) Heads(context.Context) ([]loopstate.Head, error) {
	return []loopstate.Head{{Loop: twistedLoop, Query: s.text, Status: s.text}}, nil
}

func (s twisted) ShownOf(context.Context, string, string) (loopstate.Spans, error) {
	return loopstate.Spans{{3, 60}}, nil
}

func (s twisted) ReadSpan(context.Context, string, string, int, int) (loops.Span, error) {
	text := []rune(s.text)
	text = text[:min(len(text), partChars)]
	return loops.Span{Source: loopstate.Source{ID: "S1", Key: s.text, Title: s.text, FinalURL: s.text, SHA256: s.text, Language: s.text, Publisher: s.text, Flags: []string{s.text}, Chars: len(text)}, End: len(text), Text: string(text)}, nil
}

func (s twisted) FindPassages(context.Context, string, string, []string, int) ([]loops.FoundPassage, error) {
	return []loops.FoundPassage{{}}, nil
}

// ours are the elements of our templates and drawings that load or run something, in their exact form.
var ours = map[string]bool{"script src=/ui/static/live.js": true, "script src=/ui/static/review.js": true, "link href=/ui/static/page.css": true, "link href=/ui/static/icon.svg": true}

func TestUntrustedTextStaysText(t *testing.T) {
	words := map[string]string{
		"a script":                   `</title></textarea></h1><script>alert(1)</script><script src=//evil.example></script>`,
		"handlers":                   `<img src=x onerror=alert(1)><svg/onload=alert(2)>" onfocus="alert(3)" autofocus x='`,
		"a javascript link":          `javascript:alert(1)`,
		"a hidden javascript link":   "java\tscript:alert(1)//https://example.org",
		"data":                       `data:text/html,<script>alert(1)</script>`,
		"a style":                    `</style><style>*{display:none}</style><p style="position:fixed">`,
		"a base and a form":          `<base href=//evil.example><form action=//evil.example><meta http-equiv=refresh content=0;url=//evil.example>`,
		"an address with a name":     "https://example.org@evil.example/",
		"turned":                     "\u202Egnp.exe\u2066\u2067\u202A abc \u2069",
		"NULs and escapes":           "a\x00b\x1b[31mc\u0085\u009bd",
		"no UTF-8":                   "a\xff\xfe\xc3(\xed\xa0\x80b",
		"one word of 2 MB":           strings.Repeat("w", 2_000_000),
		"1 MB of what grows":         strings.Repeat(`<&"'`, 250_000),
		"1 MB of nothing":            strings.Repeat(" \u200B\u00AD", 200_000),
		"template actions and marks": "{{.Form}} ${x} <!-- --> ]]> <![CDATA[",
	}
	handler := regexp.MustCompile(`^on`)
	for name, text := range words {
		t.Run(name, func(t *testing.T) {
			h := newFixture(t, func(c *Config) { c.Loops = twisted{c.Loops, text} })
			get := h.shown(t)
			at := Root + "loops/" + twistedLoop
			for _, path := range []string{Root, at, at + "?gaps=31&claims=51&searches=20&close=" + url.QueryEscape(short(500, text)), at + "?round=1", at + "/review", at + "/sources/S1", at + "/find?q=" + url.QueryEscape(short(500, text))} {
				status, body := get(path)
				if status != http.StatusOK {
					t.Fatalf("%.80s: %d", path, status)
				}
				if len(body) > 2_500_000 {
					t.Errorf("%.80s has %d bytes", path, len(body))
				}
				if !utf8.ValidString(body) || strings.ContainsRune(body, 0) || strings.ContainsFunc(body, sanitize.ChangesDirection) {
					t.Errorf("%.80s is not plain UTF-8", path)
				}
				for z := html.NewTokenizer(strings.NewReader(body)); z.Next() != html.ErrorToken; {
					token := z.Token()
					if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
						continue
					}
					for _, a := range token.Attr {
						switch {
						case handler.MatchString(a.Key), a.Key == "style", a.Key == "srcdoc", a.Key == "http-equiv", a.Key == "autofocus":
							t.Errorf("%.80s: <%s %s=%.60q>", path, token.Data, a.Key, a.Val)
						case (a.Key == "src" || token.Data == "link" && a.Key == "href") && !ours[token.Data+" "+a.Key+"="+a.Val]:
							t.Errorf("%.80s: <%s> loads %.60q", path, token.Data, a.Val)
						case (a.Key == "href" || a.Key == "action" || a.Key == "formaction") && token.Data != "link" && !strings.HasPrefix(a.Val, "/ui/") && !strings.HasPrefix(a.Val, "#"):
							t.Errorf("%.80s: <%s> leads to %.60q", path, token.Data, a.Val)
						}
					}
					switch token.Data {
					case "style", "base", "iframe", "object", "embed", "img", "image", "animate", "set", "use", "foreignobject", "math", "template", "video", "audio":
						t.Errorf("%.80s has foreign markup: %s", path, token.Data)
					}
				}
			}
		})
	}
}
