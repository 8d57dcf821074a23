package web

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// attacks are untrusted texts that try to run a script, link away, hide the page or reverse its text. A script that
// runs sets window.canary.
const attacks = `<script>window.canary=1</script><script src="https://evil.example/x.js"></script>"><img src=x onerror="window.canary=2"><svg onload=window.canary=3></svg>` +
	`<style>*{display:none!important}</style><meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/">` +
	`<a href="javascript:window.canary=4" onclick="window.canary=5">here</a> [there](javascript:window.canary=6) ' onfocus='window.canary=7' autofocus x='` +
	`</title></textarea></select></option></script></style><iframe srcdoc="<script>parent.canary=8</script>"></iframe><form action=https://evil.example><button formaction=javascript:window.canary=9>` +
	`{{.}} ${window.canary=10} <!-- ]]> ` + "\u202Egnp.exe \u2066isolated\u2069 \u200F\x07"

// hostile returns a loop in which every text is an attack; long is the longest word that a field accepts.
func (h fixture) hostile(t *testing.T) (loop string) {
	t.Helper()
	ctx := t.Context()
	long := strings.Repeat("w", loopstate.MaxTextChars)
	started, err := h.svc.Start(ctx, loopstate.StartInput{Query: attacks, Gaps: []loopstate.GapInput{{Gap: attacks, Query: attacks}, {Gap: long}}})
	if err != nil {
		t.Fatal(err)
	}
	loop = started.StateID
	sentence := "The tower was built in 1874 <b onclick=window.canary=11>by Maria Holt</b>. "
	h.paste(t, ctx, loop, attacks, attacks+" "+strings.Repeat(sentence, 30))
	h.paste(t, ctx, loop, strings.Repeat("t", 2_000), strings.Repeat("w", 2_000_000))
	out, err := h.svc.Read(ctx, loops.ReadInput{Loop: loop, URLs: []string{`https://evil.example/?q="><script>window.canary=12</script>`}, Title: attacks, Text: sentence + strings.Repeat(attacks, 3)})
	if err != nil || out[0].ID == "" {
		t.Fatalf("%v %v", out, err)
	}
	changed := loopstate.UpdateInput{
		Query: attacks, Channel: "<script>window.canary=13</script>",
		Evidence:       []loopstate.Evidence{{Title: attacks, URL: "https://evil.example/" + url.PathEscape(attacks), Snippet: attacks, Source: "<img src=x onerror=window.canary=14>"}, {Title: "x", URL: "javascript:window.canary=15"}},
		Claims:         []loopstate.ClaimInput{{Claim: attacks, SourceIDs: []string{"S1"}}, {Claim: long, SourceIDs: []string{"S2"}}},
		BadURLs:        []loopstate.BadURL{{URL: "https://evil.example/\"><script>window.canary=16</script>", Reason: attacks}},
		Contradictions: []loopstate.ContradictionInput{{Topic: attacks, Why: attacks, SourceIDs: []string{"S1", "S3"}}, {Topic: long, Resolution: long, SourceIDs: []string{"S2"}}},
		Failures:       []string{attacks},
	}
	if _, err := h.svc.Update(ctx, loop, "", changed); err != nil {
		t.Fatal(err)
	}
	if _, err := h.svc.Verify(ctx, loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New(strings.TrimSpace(sentence), "S1"), verify.New(attacks, "S3"), verify.New(long, "S2")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.svc.Reflect(ctx, loop, "", loopstate.CloseInput{Synthesis: attacks, OpenQuestions: []loopstate.OpenQuestionInput{{Gap: "G2", Why: attacks}}, Coverage: &loopstate.Coverage{Overall: 0.5, Reasoning: attacks}}, nil); err != nil {
		t.Fatal(err)
	}
	return loop
}

// smuggled is what in a page did not come from us: elements that the page does not have, attributes that run, links
// that lead elsewhere than to web pages, and characters that turn text, other than in what a visitor writes there and
// where each is shut into an element that isolates it.
const smuggled = `(() => {
	const out = [...document.querySelectorAll('iframe, object, embed, img, base, style:not(head > style:only-of-type), meta[http-equiv="refresh"], script')].filter(e => !(e.tagName === 'SCRIPT' && e.getAttribute('src') === '/ui/static/live.js')).map(e => e.outerHTML.slice(0, 200));
	for (const e of document.querySelectorAll('*')) for (const a of e.attributes) {
		if (/^on/i.test(a.name)) out.push(e.tagName + ' has ' + a.name);
		if (/^(href|src|action|formaction|xlink:href)$/i.test(a.name) && !['http:', 'https:', 'file:', 'data:'].includes(new URL(a.value, location.href).protocol)) out.push(e.tagName + ' leads to ' + a.value.slice(0, 200));
		if (/[\u202A-\u202E\u2066-\u2069]/.test(a.value) && e.tagName !== 'INPUT') out.push(e.tagName + ' turns text in ' + a.name);
	}
	const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) if (/[\u202A-\u202E\u2066-\u2069]/.test(texts.currentNode.data) && !texts.currentNode.parentElement.matches('textarea, bdi.turn')) out.push('text turns: ' + texts.currentNode.data.slice(0, 80));
	if (window.canary !== undefined) out.push('something ran: ' + window.canary);
	return out;
})()`

// unharmed checks that untrusted text has not changed the page.
func unharmed(t *testing.T, tab *browsertest.Tab, where string, s browsertest.Screen, ours func(string) bool) {
	t.Helper()
	for _, found := range browsertest.Ask[[]string](tab, smuggled) {
		t.Errorf("%s at %v: %s", where, s, found)
	}
	if seen := browsertest.Ask[bool](tab, `document.querySelector("h1").getBoundingClientRect().height > 0`); !seen {
		t.Errorf("%s at %v: the page is hidden", where, s)
	}
	tab.Fits(s)
	tab.Quiet(ours)
}

// Untrusted text stays text in every view and in the report: it runs nothing, requests nothing, links nowhere and keeps
// the layout.
func meetTheHostile(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	loop := h.hostile(t)
	tab := h.comeIn(t, b)
	at := h.at(loop)
	for _, path := range []string{h.srv.URL + Root, at, at + "?round=1", at + "/sources/S1?from=2&to=400#here", at + "/sources/S2", at + "/sources/S2?at=1900000", at + "/sources/S3",
		at + "/find?q=tower+built", at + "/find?q=" + url.QueryEscape(attacks), at + "/verify", at + "?done=" + url.QueryEscape(attacks), h.srv.URL + Root + url.PathEscape(`<script>window.canary=17</script>`)} {
		for _, s := range []browsertest.Screen{phone(), desk()} {
			if s == desk() && path != at { // a wide screen asks for less
				continue
			}
			tab.Show(s, path)
			_ = browsertest.Ask[bool](tab, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
			unharmed(t, tab, path, s, h.ours)
			if here := browsertest.Ask[string](tab, `location.origin`); here != h.srv.URL {
				t.Errorf("%s leads to %s", path, here)
			}
		}
	}

	tab.Show(phone(), at+"/verify")
	tab.Do(chromedp.SetValue(chromedp.CSS(`#draft`), attacks+" [S1].\n\nThe tower was built in 1874 by Maria Holt [S1].\n\n"+strings.Repeat("w", 100_000)+" 12 [S2]."), chromedp.Click(chromedp.CSS(`form:has(#draft) button`)))
	tab.Until("the verdict on a hostile draft", `document.querySelector(".sentences > li")`)
	unharmed(t, tab, "a hostile draft", phone(), h.ours)

	tab.Show(phone(), at)
	open(tab, "gap")
	tab.Do(chromedp.SetValue(chromedp.CSS(field("gap", "gap")), attacks), chromedp.Click(chromedp.CSS(`form[action$="/gap"] button`)))
	tab.Until("the form that is refused", `document.getElementById("trouble")`)
	unharmed(t, tab, "a refused form", phone(), h.ours)

	doc, err := h.svc.Report(t.Context(), loops.ReportInput{Loop: loop, AllowUnverified: true})
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := report.Write(&page, report.HTML, doc); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []browsertest.Screen{desk(), phone()} {
		tab.Show(s, "file://"+file)
		unharmed(t, tab, "the report", s, func(url string) bool { return url == "file://"+file })
	}
}
