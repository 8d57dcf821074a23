package web

import (
	"html/template"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/messages"
)

// message is a text for a visitor, in the language of the page that shows it.
type message func(messages.Table) string

// said returns the message of a key in the table.
func said(key string, args ...any) message {
	return func(m messages.Table) string { return m.T(key, args...) }
}

// verbatim returns a message that has no translation.
func verbatim(text string) message { return func(messages.Table) string { return text } }

// sentences joins messages, each as a sentence.
func sentences(all ...message) message {
	return func(m messages.Table) string {
		var out []string
		for _, one := range all {
			if text := report.AsSentence(one(m)); text != "" {
				out = append(out, text)
			}
		}
		return strings.Join(out, " ")
	}
}

// code returns a text of the table as HTML: what is between backquotes is code.
func code(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if part = template.HTMLEscapeString(part); i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

var matcher = sync.OnceValue(func() language.Matcher {
	var tags []language.Tag
	for _, lang := range messages.Languages() {
		tags = append(tags, language.Make(lang))
	}
	return language.NewMatcher(tags)
})

// browserLanguage returns the interface language that suits the browser best.
func browserLanguage(r *http.Request) string {
	wanted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(wanted) == 0 {
		return messages.Languages()[0]
	}
	_, at, _ := matcher().Match(wanted...)
	return messages.Languages()[at]
}
