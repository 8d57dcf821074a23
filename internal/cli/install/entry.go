package install

import (
	"bytes"
	"cmp"
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
	members any  // all of it; nil if it is not there
	ours    bool // it starts this program, or another citeloop, as a server
}

// read returns our entry in the text of a client's file. self is the path of this program.
func (c client) read(text []byte, self string) (e entry, err error) {
	var file map[string]any
	if c.toml() {
		err = toml.Unmarshal(text, &file)
	} else if len(bytes.TrimSpace(text)) > 0 {
		text, err = hujson.Standardize(bytes.Clone(text)) // which changes the bytes
		err = cmp.Or(err, json.Unmarshal(text, &file))
	}
	servers, ok := file[c.key].(map[string]any)
	if err != nil {
		return e, err
	} else if !ok && file[c.key] != nil {
		return e, fmt.Errorf("its %q is not an object", c.key)
	}
	e.members = servers[name]
	if json.Unmarshal([]byte(marshal(e.members)), &e.Server) != nil { // another program's
		return entry{members: e.members}, nil
	}
	program := strings.TrimSuffix(strings.ToLower(e.Command[strings.LastIndexAny(e.Command, `/\`)+1:]), ".exe")
	e.ours = len(e.Args) > 0 && e.Args[0] == "serve" && (e.Command == self || program == name)
	return e, nil
}

// merged returns the members of our entry: those that are there, or else the client's, with the server's.
func (c client) merged(there any, s Server) map[string]any {
	all := map[string]any{}
	maps.Copy(all, c.members)
	if old, ok := there.(map[string]any); ok {
		maps.Copy(all, old)
	}
	all["command"], all["args"] = s.Command, s.Args
	return all
}

// added returns the text of a client's JSON file with our entry. Members of an entry that is there stay.
func (c client) added(text []byte, s Server) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = fmt.Appendf(nil, "{\n  %q: {\n  }\n}\n", c.key)
	}
	old, err := c.read(text, "")
	if err != nil {
		return nil, err
	}
	root, err := hujson.Parse(bytes.Clone(text))
	if err == nil && root.Find("/"+c.key) == nil {
		err = set(&root, c.key, []byte("{}"), "  ")
	}
	body, failed := json.MarshalIndent(c.merged(old.members, s), "    ", "  ")
	if err = errors.Join(err, failed); err == nil {
		err = set(root.Find("/"+c.key), name, body, "    ")
	}
	return root.Pack(), err
}

// set sets a member of an object. A new one is the last, on a line of its own.
func set(object *hujson.Value, key string, value []byte, indent string) error {
	if err := object.Patch(fmt.Appendf(nil, `[{"op": "add", "path": "/%s", "value": %s}]`, key, value)); err != nil {
		return err
	}
	members := object.Value.(*hujson.Object).Members
	if last := &members[len(members)-1]; len(last.Name.BeforeExtra) == 0 {
		last.Name.BeforeExtra, last.Value.BeforeExtra = hujson.Extra("\n"+indent), hujson.Extra(" ")
	}
	return nil
}

// removed returns the text of a client's JSON file without our entry.
func (c client) removed(text []byte) ([]byte, error) {
	root, err := hujson.Parse(bytes.Clone(text))
	if err == nil {
		err = root.Patch([]byte(`[{"op": "remove", "path": "/` + c.key + "/" + name + `"}]`))
	}
	return root.Pack(), err
}
