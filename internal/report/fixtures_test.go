package report

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

var written = time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC)

// placed sets the offsets of the sentences of d and of their markers, as package draft finds them.
func placed(t testing.TB, d Document) Document {
	t.Helper()
	parsed := draft.Parse(d.Text)
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Status == loopstate.Grounded {
			s.Basis = verify.BasisReview
		}
		plain := func(s string) string {
			return strings.Trim(strings.Join(strings.Fields(sanitize.Visible(s)), " "), ".。 ")
		}
		for _, found := range parsed.Sentences {
			if !strings.HasPrefix(plain(found.Text), plain(s.Text)) {
				continue
			}
			s.Start, s.End = found.Start, found.End
			for _, m := range found.Markers {
				at := MarkerAt{Start: m.Start, End: m.End, SourceID: m.Target, Lines: m.Lines, Label: labelOf(m)}
				if m.Kind != draft.MarkerID {
					at.SourceID = ""
				}
				s.Markers = append(s.Markers, at)
			}
			break
		}
	}
	return d
}

func hash(n int) string { return strings.Repeat(fmt.Sprintf("%08x", uint32(n)*2654435761), 8) }

func receipt(s Source, start int, before, passage, after string) Receipt {
	return Receipt{SourceID: s.ID, URL: s.FinalURL, SHA256: s.SHA256, FetchedAt: s.FetchedAt, Start: start,
		End: start + utf8.RuneCountInString(passage), Passage: passage, Before: before, After: after}
}

// at sets the lines of a receipt.
func at(lines string, r Receipt) Receipt {
	r.Lines = lines
	return r
}

// read sets the reading of a sentence by a subagent.
func read(s Sentence, item, answer, quote string) Sentence {
	s.Reading = &loopstate.Reading{Batch: "R1", Item: item, Answer: answer, Quote: quote, Reader: loopstate.Reader{Kind: "subagent"}}
	if s.Status, s.Basis = loopstate.Unsupported, ""; answer == loopstate.AnswerSupported {
		s.Status, s.Basis, s.Confidence = loopstate.Grounded, verify.BasisReview, 0.84
	}
	return s
}

func source(n, number int, title, url string) Source {
	return Source{Number: number, Source: loopstate.Source{
		ID: fmt.Sprintf("S%d", n), Key: docid.CanonicalKey(url, ""), URL: url, FinalURL: url, Title: title, Authors: []string{},
		ContentType: "text/html",
		Chars:       4200 + 17*n, SHA256: hash(n), FetchedAt: written.Add(-time.Duration(n) * time.Minute), Round: 1}}
}

func finished() wording.Decision {
	return wording.Decision{NextAction: loopstate.Finalize,
		StopReason: "complete: two sign-offs in a row with no material gap open and no evaluator failure", Rule: "two_signoffs",
		Because: "Rounds 2 and 3 were signed off, no material gap is open and the evaluator reports no failure. Had any of these " +
			"failed, another round would have run."}
}

func rounds() []loopstate.Round {
	return []loopstate.Round{
		{Round: 1, Sources: 9, NewSources: 9, Claims: 18, OpenGaps: 6, TookMS: 412},
		{Round: 2, Sources: 31, NewSources: 22, Claims: 44, OpenGaps: 4, TookMS: 58_900},
		{Round: 3, Sources: 47, NewSources: 16, Claims: 63, OpenGaps: 1, TookMS: 200_400},
		{Round: 4, Sources: 54, NewSources: 7, Claims: 71, SignOff: true, TookMS: 61_000},
		{Round: 5, Sources: 56, NewSources: 2, Claims: 71, SignOff: true, TookMS: 7_500_000},
	}
}

