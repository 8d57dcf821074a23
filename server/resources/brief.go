package resources

import (
	_ "embed"
	"strings"
	"sync"
	"text/template"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
)

//go:embed brief.gomd
var briefText string

type briefList struct {
	Title string
	Items []string
}

var briefTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("brief").Funcs(template.FuncMap{"short": sanitize.Short,
		"list": func(title string, items []string) briefList { return briefList{title, items} }}).Parse(briefText))
})

// Brief renders the brief of a loop as Markdown, with the same items as the JSON.
func Brief(v loops.View) (string, error) {
	var b strings.Builder
	err := briefTemplate().Execute(&b, v)
	return strings.TrimRight(b.String(), "\n") + "\n", err
}
