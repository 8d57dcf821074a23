package hooks

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Answer is what a hook says. All fields may be empty.
type Answer struct {
	Model string // told beside the result of the tool
	GoOn  string // told instead of ending: the model corrects its text
	User  string // one line
}

// Encode writes an answer in the form of the event's client.
func Encode(e Event, a Answer) []byte {
	out := map[string]any{}
	context := a.Model
	if a.GoOn != "" {
		switch e.Client {
		case Codex:
			out["decision"], out["reason"] = "block", a.GoOn
		case Gemini:
			out["decision"], out["reason"] = "deny", a.GoOn
		default: // which would send a reason twice
			context = a.GoOn
		}
	}
	if context != "" {
		out["hookSpecificOutput"] = map[string]any{"hookEventName": e.Raw, "additionalContext": context}
	}
	if a.User != "" {
		out["systemMessage"] = a.User
	}
	body, err := json.Marshal(out)
	if err != nil { // strings alone
		return []byte("{}")
	}
	return body
}

// Source is a new source of the loop.
type Source struct {
	ID    string
	Name  string // path or address
	Lines int
	File  string // where its lines are, if not in the file itself
}

// Line tells the model the ids of new sources, in at most MaxLine code points. dir shortens the paths below it.
func Line(dir string, sources []Source) string {
	if len(sources) == 0 {
		return ""
	}
	src := sources[0]
	example := fmt.Sprintf("cite [%s:%d]", src.ID, max(1, min(120, src.Lines)))
	if len(sources) == 1 {
		if src.File != "" {
			if line := fmt.Sprintf("%s = %s, %s in %s: %s", src.ID, shortPath(dir, src.Name, 60), plural(src.Lines), shortPath(dir, src.File, 110), example); fits(line) {
				return line
			}
		}
		return fmt.Sprintf("%s = %s, %s: %s", src.ID, shortPath(dir, src.Name, 120), plural(src.Lines), example)
	}
	var parts []string
	for i, src := range sources {
		parts = append(parts, fmt.Sprintf("%s = %s", src.ID, shortPath(dir, src.Name, 60)))
		if line := strings.Join(parts, ", ") + "; " + example; !fits(line) {
			parts[i] = fmt.Sprintf("%d more in index.md", len(sources)-i)
			if line = strings.Join(parts, ", ") + "; " + example; fits(line) {
				return line
			}
			parts = append(parts[:i-1], fmt.Sprintf("%d more in index.md", len(sources)-i+1))
			break
		}
	}
	return strings.Join(parts, ", ") + "; " + example
}

// ChangedLine tells the model that a file is no longer the source that was stored.
func ChangedLine(dir string, src Source) string {
	line := fmt.Sprintf("%s has changed since it was stored as %s: [%s:…] means the old lines", shortPath(dir, src.Name, 60), src.ID, src.ID)
	if with := line + ", in " + shortPath(dir, src.File, 80); src.File != "" && fits(with) {
		return with
	}
	return line
}

func fits(line string) bool { return len([]rune(line)) <= MaxLine }

func plural(lines int) string {
	if lines == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", lines)
}

// shortPath returns a path as seen from a folder, or the end of a long one. The name of a file is text of somebody else.
func shortPath(dir, name string, chars int) string {
	if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsAbs(name) && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	name = sanitize.Line(name)
	if runes := []rune(name); len(runes) > chars {
		name = "…" + string(runes[len(runes)-chars+1:])
	}
	return name
}