// english returns a careful host's report, with a sentence of every verdict.
func english(t testing.TB) Document {
	memory := source(1, 1, "The Go Memory Model", "https://go.dev/ref/mem")
	memory.Publisher, memory.PublishedAt, memory.SourceType, memory.Language = "go.dev", "2022-06-06", "primary", "en"
	spec := source(2, 2, "The Go Programming Language Specification", "https://go.dev/ref/spec#Channel_types")
	spec.Publisher, spec.PublishedAt, spec.SourceType, spec.Language = "go.dev", "2025-08", "primary", "en"
	csp := source(3, 3, "Communicating sequential processes", "https://dl.acm.org/doi/10.1145/359576.359585")
	csp.Authors, csp.Publisher, csp.Container, csp.PublishedAt, csp.DOI, csp.SourceType = []string{"C. A. R. Hoare"},
		"Communications of the ACM", "journal", "1978-08", "10.1145/359576.359585", "peer"
	mirror := source(4, 0, "Go memory model (mirror)", "https://mirror.example.org/ref/mem")
	mirror.DuplicateOf, mirror.RobotsIgnored = "S1", true
	pasted := source(5, 4, "Minutes of the runtime meeting", "")
	pasted.Pasted, pasted.SourceType, pasted.URL, pasted.FinalURL = true, "practitioner", "pasted:minutes", "pasted:minutes"

	d := Document{
		StateID: "0199f2c4-7a10-7c3e-9f00-2b7d5a1c0e11", Query: "What does Go's memory model guarantee for channels?", AsOf: "2026-11-01",
		GeneratedAt: written,
		Verdict:     "pass", Groundedness: 0.8, Threshold: 0.6, Generator: "citeloop 0.1.0", Decision: finished(), Rounds: rounds(),
		Text: `# What channels promise

## Executive Summary

Channels are the main means of synchronisation between goroutines, and the memory model says exactly what a receiver may rely on. A ` +
			`send on a channel is synchronised before the completion of the corresponding receive from that channel [S1:212]. **The ` +
			`closing ` +
			`of a channel** is synchronised before a receive that returns because the channel is closed. [S1:231-232]

## Detailed Findings

### Capacity

A receive from an *unbuffered* channel is synchronised before the completion of the corresponding send on that channel [S1:240; ` +
			`S2:402]. The kth receive from a channel with capacity C is synchronised before the completion of the k+Cth send [S1]. This ` +
			`makes a buffered channel a counting semaphore:

1. the number of items in the channel corresponds to the number of active uses;
2. the capacity corresponds to the maximum number of simultaneous uses.

` + "```go\nvar limit = make(chan int, 3) // at most three at once [S1]\n```" + `

| Operation | Synchronised before | Source |
| :--- | :--- | ---: |
| send | receive completes | spec |
| close | receive of zero value | spec |

### Where the idea comes from

Hoare proposed input and output as basic primitives of programming in 1978 [S3:4]. Every channel operation costs about 50 nanoseconds ` +
			`on current hardware [S3:9-11,40]. The runtime team decided to keep it that way [S5]. Most programmers find channels easier ` +
			`than locks.
`,
		Sources: []Source{memory, spec, csp, pasted, mirror},
		Contradictions: []Contradiction{
			{loopstate.Contradiction{ID: "X1", Topic: "Whether an unbuffered receive may complete before its send",
				Resolution: "Both say the same of different ends: the receive begins first, the send completes last.",
				SourceIDs:  []string{"S1", "S2"}, Round: 2}, nil},
			{loopstate.Contradiction{ID: "X2", Topic: "Whether channels are faster than a mutex",
				Why: "The measurements use different hardware and no text gives both.", SourceIDs: []string{"S3", "S5"}},
				[]Receipt{receipt(pasted, 300, "", "A mutex was faster in every run on the new machines.", "")}},
			{loopstate.Contradiction{ID: "X3", Topic: "Whether a nil channel blocks",
				Resolution: "It does; the second text speaks of closed ones", SourceIDs: []string{"S2", "S1"}}, nil},
		},
		NotTried: []string{"never searched from the angle byCounterArg",
			"nothing from the last 18 months, since 2025-05-01, was looked for or found", "no source of the type press was found",
			"no source of the type practitioner was found", "never searched from the angle byEntity",
			"never searched from the angle byTimeWindow", "never searched in another language than the question's, such as English"},
		Origins: 4,
		Conflicts: []Contradiction{conflict("Year in which CSP was published",
			"Two sources give different years; the paper itself is dated 1978.",
			"1978", receipt(csp, 120, "", "This paper suggests that input and output are basic primitives of programming (1978).", ""),
			"1977", receipt(pasted, 88, "He recalled that ", "CSP came out in 1977", " and was read at once."))},
		CoverageGaps: []string{"Weakly ordered hardware after 2023 — sources available only through 2022"},
		OpenQuestions: []OpenQuestion{{Question: "How many programs rely on the order of closes?",
			Why:   "No source measures it, and none of the three searches found a study.",
			Tried: "searched 4 channels 7 times: 5 empty, 2 blocked"}},
		OpenGaps: []string{"Cost of a channel operation on arm64"},
		Searches: []SearchCount{
			{Channel: "local", Searches: 6, Outcomes: map[string]int{"ok": 5, "empty": 1}},
			{Channel: "arxiv", Searches: 5, Outcomes: map[string]int{"ok": 2, "rate_limited": 2, "unavailable": 1}},
			{Channel: "wikipedia", Searches: 2, Outcomes: map[string]int{"empty": 1, "degraded": 1}},
		},
	}
	d.Sentences = []Sentence{
		read(Sentence{ClaimID: "C1", Text: "A send on a channel is synchronised before the completion of the corresponding receive " +
			"from that channel", IndependentOrigins: 1,
			Receipts: []Receipt{at("212", receipt(memory, 9120,
				"Channel communication is the main method of synchronization between goroutines. Each send on a particular channel is "+
					"matched to a corresponding receive from that channel, usually in a different goroutine.\n\n",
				"A send on a channel is synchronized before the completion of the corresponding receive from that channel.",
				"\n\nThis program:\n\nvar c = make(chan int, 10)"))}},
			"R1-1", loopstate.AnswerSupported, "synchronized before the completion of the corresponding receive"),
		read(Sentence{ClaimID: "C2", Text: "**The closing of a channel** is synchronised before a receive that returns because the " +
			"channel is closed.", IndependentOrigins: 1,
			Receipts: []Receipt{at("231-232", receipt(memory, 9640, "is guaranteed to print \"hello, world\". ",
				"The closing of a channel is synchronized before a receive that returns a zero value because the channel is closed.",
				" In the previous example, replacing c <- 0 with close(c) yields a program with the same guaranteed behavior."))}},
			"R1-2", loopstate.AnswerSupported, "The closing of a channel is synchronized before a receive"),
		read(Sentence{ClaimID: "C3", Text: "A receive from an *unbuffered* channel is synchronised before the completion of the " +
			"corresponding send on that channel", IndependentOrigins: 2,
			Receipts: []Receipt{
				at("240", receipt(memory, 9790, "",
					"A receive from an unbuffered channel is synchronized before the completion of the corresponding send on that channel.",
					" This program (as above, but with the send and receive statements swapped and using an unbuffered channel)")),
				at("402", receipt(spec, 21040, "The capacity, in number of elements, sets the size of the buffer in the channel. ",
					"If the capacity is zero or absent, the channel is unbuffered and communication succeeds only when both a sender "+
						"and receiver are ready.", " Otherwise, the channel is buffered"))}},
			"R1-3", loopstate.AnswerSupported, "A receive from an unbuffered channel is synchronized before the completion of the "+
				"corresponding send"),
		{ClaimID: "C4", Text: "The kth receive from a channel with capacity C is synchronised before the completion of the k+Cth send",
			Status: "inferred", IndependentOrigins: 1, Because: "Nobody has read it yet.", Pending: true, Flags: []string{"single_source"},
			Remarks: []remark.Remark{{Kind: remark.Negation, Text: "from that channel completes", SourceID: "S1", Line: 255, Start: 10560,
				End: 10587}},
			Receipts: []Receipt{at("255", receipt(memory, 10480, "",
				"The kth receive on a channel with capacity C is synchronized before the completion of the k+Cth send from that "+
					"channel completes.", ""))}},
		read(Sentence{ClaimID: "C5", Text: "Hoare proposed input and output as basic primitives of programming in 1978",
			IndependentOrigins: 1,
			Receipts: []Receipt{at("4", receipt(csp, 120, "",
				"This paper suggests that input and output are basic primitives of programming (1978).", ""))}},
			"R1-4", loopstate.AnswerSupported, "input and output are basic primitives of programming"),
		read(Sentence{ClaimID: "C6", Text: "Every channel operation costs about 50 nanoseconds on current hardware",
			Receipts: []Receipt{at("9-11", receipt(csp, 610, "", "The cost of a command depends on the machine.", ""))}}, "R1-5",
			loopstate.AnswerNotStated, ""),
		{ClaimID: "C7", Text: "The runtime team decided to keep it that way", Status: "grounded", Basis: "wording", IndependentOrigins: 1,
			// of an earlier version
			Receipts: []Receipt{{SourceID: "S5", URL: "pasted:minutes", SHA256: pasted.SHA256, FetchedAt: pasted.FetchedAt, Start: 40,
				End: 79, Passage: "The runtime team decided to keep it so.", Quote: "decided to keep it so", Grade: "exact"}}},
		{Text: "Most programmers find channels easier than locks.", Status: "uncited", Because: "It claims something and cites nothing"},
	}
	d.Reviews = []loopstate.Review{{Batch: "R1", Status: loopstate.BatchCounted, OpenedAt: written.Add(-time.Hour),
		ClosedAt: written.Add(-time.Minute), Readers: []loopstate.Reader{{Kind: "subagent"}},
		Planted: loopstate.Tally{N: 7, Good: 7}, Controls: loopstate.Tally{N: 7, Good: 7}}}
	return placed(t, d)
}

