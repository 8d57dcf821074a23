package apps

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report/style"
)

//go:embed page.gohtml
var pageText string

//go:embed page.css
var pageStyle string

//go:embed app.js
var script string

var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// document is the data of the template.
type document struct {
	Loop   *view // nil: the shell
	Policy string
	Style  template.CSS
	Script template.JS
	Words  string // the actions, as JSON
	Shell  string // its address
}

// Page is the document of a loop.
func Page(p loops.LoopDetail) (string, error) {
	v := viewOf(p)
	return render(&v)
}

// Shell is the document that takes its loop from the answer of a tool.
func Shell() (string, error) { return render(nil) }

func render(v *view) (string, error) {
	words, err := json.Marshal(style.Actions())
	if err != nil {
		return "", fmt.Errorf("apps: the words of a page: %w", err)
	}
	style := pageStyle
	d := document{Loop: v, Policy: policy(style, script), Style: template.CSS(style), Script: template.JS(script), Words: string(words), Shell: ShellURI} // style and script are ours
	var b strings.Builder
	if err := pages().Execute(&b, d); err != nil {
		return "", fmt.Errorf("apps: writing a page: %w", err)
	}
	return b.String(), nil
}

// policy allows one style and one script, and nothing else. It adds to the policy of the host.
func policy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", digest(style), digest(script))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
