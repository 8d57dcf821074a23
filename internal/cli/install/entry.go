package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
		text = fmt.Appendf(nil, "{\n  %q: {\n  }\n}\n", c.key)
	}
	return edited(text, func(root *hujson.Value) error {
		if root.Find("/"+c.key) == nil {
			if err := set(root, c.key, []byte("{}"), "  "); err != nil {
				return err
			}
		}
		servers := root.Find("/" + c.key)
		var there []byte
		if old := servers.Find("/" + name); old != nil {
			plain := old.Clone()
			plain.Standardize()
			there = plain.Pack()
		}
		body, err := json.MarshalIndent(c.merged(there, s), "    ", "  ")
		if err == nil {
			err = set(servers, name, body, "    ")
		}
		return err
	})
}

// set sets a member of an object. A new one is the last, on a line of its own.
func set(object *hujson.Value, key string, value []byte, indent string) error {
	members, ok := object.Value.(*hujson.Object)
	if !ok {
		return errors.New("it is not an object")
	}
	if err := object.Patch(fmt.Appendf(nil, `[{"op": "add", "path": "/%s", "value": %s}]`, key, value)); err != nil {
		return err
	}
	if last := &members.Members[len(members.Members)-1]; len(last.Name.BeforeExtra) == 0 {
		last.Name.BeforeExtra, last.Value.BeforeExtra = hujson.Extra("\n"+indent), hujson.Extra(" ")
	}
	return nil
}

// removeEntry returns the text of a client's JSON file without our entry.
func removeEntry(text []byte, c client) ([]byte, error) {
	return edited(text, func(root *hujson.Value) error {
		return root.Patch([]byte(`[{"op": "remove", "path": "/` + c.key + "/" + name + `"}]`))
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