// foreign returns a small report in another script. Each of its sentences rests on a passage of the source beside it.
func foreign(t testing.TB, language, query, text string, sources []Source, said ...[2]string) Document {
	d := Document{StateID: "0199f2c4-7a10-7c3e-9f00-2b7d5a1c0e12", Query: query, AsOf: "2026-11-01", GeneratedAt: written,
		Verdict: "pass", Groundedness: 1, Threshold: 0.8, Generator: "citeloop 0.1.0", Decision: finished(), Rounds: rounds()[:2],
		Sources: sources, Text: text}
	for i, s := range said {
		from := sources[min(i, len(sources)-1)]
		d.Sentences = append(d.Sentences, Sentence{ClaimID: fmt.Sprint("C", i+1), Text: s[0], Status: loopstate.Grounded,
			IndependentOrigins: 1, Receipts: []Receipt{receipt(from, 310, "…", s[1], " (go.dev)")}})
	}
	sources[0].Language = language
	return placed(t, d)
}

func chinese(t testing.TB) Document {
	paper := source(1, 1, "深度学习与蛋白质结构预测", "https://example.org/蛋白质/折叠?页=2")
	paper.Authors, paper.Publisher, paper.PublishedAt = []string{"王小明", "李华"}, "科学通报", "2021-07-15"
	d := foreign(t, "zh-Hans", "蛋白质结构预测的精度有多高？",
		"## 摘要\n\n模型在第十四届评测中的中位精度为 92.4 分[S1]。该方法已公开发布。[S1]\n\n"+
			"## 三、局限与不确定性\n\n尚不清楚。\n", []Source{paper},
		[2]string{"模型在第十四届评测中的中位精度为 92.4 分[S1]。", "模型的中位精度达到 92.4 分，"},
		[2]string{"该方法已公开发布。", "代码和数据已在网上公开，可供下载。"})
	d.OpenQuestions = []OpenQuestion{{Question: "方法对无序蛋白是否有效？", Why: "没有来源讨论这一点"}}
	d.Contradictions = []Contradiction{{loopstate.Contradiction{ID: "X1", Topic: "中位精度", Why: "两处数字不同",
		SourceIDs: []string{"S1"}}, []Receipt{receipt(paper, 310, "", "达到 92.4 分，", "")}}}
	return d
}

