package channels

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/citeloop/citeloop/loopstate"
)

// Bounds of a file of own channels (chosen).
const (
	maxOwnFile     = 1 << 20 // bytes
	maxOwnChannels = 20      // list_channels answers all of them, within what an answer may weigh
)

// OwnError is a mistake in a file of own channels.
type OwnError struct {
	File    string
	Channel string // its name, or its place in the list: "channels[0]"; "" = the file as a whole
	Key     string // "paths.title"; "" = the channel as a whole
	Problem string // what is wrong, and what to write
}

func (e *OwnError) Error() string {
	place := e.File
	for _, part := range []string{e.Channel, e.Key} {
		if part != "" {
			place += ": " + part
		}
	}
	return place + ": " + e.Problem
}

// ReadOwn reads the channels that a file describes (docs/own-channel.md). env looks secrets up, which the file gives by
// the names of their variables alone. Errors are [*OwnError].
func ReadOwn(file string, content []byte, env func(string) (string, bool)) ([]Own, error) {
	whole := func(problem string) error { return &OwnError{File: file, Problem: problem} }
	if len(content) > maxOwnFile {
		return nil, whole(fmt.Sprintf("it is larger than %d kB", maxOwnFile>>10))
	}
	var described struct {
		Channels []json.RawMessage `json:"channels"`
	}
	dec := json.NewDecoder(bytes.NewReader(content))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&described); {
	case err != nil:
		return nil, whole(fmt.Sprintf(`it is not JSON of the form {"channels": [{…}, …]}: %v`, err))
	case len(described.Channels) == 0:
		return nil, whole(`"channels" is empty; describe one, or leave the file out`)
	case len(described.Channels) > maxOwnChannels:
		return nil, whole(fmt.Sprintf("it describes %d channels; at most %d", len(described.Channels), maxOwnChannels))
	}
	var own []Own
	for i, raw := range described.Channels {
		o, err := readOne(raw, env)
		if wrong, ok := errors.AsType[*OwnError](err); ok {
			wrong.File = file
			if wrong.Channel = o.name; !ownName.MatchString(o.name) || len(o.name) > 40 {
				wrong.Channel = fmt.Sprintf("channels[%d]", i)
			}
			return nil, wrong
		}
		o.from = file
		own = append(own, o)
	}
	return own, nil
}

