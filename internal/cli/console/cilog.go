package console

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// The formats of a check.
const (
	Text   = "text"
	JSON   = "json"
	SARIF  = "sarif"
	GitHub = "github"
)

// Formats lists the formats, the default first.
func Formats() []string { return []string{Text, JSON, SARIF, GitHub} }

// CI systems read commands in the log of a job: GitHub in lines that begin with :: and wherever ##[ stands, Azure in ##vso[,
// TeamCity in ##teamcity[, GitLab in section_start: and section_end:. Names of files and texts of a pull request could carry
// them, so they are broken up in all that a command writes while one of these systems runs it.

// InCI reports whether a CI system runs the process.
func (p Process) InCI() bool {
	for _, name := range []string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION"} {
		if v := p.Env(name); v != "" && v != "false" && v != "0" {
			return true
		}
	}
	return false
}

var (
	inlineCommand = lazyregexp.New(`(?i)#(#(?:\[|vso\[|teamcity\[|[a-z]+\[))`)
	section       = lazyregexp.New(`(?i)(section_(?:start|end)):`)
	lineCommand   = lazyregexp.New(`^([ \t\r\f\v]*:):`)
	highControl   = lazyregexp.New(`[\x{7f}-\x{9f}\x{1b}]`) // those that JSON does not escape
	// ownCommand is what the format github writes, with all that is foreign escaped.
	ownCommand = lazyregexp.New(`^::(?:error|warning|notice) file=[^:]*::`)
)

// ForLog returns a writer for a log in one of [Formats], and how to end it.
func (p Process) ForLog(out io.Writer, format string) (io.Writer, func() error) {
	if !p.InCI() {
		return out, func() error { return nil }
	}
	var text bytes.Buffer
	return &text, func() error { return writeBroken(out, text.String(), format) }
}

// Messages breaks commands in single messages, which it writes at once.
type Messages struct{ Out io.Writer }

func (w Messages) Write(p []byte) (int, error) { return len(p), writeBroken(w.Out, string(p), "") }

func writeBroken(out io.Writer, text, format string) error {
	for line := range strings.Lines(text) {
		if _, err := io.WriteString(out, broken(line, format)); err != nil {
			return err
		}
	}
	return nil
}

// broken returns a line without commands. In formats for programs its meaning stays the same.
func broken(line, format string) string {
	apart := func(colon, mark string) {
		line = section.ReplaceAllString(line, "${1}"+colon)
		line = inlineCommand.ReplaceAllStringFunc(line, func(m string) string { return "#" + mark + m[2:] })
		if format != GitHub || !ownCommand.MatchString(line) {
			line = lineCommand.ReplaceAllString(line, "${1}"+colon)
		}
	}
	switch format {
	case JSON, SARIF: // no line of it begins with a text
		apart(`\u003a`, `\u0023`)
		line = highControl.ReplaceAllStringFunc(line, func(c string) string { return fmt.Sprintf(`\u%04x`, []rune(c)[0]) })
	default:
		line = WithoutControls(line) // no escape sequence, and no second line
		apart(" :", " #")
	}
	return line
}

// WithoutControls returns a message without control characters, such as those of a terminal in the name of a file.
func WithoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f) {
			return r
		}
		return -1
	}, sanitize.Visible(s))
}
