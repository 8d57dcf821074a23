package install

import (
	"bytes"
	"strings"
)

// Reading is a setting of a client that lets its model read a folder without asking the user: an element of a list.
type Reading struct {
	File    string // the client's settings
	Element string // as the user sees it
	keys    []string
}

// Reading returns the setting for a folder, given by its absolute path. Some clients read any file without asking, others
// have no such setting: then it is false, and also for paths that the setting cannot express.
func (c Client) Reading(m Machine, scope Scope, folder string) (Reading, bool) {
	if folder == "" {
		return Reading{}, false
	}
	switch c.Name {
	case "claude-code":
		rule, ok := ReadRule(folder)
		file, known := c.claudeSettings(m, scope)
		return Reading{File: file, Element: "Read(" + rule + ")", keys: []string{"permissions", "allow"}}, ok && known
	case "gemini-cli":
		file, err := c.Path(m, scope)
		return Reading{File: file, Element: folder, keys: []string{"context", "includeDirectories"}}, err == nil
	}
	return Reading{}, false
}

// claudeSettings returns the file with the user's own permissions, for all projects or for this one.
func (c Client) claudeSettings(m Machine, scope Scope) (string, bool) {
	if scope == Project {
		return m.join(m.Dir, ".claude/settings.local.json"), true // the file that is not shared: the folder is this user's
	}
	if dir := m.Env(c.user.variable); m.absolute(dir) {
		return m.join(dir, "settings.json"), true
	}
	path, err := m.place(home + "/.claude/settings.json")
	return path, err == nil
}

// ReadRule returns the pattern of Claude Code's rules for everything in a folder: two slashes and the path as on Unix, so
// that C:\a is //c/a. It is false for a path with characters that have a meaning in patterns.
func ReadRule(folder string) (string, bool) {
	path := strings.ReplaceAll(folder, `\`, "/")
	if len(path) > 1 && path[1] == ':' {
		path = "/" + strings.ToLower(path[:1]) + path[2:]
	}
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "*?[]{}()!\r\n\x00,") {
		return "", false
	}
	return "/" + strings.TrimRight(path, "/") + "/**", true
}

// Add adds the element to the text of the client's settings, which is empty if there is no file, and reports whether it was
// not there yet. It has the errors of [Client.Add].
func (r Reading) Add(text []byte) (out []byte, added bool, err error) {
	root, above, list, err := r.find(text)
	if err != nil {
		return nil, false, err
	}
	if list != nil {
		if r.index(text, *list) >= 0 {
			return text, false, nil
		}
		within := *list
		within.members = list.items
		return r.checked(insert(text, within, field{value: quoted(r.Element)}, layoutOf(text, root)), true)
	}
	missing := field{name: r.keys[len(r.keys)-1], value: quotedList([]string{r.Element})}
	for i := len(r.keys) - 2; i >= len(above)-1 && i >= 0; i-- {
		missing = field{name: r.keys[i], fields: []field{missing}}
	}
	l := layoutOf(text, root)
	if root == nil {
		before := text
		if len(bytes.TrimSpace(bytes.TrimPrefix(before, bom))) == 0 {
			before = nil
		} else if !bytes.HasSuffix(before, []byte("\n")) {
			before = apply(before, splice{len(before), len(before), l.newline})
		}
		whole := field{fields: []field{missing}}.render("", l, false) + l.newline
		return r.checked(apply(before, splice{len(before), len(before), whole}), true)
	}
	return r.checked(insert(text, above[len(above)-1], missing, l), true)
}

// Remove removes the element, and the list and its objects if nothing else is in them. It reports whether it was there.
func (r Reading) Remove(text []byte) (out []byte, removed bool, err error) {
	_, above, list, err := r.find(text)
	if err != nil || list == nil {
		return text, false, err
	}
	i := r.index(text, *list)
	if i < 0 {
		return text, false, nil
	}
	if !alone(text, *list, list.items) {
		within := *list
		within.members = list.items
		return r.checked(remove(text, within, i), false)
	}
	at := len(above) - 1
	for at > 0 && alone(text, above[at], above[at].members) {
		at--
	}
	index, _ := above[at].find(r.keys[at])
	return r.checked(remove(text, above[at], index), false)
}

// alone reports whether an object or a list has one member and nothing else, not even a comment.
func alone(text []byte, v value, members []member) bool {
	if len(members) != 1 {
		return false
	}
	before, after := text[v.start+1:members[0].start], text[members[0].value.end:v.end-1]
	if comma := members[0].comma; comma >= 0 {
		after = bytes.Replace(after, []byte(","), nil, 1)
	}
	return len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0
}

// find returns the objects from the root to the one that has the list, as far as they exist, and the list or nil.
func (r Reading) find(text []byte) (root *value, above []value, list *value, err error) {
	if root, err = parse(text); err != nil || root == nil {
		return root, nil, nil, err
	}
	at := root
	for i, key := range r.keys {
		if at.kind != '{' && i == 0 {
			return nil, nil, nil, shapeError("it does not hold an object")
		}
		if at.kind != '{' {
			return nil, nil, nil, shapeError("its %q is not an object", strings.Join(r.keys[:i], "."))
		}
		above = append(above, *at)
		j, count := at.find(key)
		switch {
		case count > 1:
			return nil, nil, nil, shapeError("it has %q %d times; leave one", strings.Join(r.keys[:i+1], "."), count)
		case count == 0:
			return root, above, nil, nil
		}
		at = &at.members[j].value
	}
	if at.kind != '[' {
		return nil, nil, nil, shapeError("its %q is not a list", strings.Join(r.keys, "."))
	}
	return root, above, at, nil
}

// index returns the position of the element in the list, or -1.
func (r Reading) index(text []byte, list value) int {
	for i, e := range list.elements {
		if s, isString := (&jsonDocument{text: text}).string(e); isString && s == r.Element {
			return i
		}
	}
	return -1
}

// checked returns an edited text, if the element is in it or not, as it should be.
func (r Reading) checked(text []byte, want bool) ([]byte, bool, error) {
	_, _, list, err := r.find(text)
	if err != nil || (list != nil && r.index(text, *list) >= 0) != want {
		return nil, false, errUncertain
	}
	return text, true, nil
}
