package install

import "strings"

// Variable is an environment variable that the client sets for the server.
type Variable struct{ Name, Value string }

// setVariable sets a variable of our existing entry, and does not change the others.
func (d *jsonDocument) setVariable(v Variable) ([]byte, error) {
	ours := d.servers.members[d.index].value
	one := field{name: v.Name, value: quoted(v.Value)}
	i, count := ours.find("env")
	switch {
	case count > 1:
		return nil, shapeError("its entry %q has \"env\" %d times, and clients differ in which they read; leave one", Name, count)
	case count == 0:
		return insert(d.text, ours, field{name: "env", fields: []field{one}}, d.layout), nil
	}
	env := ours.members[i].value
	if env.kind != '{' {
		return nil, shapeError("the \"env\" of its entry %q is not an object", Name)
	}
	j, count := env.find(v.Name)
	switch {
	case count > 1:
		return nil, shapeError("its entry %q sets %s %d times, and clients differ in which they read; leave one", Name, v.Name, count)
	case count == 0:
		return insert(d.text, env, one, d.layout), nil
	}
	old := env.members[j].value
	return apply(d.text, splice{old.start, old.end, one.value}), nil
}

// variables returns the names that the entry sets.
func (d *jsonDocument) variables(env value) map[string]string {
	set := map[string]string{}
	for _, m := range env.members {
		if s, isString := d.string(m.value); isString {
			set[m.name] = s
		}
	}
	return set
}

const envTable = "env"

// setVariable sets a variable of our existing entry, in the table below it.
func (d *tomlDocument) setVariable(v Variable) ([]byte, error) {
	if _, ok := d.pair(envTable); ok {
		return nil, shapeError("its entry %q has %q in a form that this command does not edit; write it as a table with a header, [%s.%s.%s]", Name, envTable, d.key, Name, envTable)
	}
	line := v.Name + " = " + tomlQuoted(v.Value) + d.newline
	end := 0
	for _, s := range d.sections {
		switch {
		case len(s.path) == 3 && s.path[2] == envTable:
			for _, p := range s.pairs {
				if len(p.path) == 1 && p.path[0] == v.Name {
					return apply(d.text, splice{p.value.start, p.value.end, tomlQuoted(v.Value)}), nil
				}
			}
			return apply(d.text, d.line(s.end, line)), nil
		case len(s.path) == 2:
			for _, p := range s.pairs {
				if p.path[0] == envTable { // env.NAME = …
					return nil, shapeError("its entry %q has %q in a form that this command does not edit; write it as a table with a header, [%s.%s.%s]", Name, envTable, d.key, Name, envTable)
				}
			}
			end = s.end
		}
	}
	return apply(d.text, d.line(end, d.newline+"["+strings.Join([]string{d.key, Name, envTable}, ".")+"]"+d.newline+line)), nil
}

// line appends lines, and adds a missing line break before them.
func (d *tomlDocument) line(at int, words string) splice {
	if at > 0 && d.text[at-1] != '\n' {
		words = d.newline + words
	}
	return splice{at, at, words}
}

func (d *tomlDocument) variables() map[string]string {
	set := map[string]string{}
	for _, s := range d.sections {
		if len(s.path) == 3 && s.path[2] == envTable {
			for _, p := range s.pairs {
				if len(p.path) == 1 && p.value.text != nil {
					set[p.path[0]] = *p.value.text
				}
			}
		}
	}
	return set
}
