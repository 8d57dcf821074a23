package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goneWords are words that users no longer read, because another word says the same thing, and that other word.
var goneWords = []struct{ gone, instead string }{
	{`\b(a|the|your|second) judges?\b`, "reader"},
	{`\b(a|the|by) second reader\b`, "a reader"},
	{`\bwaits? for (a |the )?(reader|review)\b`, "is not read yet"},
	{`\bwait(s|ing)? for (a |the )?(reader|review)\b`, "not read yet"},
	{`\bpending\b`, "not read yet"},
	{`\bsupported in part\b`, "partly supported"},
	{`\b[Hh]osts?\b`, "assistant or client"},
}

// keptWords are the places where such a word means something else: the name of an argument, a network host, a verb.
var keptWords = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`judge of coverage`, `pending federal`, `\.ci/hosts`, `hosts -probe`, `pending_reviews`, "`pending`", `"pending"`,
	"`hosts -probe`", `host name`, `host:port`, `--allow-host`, `ALLOW_HOST`, `CITELOOP_HOST`, "`host`", `"host"`, `host header`, `Host` + "`", `no such host`, `user@host`, `localhost`, `each host\b`, `a host alone`,
	`the host of\b`, `its host is allowed`, `separate host name`, `this host and port`, `hosts of the prefixes`, `ghcr\.io\S*`,
}, "|"))

// Every text for users has one word for one thing.
func TestOneWordForOneThing(t *testing.T) {
	var files []string
	for _, pattern := range []string{"README.md", "docs/*.md", "examples/*.md", "examples/*/*.md", "examples/plugin/*/*.md", "internal/report/messages/*.txt", "internal/prompts/templates/*.txt"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		if file == filepath.Join("docs", "mechanisms.md") { // quotes the cards
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			rest := keptWords.ReplaceAllString(line, "")
			for _, w := range goneWords {
				if found := regexp.MustCompile(w.gone).FindString(rest); found != "" {
					t.Errorf("%s:%d: %q: write %q\n\t%s", file, n, found, w.instead, strings.TrimSpace(line))
				}
			}
		}
	}
}