// arabic returns a right-to-left report with a left-to-right passage.
func arabic(t testing.TB) Document {
	return foreign(t, "ar", "ماذا تضمن القنوات في لغة Go؟",
		"## الخلاصة\n\nيكتمل الإرسال قبل اكتمال الاستقبال المقابل [S1]. "+
			"القناة غير المخزنة تنتظر الطرفين [S2].\n",
		[]Source{source(1, 1, "مذكرة عن القنوات", "https://example.org/ar/memo"),
			source(2, 2, "The Go Programming Language Specification", "https://go.dev/ref/spec")},
		[2]string{"يكتمل الإرسال قبل اكتمال الاستقبال المقابل",
			"يكتمل الإرسال قبل اكتمال الاستقبال المقابل."},
		[2]string{"القناة غير المخزنة تنتظر الطرفين",
			"communication succeeds only when both a sender and receiver are ready."})
}

// hostile returns a report with attacks in all texts.
func hostile(t testing.TB) Document {
	const script = `<script>alert("x")</script>`
	bad := source(1, 1, `Title ]] ) | pipe `+script+" \u202Etxt.exe\u202C `code` *b* $x$", "javascript:alert(1)")
	bad.Authors = []string{`Robert "); DROP TABLE <img src=x onerror=alert(1)>`, "A } and { B", "Smith, Jane\nEve"}
	bad.Publisher, bad.PublishedAt, bad.DOI, bad.Language, bad.SourceType = "Evil & Sons {100%} #1_~^\\", "2024-13-99", "10.1000/<script>x",
		`en" onload="x`, `"><svg onload=x>`
	data := source(2, 2, "", "data:text/html,<script>alert(1)</script>")
	share := source(3, 0, "A share", "file://attacker/share/x")
	odd := source(4, 3, "@article{x, title={y}}", "https://example.org/a|b)c]d{e}f%20g?q=\"<x>&y=1#frag")
	d := Document{
		StateID: script, Query: "Is it </title><script>alert(1)</script> safe?", AsOf: `2026"><script>`, GeneratedAt: written,
		Verdict: "pass", Groundedness: 0.9, Threshold: 0.8,
		Generator: "citeloop " + script, Sources: []Source{bad, data, share, odd},
		Decision: wording.Decision{NextAction: "finalize", StopReason: "<b>done</b>", Rule: "`r` | x", Because: "</bdi>" + script},
		Text: "Intro <b onclick=alert(1)>bold</b> and <img src=https://evil.example/x.png onerror=alert(1)> stay text.\n\n" +
			"<script>alert(1)</script>\n\n<div>\n[hidden](javascript:alert(1))\n</div>\n\n" +
			"[click](javascript:alert(1)) or [here](data:text/html;base64,PHNjcmlwdD4=) or <javascript:alert(1)> or " +
			"[ok](https://example.org/ok \"t\").\n\n" +
			"![track](https://evil.example/pixel.png) and ![x](javascript:alert(2)).\n\n" +
			"A sentence with " + "\u202E" + "reversed" + "\u202C" + " parts is true [S1]. An entity &lt;script&gt; is text [S2].\n\n" +
			"- A list sentence that begins here\n\n  and goes on in the next block [S4].\n\n" +
			"[S1]: https://evil.example/\n[1]: https://evil.example/\n\n" +
			"Nobody read what this says [S77].\n\n" +
			"```html\n<script>alert(3)</script> ]] ) never closed\n",
		CoverageGaps: []string{"# not a heading", script, "", " \u202E\n"},
		OpenQuestions: []OpenQuestion{{Question: "1. not a list?", Why: "<i>why</i> | x",
			Tried: "</dd><script>alert(1)</script> | `x` \u202Etxt"}, {Question: " \n", Why: "\u2066"}},
		Contradictions: []Contradiction{{loopstate.Contradiction{ID: "X1", Topic: "[x](javascript:alert(1))", Why: "| a | b |",
			SourceIDs: []string{"S1", "S99", "S1", "S4"}}, []Receipt{{SourceID: "</section>", Passage: "<b>of no source</b>"},
			{SourceID: "S1", Start: -4, End: 9_000, Passage: "![x](https://evil.example/x.png) \x00\n# two ]] )\u202E | pipe"}}},
			{loopstate.Contradiction{Topic: " ", Resolution: "<i>r</i>\n# h"}, nil}},
		NotTried: []string{"<details open><summary>x</summary>", "- - -", "", "1. a", "| b |", "[c][d]", "<!-- e", "~~~", "\u202Ef"},
		OpenGaps: []string{"</ul></details><script>alert(1)</script>", "one source alone (S1, <b>) stands behind: \n# x"}, Origins: -3,
		Conflicts: []Contradiction{conflict(script, "", "<5>", Receipt{SourceID: "S99", URL: "javascript:alert(1)",
			Passage: "<mark>5</mark>"}, "&lt;", Receipt{})},
		Searches: []SearchCount{{Channel: "| x | " + script, Searches: 1, Outcomes: map[string]int{"<b>": 1, "| pipe": 2}}},
	}
	d.Sentences = []Sentence{
		{Text: "A sentence with \u202Ereversed\u202C parts is true", Status: "grounded", Confidence: 0.9, Because: script,
			Flags: []string{"<flag>"},
			Receipts: []Receipt{receipt(bad, 5, "</blockquote>"+script,
				"line one </mark><script>alert(1)</script>\r\n# two ]] )\u202E\u2066 | pipe\n\n\n> three & &amp; `x`",
				"\x00\x01 after <")}},
		{Text: "An entity &lt;script&gt; is text", Status: script, Confidence: 0.5, Receipts: []Receipt{receipt(data, 0, "", "x", "")}},
		{Text: "A list sentence that begins here\n\n  and goes on in the next block", Status: "grounded", Confidence: 0.8,
			Receipts: []Receipt{receipt(odd, 0, "", "begins here, and goes on", "")}},
		{Text: "Nobody read what this says", Status: "unsupported", Because: "It cites nothing that was read"},
	}
	return placed(t, d)
}

