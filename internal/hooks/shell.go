package hooks

import (
	"strings"
)

// maxCommandBytes bounds a command that is read (chosen: longer ones are programs).
const maxCommandBytes = 4096

// literal splits a command of a shell into pipelines of stages of words. It returns nil for a command with anything whose
// meaning is not in its letters: variables, substitutions, patterns, braces, redirections into files, functions, jobs,
// comments and "||", after which nobody knows what ran. Redirections of errors (2>&1, 2>/dev/null) are dropped.
func literal(command string) [][][]string {
	if len(command) > maxCommandBytes {
		return nil
	}
	l := lexer{rest: command}
	for l.rest != "" && l.ok() {
		l.next()
	}
	l.endStage()
	l.endPipeline()
	if !l.ok() {
		return nil
	}
	return l.pipelines
}

type lexer struct {
	rest      string
	word      strings.Builder
	open      bool // a word has begun, perhaps an empty quoted one
	words     []string
	stages    [][]string
	pipelines [][][]string
	failed    bool
	piped     bool // a stage must follow
}

func (l *lexer) ok() bool { return !l.failed }

func (l *lexer) endWord() {
	if l.open {
		l.words = append(l.words, l.word.String())
	}
	l.word.Reset()
	l.open = false
}

func (l *lexer) endStage() {
	l.endWord()
	if len(l.words) > 0 {
		l.stages, l.piped = append(l.stages, l.words), false
	}
	l.words = nil
}

func (l *lexer) endPipeline() {
	l.failed = l.failed || l.piped
	if len(l.stages) > 0 {
		l.pipelines = append(l.pipelines, l.stages)
	}
	l.stages = nil
}

// next reads one character, or one operator.
func (l *lexer) next() {
	for _, dropped := range []string{"2>/dev/null", "2>&1"} {
		if !l.open && strings.HasPrefix(l.rest, dropped) && (len(l.rest) == len(dropped) || strings.ContainsRune(" \t\n;|&", rune(l.rest[len(dropped)]))) {
			l.rest = l.rest[len(dropped):]
			return
		}
	}
	c := l.rest[0]
	switch {
	case c == ' ' || c == '\t':
		l.endWord()
	case c == '\n' || c == ';':
		l.endStage()
		l.endPipeline()
	case strings.HasPrefix(l.rest, "&&"):
		l.endStage()
		l.failed = l.failed || len(l.stages) == 0
		l.endPipeline()
		l.rest = l.rest[2:]
		return
	case c == '|' && !strings.HasPrefix(l.rest, "||") && !strings.HasPrefix(l.rest, "|&"):
		l.endStage()
		l.failed = l.failed || len(l.stages) == 0 || l.piped
		l.piped = true
	case c == '\'':
		inner, rest, closed := strings.Cut(l.rest[1:], "'")
		l.failed = !closed
		l.open = true
		l.word.WriteString(inner)
		l.rest = rest
		return
	case c == '"':
		l.quoted()
		return
	case c == '\\' && len(l.rest) > 1 && l.rest[1] != '\n':
		l.open = true
		l.word.WriteByte(l.rest[1])
		l.rest = l.rest[2:]
		return
	case c == '?' && strings.HasPrefix(l.word.String(), "http"): // no file has such a name
		l.word.WriteByte(c)
	case strings.IndexByte("|&<>$`*?[{}()!\\", c) >= 0, !l.open && (c == '~' || c == '#'):
		l.failed = true
	default:
		l.open = true
		l.word.WriteByte(c)
	}
	l.rest = l.rest[1:]
}

// quoted reads a word in double quotes, where a dollar sign at the end of a pattern is only a dollar sign.
func (l *lexer) quoted() {
	l.open = true
	for i := 1; i < len(l.rest); i++ {
		switch c := l.rest[i]; {
		case c == '"':
			l.rest = l.rest[i+1:]
			return
		case c == '`', c == '$' && i+1 < len(l.rest) && l.rest[i+1] != '"' && l.rest[i+1] != ' ':
			l.failed = true
			return
		case c == '\\' && i+1 < len(l.rest) && strings.IndexByte("$`\"\\", l.rest[i+1]) >= 0:
			i++
			l.word.WriteByte(l.rest[i])
		default:
			l.word.WriteByte(c)
		}
	}
	l.failed = true // never closed
}