var (
	ownName  = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	variable = regexp.MustCompile(`\$\{([^{}]*)\}`)
	// secretHeaders carry secrets, which must not be in a file.
	secretHeaders = regexp.MustCompile(`(?i)^(authorization|proxy-authorization|cookie)$|key|token|secret|password`)
	envName       = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func mistake(key, format string, args ...any) error {
	return &OwnError{Key: key, Problem: fmt.Sprintf(format, args...)}
}

// readOne reads one channel. What it returns beside an error has a name where that could be read.
func readOne(raw json.RawMessage, env func(string) (string, bool)) (Own, error) {
	o := Own{rate: 1, headers: http.Header{}}
	var kind, address string
	var headers map[string]string
	var paths map[string]json.RawMessage
	err := fields(raw, "", map[string]any{
		"name": &o.name, "description": &o.description, "kind": &kind, "address": &address, "headers": &headers, "paths": &paths,
		"source_type": &o.sourceType, "good_for": &o.goodFor, "for": &o.kinds, "rate": &o.rate,
	})
	if err != nil {
		return o, err
	}
	given := o.name
	o.name = "" // until it is known to be one
	switch {
	case given == "":
		return o, mistake("name", "is missing; write one such as team-search")
	case !ownName.MatchString(given) || len(given) > 40:
		return o, mistake("name", "%q is no name; use small letters and digits, joined by single hyphens, 40 at most", clip(given, 60))
	case known(given) || given == "auto":
		return o, mistake("name", "%q is taken; choose another", given)
	}
	o.name = given
	switch {
	case o.description == "":
		return o, mistake("description", "is missing; say in a sentence what the channel finds")
	case kind != "json" && kind != "rss":
		return o, mistake("kind", "%q is not known; write json, or rss for RSS, Atom and JSON Feed", kind)
	case !loopstate.ValidSourceType(o.sourceType):
		return o, mistake("source_type", "%q is not known; write one of %s, or leave it out", o.sourceType, strings.Join(loopstate.SourceTypes(), ", "))
	case !(o.rate > 0) || o.rate > 100:
		return o, mistake("rate", "%v is not a number of requests per second above 0 and up to 100, such as 0.5", o.rate)
	}
	for _, k := range o.kinds {
		if !slices.Contains(kinds, k) {
			return o, mistake("for", "%q is not a kind of question; write any of %s", k, kindList())
		}
	}
	o.feed = kind == "rss"
	if err := o.readPaths(paths); err != nil {
		return o, err
	}
	return o, o.readAddress(address, headers, env)
}

func (o *Own) readPaths(paths map[string]json.RawMessage) error {
	if o.feed {
		if paths != nil {
			return mistake("paths", "is for kind json; a feed says itself where things are")
		}
		return nil
	}
	raw, err := json.Marshal(paths)
	if err != nil {
		return mistake("paths", "cannot be read: %v", err)
	}
	p := &o.paths
	if err := fields(raw, "paths.", map[string]any{
		"list": &p.List, "title": &p.Title, "url": &p.URL, "snippet": &p.Snippet, "date": &p.Date, "authors": &p.Authors,
		"doi": &p.DOI, "language": &p.Language, "error": &p.Error,
	}); err != nil {
		return err
	}
	switch {
	case p.Title == "":
		return mistake("paths.title", "is missing; write where in one record its title is, such as title")
	case p.URL == "" && p.DOI == "":
		return mistake("paths.url", `is missing; write where in one record its address is, such as url, or "https://example.org/item/{id}"`)
	}
	return nil
}

// readAddress reads the address and the headers, and puts the secrets of the environment into them.
func (o *Own) readAddress(address string, headers map[string]string, env func(string) (string, bool)) (err error) {
	if address == "" {
		return mistake("address", "is missing; write one such as https://search.example.org/api?q={query}&n={limit}")
	}
	base, _, _ := strings.Cut(address, "?")
	if variable.MatchString(base) {
		return mistake("address", "a secret may be in its parameters or in a header, not in its host or path")
	}
	if address, err = o.secrets("address", address, env, url.QueryEscape); err != nil {
		return err
	}
	if o.address, err = parseAddress(address); err != nil {
		return mistake("address", "%v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		key, value := "headers."+name, headers[name]
		switch {
		case !httpguts.ValidHeaderFieldName(name) || slices.Contains([]string{"Host", "User-Agent", "Content-Length", "Transfer-Encoding", "Connection"}, http.CanonicalHeaderKey(name)):
			return mistake(key, "is no header that a channel may set; leave it out")
		case secretHeaders.MatchString(name) && !variable.MatchString(value):
			return mistake(key, "secrets stay out of files: put it into an environment variable, and write ${NAME} of it here")
		}
		if value, err = o.secrets(key, value, env, func(s string) string { return s }); err != nil {
			return err
		}
		if !httpguts.ValidHeaderFieldValue(value) {
			return mistake(key, "holds a character that no header may hold")
		}
		o.headers.Set(name, value)
	}
	return nil
}

// secrets puts the values of variables in place of their names. One that is not set leaves the channel unconfigured.
func (o *Own) secrets(key, value string, env func(string) (string, bool), escape func(string) string) (string, error) {
	var wrong error
	filled := variable.ReplaceAllStringFunc(value, func(m string) string {
		name := strings.Trim(m, "${}")
		if !envName.MatchString(name) {
			wrong = mistake(key, "%q names no environment variable; write ${NAME}", m)
			return ""
		}
		secret, _ := env(name)
		if secret == "" && o.missing == "" {
			o.missing = fmt.Sprintf("set %s, which its %s in the file names", name, key)
		}
		return escape(secret)
	})
	return filled, wrong
}

// fields reads the keys of an object into their places. An unknown key is an error that lists those there are.
func fields(raw json.RawMessage, prefix string, places map[string]any) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return mistake(strings.TrimSuffix(prefix, "."), "must be an object: {…}")
	}
	var unknown []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		place, ok := places[key]
		if !ok {
			unknown = append(unknown, key)
			continue
		}
		if err := json.Unmarshal(object[key], place); err != nil {
			want := "a text in quotes"
			switch place.(type) {
			case *float64:
				want = "a number"
			case *[]string, *[]Kind:
				want = `a list of texts: ["…", "…"]`
			case *map[string]string:
				want = `an object of texts: {"Name": "value"}`
			case *map[string]json.RawMessage:
				want = "an object: {…}"
			}
			return mistake(prefix+key, "must be %s", want)
		}
	}
	if len(unknown) > 0 { // last, so that the name is read that the error names
		return mistake(prefix+unknown[0], "is not a key; there are %s", strings.Join(slices.Sorted(maps.Keys(places)), ", "))
	}
	return nil
}