func unverified(t testing.TB) Document {
	d := claims(english(t))
	d.Verdict, d.Unverified, d.Groundedness = "fail", true, 0.599
	d.Decision = wording.Decision{NextAction: loopstate.SearchMore, Rule: "pursue_target",
		Because: "1 material gap is open; G4 is the first of them. Answered, it would leave the list."}
	return d
}

func empty(testing.TB) Document {
	return Document{Query: "Is there anything?", GeneratedAt: written, Verdict: "fail", Threshold: 0.8, Generator: "citeloop 0.1.0"}
}

// claims returns the document without its text: its sentences are recorded claims.
func claims(d Document) Document {
	d.Text = ""
	d.Sentences = append([]Sentence(nil), d.Sentences...)
	for i := range d.Sentences {
		d.Sentences[i].Start, d.Sentences[i].End, d.Sentences[i].Markers = 0, 0, nil
	}
	return d
}

type fixture struct {
	name   string
	doc    Document
	golden bool
}

func fixtures(t testing.TB) []fixture {
	return []fixture{
		{"english", english(t), true}, {"chinese", chinese(t), false}, {"hostile", hostile(t), false},
		{"arabic", arabic(t), false}, {"unverified", unverified(t), false}, {"empty", empty(t), false},
		{"hostile claims", claims(hostile(t)), false},
	}
}

func conflict(topic, why, valueA string, a Receipt, valueB string, b Receipt) Contradiction {
	a.Value, b.Value = valueA, valueB
	return Contradiction{loopstate.Contradiction{Topic: topic, Why: why}, []Receipt{a, b}}
}
