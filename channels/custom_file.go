package channels

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Bounds of a file of own channels (chosen).
const (
	maxCustomFile     = 1 << 20 // bytes
	maxCustomChannels = 20      // list_channels returns all of them in one answer of limited size
)

// CustomError is a mistake in a file of own channels.
type CustomError struct {
	File    string
	Channel string // its name, or its index: "channels[0]"; "" = the whole file
	Key     string // "paths.title"; "" = the whole channel
	Problem string // the problem and the remedy
}

func (e *CustomError) Error() string {
	place := e.File
	for _, part := range []string{e.Channel, e.Key} {
		if part != "" {
			place += ": " + part
		}
	}
	return place + ": " + e.Problem
}

// ReadCustom reads the channels that a file describes (docs/own-channel.md). env looks up secrets, which the file refers
// to by variable. Errors are [*CustomError].
func ReadCustom(file string, content []byte, env func(string) (string, bool)) ([]Custom, error) {
	whole := func(problem string) error { return &CustomError{File: file, Problem: problem} }
	if len(content) > maxCustomFile {
		return nil, whole(fmt.Sprintf("larger than %d kB", maxCustomFile>>10))
	}
	var described struct {
		Channels []json.RawMessage `json:"channels"`
	}
	dec := json.NewDecoder(bytes.NewReader(content))
	dec.DisallowUnknownFields()
	switch err := dec.Decode(&described); {
	case err != nil:
		return nil, whole(fmt.Sprintf(`not JSON of the form {"channels": [{…}, …]}: %v`, err))
	case len(described.Channels) == 0:
		return nil, whole(`"channels" is empty; describe one, or leave the file out`)
	case len(described.Channels) > maxCustomChannels:
		return nil, whole(fmt.Sprintf("too many channels: %d; use at most %d", len(described.Channels), maxCustomChannels))
	}
	var own []Custom
	for i, raw := range described.Channels {
		o, err := readOne(raw, env)
		if wrong, ok := errors.AsType[*CustomError](err); ok {
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
	ownName  = lazyregexp.New(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	variable = lazyregexp.New(`\$\{([^{}]*)\}`)
	// secretHeaders carry secrets, which must not be in a file.
	secretHeaders = lazyregexp.New(`(?i)^(authorization|proxy-authorization|cookie)$|key|token|secret|password`)
	envName       = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func mistake(key, format string, args ...any) error {
	return &CustomError{Key: key, Problem: fmt.Sprintf(format, args...)}
}

// readOne reads one channel. With an error it also returns the channel's name, if that is valid.
func readOne(raw json.RawMessage, env func(string) (string, bool)) (Custom, error) {
	o := Custom{rate: 1, headers: http.Header{}}
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
	o.name = "" // until it is validated
	switch {
	case given == "":
		return o, mistake("name", "missing; use one such as team-search")
	case !ownName.MatchString(given) || len(given) > 40:
		return o, mistake("name", "invalid name %q; use lower-case letters and digits joined by single hyphens, at most 40 characters", clip(given, 60))
	case known(given) || given == "auto":
		return o, mistake("name", "%q is taken; choose another", given)
	}
	o.name = given
	switch {
	case o.description == "":
		return o, mistake("description", "missing; say in a sentence what the channel finds")
	case kind != "json" && kind != "rss":
		return o, mistake("kind", "unknown kind %q; use json, or rss for RSS, Atom and JSON Feed", kind)
	case !docid.ValidSourceType(o.sourceType):
		return o, mistake("source_type", "unknown source type %q; use one of %s, or leave it out", o.sourceType, strings.Join(docid.SourceTypes(), ", "))
	case !(o.rate > 0) || o.rate > 100:
		return o, mistake("rate", "invalid rate %v; use a number of requests per second above 0 and up to 100, such as 0.5", o.rate)
	}
	for _, k := range o.kinds {
		if !slices.Contains(kinds, k) {
			return o, mistake("for", "unknown kind of question %q; use %s", k, joinKinds(kinds, ", "))
		}
	}
	o.feed = kind == "rss"
	if err := o.readPaths(paths); err != nil {
		return o, err
	}
	return o, o.readAddress(address, headers, env)
}

func (o *Custom) readPaths(paths map[string]json.RawMessage) error {
	if o.feed {
		if paths != nil {
			return mistake("paths", "only for kind json; a feed has fixed fields")
		}
		return nil
	}
	raw, err := json.Marshal(paths)
	if err != nil {
		return mistake("paths", "invalid paths: %v", err)
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
		return mistake("paths.title", "missing; give the path of the title in a record, such as title")
	case p.URL == "" && p.DOI == "":
		return mistake("paths.url", `missing; give the path of the address in a record, such as url, or "https://example.org/item/{id}"`)
	}
	return nil
}

// readAddress reads the address and the headers and fills in secrets from the environment.
func (o *Custom) readAddress(address string, headers map[string]string, env func(string) (string, bool)) (err error) {
	if address == "" {
		return mistake("address", "missing; use one such as https://search.example.org/api?q={query}&n={limit}")
	}
	base, _, _ := strings.Cut(address, "?")
	if variable.MatchString(base) {
		return mistake("address", "secret in the host or path; put it into a parameter or a header")
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
			return mistake(key, "a channel must not set this header; leave it out")
		case secretHeaders.MatchString(name) && !variable.MatchString(value):
			return mistake(key, "secret in the file; put it into an environment variable and write ${NAME} here")
		}
		if value, err = o.secrets(key, value, env, func(s string) string { return s }); err != nil {
			return err
		}
		if !httpguts.ValidHeaderFieldValue(value) {
			return mistake(key, "invalid character in the value of a header")
		}
		o.headers.Set(name, value)
	}
	return nil
}

// secrets replaces ${NAME} with the values of variables. An unset variable leaves the channel unconfigured.
func (o *Custom) secrets(key, value string, env func(string) (string, bool), escape func(string) string) (string, error) {
	var wrong error
	filled := variable.ReplaceAllStringFunc(value, func(m string) string {
		name := strings.Trim(m, "${}")
		if !envName.MatchString(name) {
			wrong = mistake(key, "invalid variable %q; use ${NAME}", m)
			return ""
		}
		secret, _ := env(name)
		if secret == "" && o.missing == "" {
			o.missing = fmt.Sprintf("set %s, which %q in its file refers to", name, key)
		}
		return escape(secret)
	})
	return filled, wrong
}

// fields decodes the keys of an object into their places. The error for an unknown key lists the valid ones.
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
	if len(unknown) > 0 { // last, because the error includes the channel's name
		return mistake(prefix+unknown[0], "unknown key; use %s", strings.Join(slices.Sorted(maps.Keys(places)), ", "))
	}
	return nil
}
