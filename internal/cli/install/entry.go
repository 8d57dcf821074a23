package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	var file map[string]any
	if c.toml() {
		if err := toml.Unmarshal(text, &file); err != nil {
			return entry{}, err
		}
	} else if len(bytes.TrimSpace(text)) > 0 {
		root, err := parse(text)
		if err != nil {
			return entry{}, err
		}
		root.Standardize()
		if err := json.Unmarshal(root.Pack(), &file); err != nil {
			return entry{}, errors.New("it does not hold an object")
		}
	}
	servers, ok := file[c.key].(map[string]any)
	if !ok && file[c.key] != nil {
		return entry{}, fmt.Errorf("its %q is not an object", c.key)
	}
	value, there := servers[name]
	if !there {
		return entry{}, nil
	}
	e := entry{there: true}
	if json.Unmarshal([]byte(marshal(value)), &e.Server) != nil || e.Command == "" {
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
		err = errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return root, err
}

// bom is the byte order mark that some editors on Windows write.
const bom = "\xef\xbb\xbf"

// merged returns the members of our entry: those that are there, or else the client's, with the server's.
func (c client) merged(there []byte, s Server) map[string]any {
	all := map[string]any{}
	maps.Copy(all, c.members)
	_ = json.Unmarshal(there, &all) // what is no object is replaced
	all["command"], all["args"] = s.Command, s.Args
	if _, ok := all["env"]; !ok && len(s.Env) > 0 {
		all["env"] = s.Env
	}
	return all
}

// addEntry returns the text of a client's JSON file with our entry. Members of an entry that is there stay.
func addEntry(text []byte, c client, s Server) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	return edited(text, func(root *hujson.Value) error {
		servers, before, err := member(root, c.key, "\n")
		if err != nil {
			return err
		}
		entry, before, err := member(servers, name, before)
		if err != nil {
			return fmt.Errorf("its %q: %w", c.key, err)
		}
		old := entry.Clone()
		old.Standardize()
		body, err := json.MarshalIndent(c.merged(old.Pack(), s), strings.TrimLeft(before, "\r\n"), "  ")
		if err != nil {
			return err
		}
		if strings.HasPrefix(before, "\r") {
			body = bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n"))
		}
		value, err := hujson.Parse(body)
		entry.Value = value.Value
		return err
	})
}

// member returns a member of an object, and the line break and indent before it. A missing one is inserted first in its object, so
// that the comments and commas at its end stay where they are; it is an empty object. outer is the white space before the object's end.
func member(of *hujson.Value, key, outer string) (value *hujson.Value, before string, err error) {
	object, ok := of.Value.(*hujson.Object)
	if !ok {
		return nil, "", errors.New("it is not an object")
	}
	before = outer + "  "
	for i := range object.Members {
		m := &object.Members[i]
		if i == 0 {
			before = lastLine(string(m.Name.BeforeExtra), before)
		}
		if m.Name.Value.(hujson.Literal).String() == key {
			if value != nil {
				return nil, "", fmt.Errorf("it has %q twice, and clients differ in which they read; leave one", key)
			}
			value = &m.Value
		}
	}
	if value != nil {
		return value, before, nil
	}
	if len(object.Members) == 0 && !bytes.Contains(object.AfterExtra, []byte("\n")) {
		object.AfterExtra = append(object.AfterExtra, outer...)
	}
	object.Members = slices.Insert(object.Members, 0, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: hujson.Extra(before), Value: hujson.String(key)},
		Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: &hujson.Object{}}})
	return &object.Members[0].Value, before, nil
}

// lastLine returns the line break and the indent at the end of white space, or a default without one.
func lastLine(space, otherwise string) string {
	end := strings.LastIndexByte(space, '\n')
	if end < 0 {
		return otherwise
	}
	if end > 0 && space[end-1] == '\r' {
		end--
	}
	return space[end:]
}

// removeEntry returns the text of a client's JSON file without our entry.
func removeEntry(text []byte, c client) ([]byte, error) {
	return edited(text, func(root *hujson.Value) error {
		servers, ok := root.Find("/" + c.key).Value.(*hujson.Object)
		if !ok {
			return fmt.Errorf("its %q is not an object", c.key)
		}
		servers.Members = slices.DeleteFunc(servers.Members, func(m hujson.ObjectMember) bool {
			return m.Name.Value.(hujson.Literal).String() == name
		})
		return nil
	})
}

func edited(text []byte, edit func(root *hujson.Value) error) ([]byte, error) {
	root, err := parse(text)
	if err == nil {
		err = edit(&root)
	}
	if err != nil {
		return nil, err
	}
	out := root.Pack()
	if bytes.HasPrefix(text, []byte(bom)) {
		out = append([]byte(bom), out...)
	}
	return out, nil
}
