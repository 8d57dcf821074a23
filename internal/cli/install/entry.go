package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// entry is the entry with our name in a client's file.
type entry struct {
	Server
	there bool
	ours  bool   // it starts this program, or another citeloop, as a server
	runs  string // what it starts, for people
}

// read returns our entry in the text of a client's file. self is the path of this program.
func (c client) read(text []byte, self string) (entry, error) {
	servers := map[string]any{}
	if c.toml {
		var file map[string]any
		if err := toml.Unmarshal(text, &file); err != nil {
			return entry{}, err
		}
		servers, _ = file[c.key].(map[string]any)
	} else if len(bytes.TrimSpace(text)) > 0 {
		root, err := parse(text)
		if err != nil {
			return entry{}, err
		}
		root.Standardize()
		var file map[string]json.RawMessage
		if err := json.Unmarshal(root.Pack(), &file); err != nil {
			return entry{}, errors.New("it does not hold an object")
		}
		if body := file[c.key]; len(body) > 0 && json.Unmarshal(body, &servers) != nil {
			return entry{}, fmt.Errorf("its %q is not an object", c.key)
		}
	}
	value, there := servers[name]
	if !there {
		return entry{}, nil
	}
	body, _ := json.Marshal(value) // was read from JSON or TOML
	e := entry{there: true}
	if json.Unmarshal(body, &e.Server) != nil || e.Command == "" {
		return entry{there: true, runs: "a server that this command does not know"}, nil
	}
	e.runs = strings.Join(append([]string{e.Command}, e.Args...), " ")
	program := strings.TrimSuffix(strings.ToLower(e.Command[strings.LastIndexAny(e.Command, `/\`)+1:]), ".exe")
	e.ours = len(e.Args) > 0 && e.Args[0] == "serve" && (e.Command == self || program == name)
	return e, nil
}

// parse reads JSON with comments and trailing commas.
func parse(text []byte) (hujson.Value, error) {
	root, err := hujson.Parse(bytes.Clone(bytes.TrimPrefix(text, []byte(bom)))) // Standardize changes the bytes
	if err != nil {
		return root, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return root, nil
}

// bom is the byte order mark that some editors on Windows write.
const bom = "\xef\xbb\xbf"

// addEntry returns the text of a client's JSON file with our entry. Of an entry that is there, only command, arguments and the
// given variables change.
func addEntry(text []byte, c client, s Server) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	return edited(text, func(root *hujson.Value) error {
		for _, set := range []struct {
			name  string
			value any
		}{{"args", s.Args}, {"command", s.Command}} {
			if err := put(root, set.value, c.key, name, set.name); err != nil {
				return err
			}
		}
		for k, v := range c.members {
			if root.Find("/"+c.key+"/"+name+"/"+k) == nil {
				if err := put(root, v, c.key, name, k); err != nil {
					return err
				}
			}
		}
		for k, v := range s.Env {
			if err := put(root, v, c.key, name, "env", k); err != nil {
				return err
			}
		}
		return nil
	})
}

// removeEntry returns the text of a client's JSON file without our entry.
func removeEntry(text []byte, c client) ([]byte, error) {
	return edited(text, func(root *hujson.Value) error {
		servers, ok := root.Find("/" + c.key).Value.(*hujson.Object)
		if !ok {
			return fmt.Errorf("its %q is not an object", c.key)
		}
		for i, m := range servers.Members {
			if m.Name.Value.(hujson.Literal).String() == name {
				servers.Members = append(servers.Members[:i], servers.Members[i+1:]...)
				break
			}
		}
		return nil
	})
}

func edited(text []byte, edit func(root *hujson.Value) error) ([]byte, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := edit(&root); err != nil {
		return nil, err
	}
	out := root.Pack()
	if bytes.HasPrefix(text, []byte(bom)) {
		out = append([]byte(bom), out...)
	}
	return out, nil
}

// put sets the value at a path, and makes the objects that are missing. A new member comes first in its object, so that the
// comments and commas at its end stay where they are.
func put(at *hujson.Value, value any, path ...string) error {
	indent, unit := "\n", "  "
	for i, key := range path {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return fmt.Errorf("its %q is not an object", strings.Join(path[:i], "."))
		}
		var found *hujson.Value
		for j := range object.Members {
			m := &object.Members[j]
			if m.Name.Value.(hujson.Literal).String() != key {
				continue
			}
			if found != nil {
				return fmt.Errorf("it has %q twice, and clients differ in which they read; leave one", strings.Join(path[:i+1], "."))
			}
			found = &m.Value
		}
		inner := indent + unit
		if len(object.Members) > 0 {
			before := string(object.Members[0].Name.BeforeExtra)
			if end := strings.LastIndexByte(before, '\n'); end >= 0 {
				start := end
				if start > 0 && before[start-1] == '\r' {
					start--
				}
				inner = before[start:]
				if i == 0 {
					unit = strings.TrimLeft(inner, "\r\n")
				}
			}
		}
		if i == len(path)-1 {
			return set(object, found, key, value, inner, indent)
		}
		if found == nil {
			if err := set(object, nil, key, map[string]any{}, inner, indent); err != nil {
				return err
			}
			found = &object.Members[0].Value
		}
		at, indent = found, inner
	}
	return nil
}

// set sets a member of an object: it replaces the value found, or inserts a member in a line of its own.
func set(object *hujson.Object, found *hujson.Value, key string, value any, inner, indent string) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	literal, err := hujson.Parse(body)
	if err != nil {
		return err
	}
	if list, ok := literal.Value.(*hujson.Array); ok {
		for i := 1; i < len(list.Elements); i++ {
			list.Elements[i].BeforeExtra = hujson.Extra(" ")
		}
	}
	if found != nil {
		found.Value = literal.Value
		return nil
	}
	m := hujson.ObjectMember{Name: hujson.Value{BeforeExtra: hujson.Extra(inner), Value: hujson.String(key)}, Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: literal.Value}}
	if len(object.Members) == 0 && !bytes.Contains(object.AfterExtra, []byte("\n")) {
		object.AfterExtra = append(object.AfterExtra, indent...)
	}
	object.Members = append([]hujson.ObjectMember{m}, object.Members...)
	return nil
}
