package fetch

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Pages that answer 200 without a document, with the frame, scripts and words that such pages have, and real articles
// about the same subjects.
func TestBarriers(t *testing.T) {
	frame := func(main string) string {
		return `<header><nav><a href="/">Home</a><a href="/news">News</a></nav></header><main>` + main +
			`</main><footer><a href="/imprint">Imprint</a> © 2026</footer>`
	}
	tests := []struct {
		name, title, body string
		want              Status
	}{
		{"Cloudflare's check", "Just a moment...",
			`<h1>shop.example</h1><h2>Checking if the site connection is secure</h2><div>Ray ID: 7d2</div>`, StatusBlocked},
		{"Cloudflare's block", "Attention Required! | Cloudflare",
			`<h1>Sorry, you have been blocked</h1><p>You are unable to access shop.example.</p><p>This website is using a security ` +
				`service to protect itself from online attacks.</p>`, StatusBlocked},
		{"press and hold", "Access to this page has been denied", `<p>Press &amp; Hold to confirm you are a human (and not a bot).</p>`,
			StatusBlocked},
		{"unusual traffic", "Sorry", `<p>Our systems have detected unusual traffic from your computer network. This page checks to ` +
			`see if it's really you sending the requests, and not a robot.</p>`, StatusBlocked},
		{"access denied", "Access Denied", `<h1>Access Denied</h1><p>You don't have permission to access "http://news.example/x" on ` +
			`this server.</p><p>Reference #18.2d</p>`, StatusBlocked},
		{"403 that says 200", "403 Forbidden", `<center><h1>403 Forbidden</h1></center><hr><center>nginx</center>`, StatusBlocked},
		{"a shell of scripts", "App", `<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>`,
			StatusTooShort},
		{"a shell that says so", "App", `<div>JavaScript is disabled in your browser. Please enable JavaScript to use the full ` +
			`features of this site, to see your messages, and to take part in the discussions that our members have each day with ` +
			`each other.</div>`, StatusBlocked},
		{"a cookie wall", "Zeitung", `<div class=consent><h2>Mit Werbung weiterlesen</h2><p>Wir und unsere Partner nutzen Cookies. ` +
			`Alle akzeptieren und mit Werbung weiterlesen, oder mit einem Abo ohne Werbung lesen. Sie können Ihre Einwilligung ` +
			`jederzeit in den Cookie Einstellungen widerrufen.</p></div>`, StatusBlocked},
		{"before you continue", "Before you continue",
			`<div><p>Before you continue to Search: we use cookies and data to deliver and maintain our services, to track outages ` +
				`and protect against spam, fraud and abuse, and to measure audience engagement and site ` +
				`statistics.</p></div>`, StatusBlocked},
		{"a log-in wall", "Log in", `<form><p>You must log in to continue.</p><label>Email</label><label>Password</label><a ` +
			`href="/f">Forgot password?</a></form>`, StatusBlocked},
		{"members only", "The forum", frame(`<p>This thread is restricted to registered users. Please log in to view it. If you have ` +
			`no account yet, it takes a minute to make one, and after that all of the threads of the forum are open to you, old ones ` +
			`as well as new.</p>`), StatusBlocked},
		{"a paywall", "Harbour closed", frame(`<article><h1>Harbour closed</h1><p>The harbour was closed on Monday after the tide ` +
			`rose higher than in any year before.</p><p>The keeper said that he had</p></article><div class=paywall><h3>Subscribe to ` +
			`continue reading</h3><p>Already a subscriber? Log in.</p></div>`), StatusPaywalled},
		{"a German paywall", "Hafen", frame(`<article><p>Der Hafen wurde am Montag gesperrt, weil die Flut höher stieg als in allen ` +
			`Jahren zuvor.</p></article><p>Jetzt weiterlesen mit dem Digitalabo.</p>`), StatusPaywalled},
		{"a journal's paywall", "On tides", frame(
			`<h1>On tides</h1><p>Abstract. The tides of the harbour were measured for ninety years. We show what they say about the ` +
				`moon.</p><p>Get full access to this article. Purchase access.</p>`), StatusPaywalled},
		{"a soft 404", "Page not found", frame(`<h1>Page not found</h1><p>The page you were looking for could not be found. It may ` +
			`have been moved or deleted.</p>`), StatusNotFound},
		{"a soft 404 of few words", "Site", frame(`<h1>404</h1><p>Oops! That page can’t be found.</p>`), StatusNotFound},
		{"an article that is gone", "News", frame(`<p>This article is no longer available.</p>`), StatusNotFound},

		{"an article about paywalls", "Why papers ask for money",
			frame("<article><h1>Why papers ask for money</h1>" +
				strings.Repeat("<p>“Subscribe to continue reading” is what papers write. "+longText+"</p>", 3) + "</article>"),
			StatusRead},
		{"an article about captchas", "How to verify you are human",
			frame("<article><h1>How to verify you are human</h1>" + strings.Repeat("<p>"+longText+"</p>", 3) + "</article>"), StatusRead},
		{"a post that asks to log in for comments", "Tides",
			frame("<article><h1>Tides</h1><p>" + longText + "</p></article><p>You must be logged in to post a comment.</p>"), StatusRead},
		{"a short article under a cookie banner", "Tides",
			`<div class="cookie-banner"><p>We use cookies. Accept all cookies, or see our cookie settings.</p></div>` +
				frame("<article><h1>Tides</h1><p>"+longText+"</p></article>"), StatusRead},
		{"an article of a site with scripts", "Tides", `<noscript>Please enable JavaScript.</noscript>` +
			frame("<article><h1>Tides</h1><p>"+longText+"</p></article>"), StatusRead},
	}
	at := &url.URL{Scheme: "https", Host: "host.example", Path: "/x"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := extract.New(extract.Config{}).Extract(t.Context(), "text/html",
				[]byte("<!doctype html><html><head><title>"+tt.title+"</title></head><body>"+tt.body+"</body></html>"), at)
			if err != nil {
				t.Fatal(err)
			}
			if got, why := classify(x); got != tt.want {
				t.Errorf("classify = %s (%s), want %s; the text is %q", got, why, tt.want, x.Text)
			}
		})
	}
}

func TestClassify(t *testing.T) {
	tests := []struct {
		name, title, text string
		notFree           bool
		want              Status
	}{
		{"199 characters", "Tides", strings.Repeat("a", 199), false, StatusTooShort},
		{"200 characters", "Tides", strings.Repeat("a", 200), false, StatusRead},
		{"200 characters of three bytes", "", strings.Repeat("日", 200), false, StatusRead},
		{"a city", "Forbidden City", longText, false, StatusRead},
		{"a site called 404", "404 Media: on tides", longText, false, StatusRead},
		{"a soft 404", "404 - Not here", longText, false, StatusNotFound},
		{"long, about missing pages", "Why a page was not found", strings.Repeat(longText, 4), false, StatusRead},
		{"a preview", "Tides", longText, true, StatusPaywalled},
		{"declared not free, but whole", "Tides", strings.Repeat(longText, 4), true, StatusRead},
		{"long, with an offer at its end", "Tides", strings.Repeat(longText, 4) + " Subscribe to continue reading.", false, StatusRead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := document.Extraction{NotFree: tt.notFree}
			x.Title, x.Text, x.Chars, x.ContentType = tt.title, tt.text, utf8.RuneCountInString(tt.text), document.TypeHTML
			if got, why := classify(x); got != tt.want || (why == "") != (got == StatusRead) {
				t.Errorf("classify = %s, %q; want %s", got, why, tt.want)
			}
		})
	}
}
