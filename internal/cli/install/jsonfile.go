package install

import (
	"bytes"
	"encoding/json"
)

// jsonDocument is a JSON file with or without comments. Its member key contains the servers by name.
type jsonDocument struct {
	text    []byte
	key     string
	typed   bool
	eager   bool
	layout  layout
	root    *value // nil: the file is empty or has only comments
	servers *value // nil: there is no such member yet
	index   int    // of our entry in servers, or -1
}

func openJSON(text []byte, c Client) (document, error) {
	key := c.key
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	d := &jsonDocument{text: text, key: key, typed: c.typed, eager: c.eager, layout: layoutOf(text, root), root: root, index: -1}
	if root == nil {
		return d, nil
	}
	if root.kind != '{' {
		return nil, shapeError("it does not hold an object")
	}
	i, count := root.find(key)
	switch {
	case count > 1:
		return nil, shapeError("it has %q %d times, and clients differ in which they read; leave one", key, count)
	case count == 0:
		return d, nil
	}
	d.servers = &root.members[i].value
	if d.servers.kind != '{' {
		return nil, shapeError("its %q is not an object", key)
	}
	if d.index, count = d.servers.find(Name); count > 1 {
		return nil, shapeError("it has %q %d times, and clients differ in which they read; leave one", key+"."+Name, count)
	}
	return d, nil
}

func (d *jsonDocument) entry() (entry, bool) {
	if d.index < 0 {
		return entry{}, false
	}
	v := d.servers.members[d.index].value
	var e entry
	for _, m := range v.members {
		switch s, isString := d.string(m.value); m.name {
		case "command":
			if e.command = nil; isString {
				e.command = &s
			}
		case "args":
			e.args = nil
			for _, element := range m.value.elements {
				arg, isString := d.string(element)
				e.args, e.odd = append(e.args, arg), e.odd || !isString
			}
			e.odd = e.odd || m.value.kind != '['
		case alwaysLoad:
			e.eager = true
		case "type":
			e.odd = e.odd || s != "stdio"
		case "env":
			e.env = d.variables(m.value)
		case "url", "httpUrl", "serverUrl":
			e.url = s
		}
	}
	return e, true
}

const alwaysLoad = "alwaysLoad"

func (d *jsonDocument) string(v value) (s string, isString bool) {
	if v.kind != '"' {
		return "", false
	}
	return s, json.Unmarshal(d.text[v.start:v.end], &s) == nil
}

func (d *jsonDocument) field(s Server) field {
	f := field{name: Name}
	if d.typed {
		f.fields = append(f.fields, field{name: "type", value: quoted("stdio")})
	}
	f.fields = append(f.fields, field{name: "command", value: quoted(s.Command)}, field{name: "args", value: quotedList(s.Args)})
	if d.eager {
		f.fields = append(f.fields, field{name: alwaysLoad, value: "true"})
	}
	return f
}

func (d *jsonDocument) add(s Server) []byte {
	servers := field{name: d.key, fields: []field{d.field(s)}}
	switch {
	case d.root == nil:
		before := d.text
		if len(bytes.TrimSpace(bytes.TrimPrefix(before, bom))) == 0 {
			before = nil
		} else if !bytes.HasSuffix(before, []byte("\n")) {
			before = apply(before, splice{len(before), len(before), d.layout.newline})
		}
		whole := field{fields: []field{servers}}.render("", d.layout, false) + d.layout.newline
		return apply(before, splice{len(before), len(before), whole})
	case d.servers == nil:
		return insert(d.text, *d.root, servers, d.layout)
	}
	return insert(d.text, *d.servers, d.field(s), d.layout)
}

// update sets the command and the arguments of our entry, and alwaysLoad if the client supports it and the entry does not
// set it.
func (d *jsonDocument) update(s Server) []byte {
	v := d.servers.members[d.index].value
	text := d.text
	if i, _ := v.find(alwaysLoad); d.eager && i < 0 { // after the changes below, so that their offsets stay valid
		text = insert(text, v, field{name: alwaysLoad, value: "true"}, d.layout)
	}
	var splices []splice
	for _, f := range []field{{name: "command", value: quoted(s.Command)}, {name: "args", value: quotedList(s.Args)}} {
		if i, _ := v.find(f.name); i >= 0 {
			splices = append(splices, splice{v.members[i].value.start, v.members[i].value.end, f.value})
		}
	}
	return apply(text, splices...)
}

func (d *jsonDocument) without() []byte {
	return remove(d.text, *d.servers, d.index)
}
