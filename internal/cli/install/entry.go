package install

import (
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/tomledit"
)

// Name is the name of our entry in every client.
const Name = "citeloop"

// Server is the command that a client starts.
type Server struct {
	Command string
	Args    []string
	Env     []Variable // added to those of the entry
}

// Variable is an environment variable that the client sets for the server.
type Variable struct{ Name, Value string }

// String returns the server as a command line, for people.
func (s Server) String() string {
	words := slices.Concat([]string{s.Command}, s.Args)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\"'") {
			words[i] = tomledit.Quote(w)
		}
	}
	return strings.Join(words, " ")
}

// missing returns the options of an entry that s does not set.
func (s Server) missing(old []string) []string {
	var out []string
	for i := 0; i < len(old); i++ {
		name, _, joined := strings.Cut(old[i], "=")
		if !slices.Contains([]string{"--corpus", "--data", "--store", "--log", "--folders", "--tools"}, name) {
			continue
		}
		words := old[i : i+1]
		if !joined && i+1 < len(old) {
			i++
			words = old[i-1 : i+1]
		}
		if !slices.Contains(s.Args, name) {
			out = append(out, words...)
		}
	}
	return out
}

// entry is the entry with our name in a file.
type entry struct {
	command string
	args    []string
	odd     bool   // it has no command, arguments that are not strings, or a type other than stdio
	eager   bool   // it sets alwaysLoad to any value
	url     string // of a remote server
	env     map[string]string
}

const alwaysLoad = "alwaysLoad"

// entryOf reads an entry from its value in a file.
func entryOf(value any) entry {
	members, _ := value.(map[string]any)
	e := entry{env: map[string]string{}}
	var isText bool
	e.command, isText = members["command"].(string)
	kind, typed := members["type"]
	list, isList := members["args"].([]any)
	e.odd = !isText || typed && kind != "stdio" || members["args"] != nil && !isList
	for _, element := range list {
		arg, isText := element.(string)
		e.args, e.odd = append(e.args, arg), e.odd || !isText
	}
	_, e.eager = members[alwaysLoad]
	for _, key := range []string{"url", "httpUrl", "serverUrl"} {
		if url, ok := members[key].(string); ok {
			e.url = url
		}
	}
	variables, _ := members["env"].(map[string]any)
	for name, value := range variables {
		if text, ok := value.(string); ok {
			e.env[name] = text
		}
	}
	return e
}

// ours reports whether the entry starts this program, by its name or by self, as a server.
func (e entry) ours(self string) bool {
	if e.odd || len(e.args) == 0 || e.args[0] != "serve" {
		return false
	}
	return self != "" && e.command == self || programName(e.command) == Name
}

func (e entry) is(s Server) bool {
	for _, v := range s.Env {
		if value, ok := e.env[v.Name]; !ok || value != v.Value {
			return false
		}
	}
	return !e.odd && e.command == s.Command && slices.Equal(e.args, s.Args)
}

// runs describes the program or address of the entry.
func (e entry) runs() string {
	switch {
	case e.command != "":
		return "it runs " + Server{Command: e.command, Args: e.args}.String()
	case e.url != "":
		return "it is reached at " + e.url
	}
	return "it runs nothing that is known here"
}

func (e entry) server() Server {
	s := Server{Command: e.command, Args: e.args}
	for _, name := range slices.Sorted(maps.Keys(e.env)) {
		s.Env = append(s.Env, Variable{name, e.env[name]})
	}
	return s
}

// programName returns the last part of a path of any system, without .exe.
func programName(command string) string {
	name := command[strings.LastIndexAny(command, `/\`)+1:]
	if ext := len(name) - len(".exe"); ext > 0 && strings.EqualFold(name[ext:], ".exe") {
		name = name[:ext]
	}
	return name
}
