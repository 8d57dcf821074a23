package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"golang.org/x/net/http/httpguts"
)

// Bounds of a file of own channels (chosen).
const (
	maxCustomFile     = 1 << 20 // bytes
	maxCustomChannels = 20      // list_channels returns all of them in one answer of limited size
)

// ReadFile reads the channels that a file describes (docs/channels.md#a-channel-of-your-own). env looks up secrets, which the file refers
// to by variable. The names taken are those of other channels. A mistake in a channel with a name leaves that channel
// unconfigured; other errors are [*FileError].
func ReadFile(file string, content []byte, env func(string) (string, bool), taken []string) ([]channels.Channel, error) {
	whole := func(problem string) error { return &FileError{File: file, Problem: problem} }
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
	var own []channels.Channel
	for i, raw := range described.Channels {
		o, err := readOne(raw, env, taken)
		if wrong, ok := errors.AsType[*FileError](err); ok {
			wrong.File, wrong.Channel = file, o.Name
			if o.Name == "" {
				wrong.Channel = fmt.Sprintf("channels[%d]", i)
				return nil, wrong
			}
			o.Search, o.Missing = nil, wrong.Error() // the other channels stay
		}
		o.Tested = "its user's own tests: it is configured in " + file
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

// described is a channel as the file has it.
type described struct {
	Name        string
	Description string
	GoodFor     []string `json:"good_for"`
	For         []channels.Kind
	Rate        float64
	Entry
}

// readOne reads one channel. With an error it also returns the channel's name, if that is valid.
func readOne(raw json.RawMessage, env func(string) (string, bool), taken []string) (channels.Channel, error) {
	d := described{Rate: 1}
	wrong := json.Unmarshal(raw, &d) // goes on behind a wrong type, so that the name is known
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	wrong = cmp.Or(wrong, dec.Decode(&described{}))
	t := d.Entry
	o := channels.Channel{Description: channels.Description{Parallel: 1, Live: true, RatePerSecond: d.Rate, Description: d.Description,
		GoodFor: d.GoodFor, For: d.For}}
	switch {
	case d.Name == "":
		return o, mistake("name", "missing; use one such as team-search")
	case !ownName.MatchString(d.Name) || len(d.Name) > 40:
		return o, mistake("name", "invalid name %q; use lower-case letters and digits joined by single hyphens, at most 40 characters",
			normal.Clip(d.Name, 60))
	case slices.Contains(taken, d.Name) || d.Name == "auto":
		return o, mistake("name", "%q is taken; choose another", d.Name)
	}
	o.Name = d.Name
	switch {
	case wrong != nil:
		return o, mistake("", "%v; the keys are in docs/channels.md", wrong)
	case o.Description.Description == "":
		return o, mistake("description", "missing; say in a sentence what the channel finds")
	case t.Kind != kindJSON && t.Kind != kindXML && t.Kind != kindFeed:
		return o, mistake("kind", "unknown kind %q; use json, xml, or rss for RSS, Atom and JSON Feed", t.Kind)
	case !docid.ValidSourceType(t.Type):
		return o, mistake("source_type", "unknown source type %q; use one of %s, or leave it out", t.Type,
			strings.Join(docid.SourceTypes(), ", "))
	case !(o.RatePerSecond > 0) || o.RatePerSecond > 100:
		return o, mistake("rate", "invalid rate %v; use a number of requests per second above 0 and up to 100, such as 0.5",
			o.RatePerSecond)
	case t.Kind == kindFeed && t.Paths != nil:
		return o, mistake("paths", "only for json and xml; a feed has fixed fields")
	case t.Kind != kindFeed && t.Paths["title"] == nil:
		return o, mistake("paths.title", "missing; give the path of the title in a record, such as title")
	case t.Kind != kindFeed && t.Paths["url"] == nil && t.Paths["doi"] == nil:
		return o, mistake("paths.url", `missing; give the path of the address in a record, such as url, or "https://example.org/item/{id}"`)
	case t.Address == "":
		return o, mistake("address", "missing; use one such as https://search.example.org/api?q={query}&n={limit}")
	}
	for _, k := range o.For {
		if !slices.Contains(channels.Kinds, k) {
			return o, mistake("for", "unknown kind of question %q; use %s", k, channels.JoinKinds(channels.Kinds, ", "))
		}
	}
	if err := addSecrets(&o, &t, env); err != nil {
		return o, err
	}
	r, err := t.Compile()
	list, _ := t.Paths["list"].(string)
	r.Of = fmt.Sprintf("records at the configured path %q", list)
	o.Again = r.Again
	o.Search, o.URL, o.Hosts, o.SourceTypes = r.Search, r.address.raw, []string{r.address.host}, normal.Distinct(r.Type)
	o.Honours = channels.Filters{Dates: r.takes("since") && r.takes("until"), Language: r.takes("language")}
	return o, err
}

// addSecrets fills secrets from the environment into the address and the headers, and checks the headers.
func addSecrets(o *channels.Channel, t *Entry, env func(string) (string, bool)) (err error) {
	base, _, _ := strings.Cut(t.Address, "?")
	if variable.MatchString(base) {
		return mistake("address", "secret in the host or path; put it into a parameter or a header")
	}
	if t.Address, err = secrets(o, "address", t.Address, env, url.QueryEscape); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(t.Headers)) {
		key, value := "headers."+name, t.Headers[name]
		switch {
		case !httpguts.ValidHeaderFieldName(name) ||
			slices.Contains([]string{"Host", "User-Agent", "Content-Length", "Transfer-Encoding", "Connection"},
				http.CanonicalHeaderKey(name)):
			return mistake(key, "a channel must not set this header; leave it out")
		case secretHeaders.MatchString(name) && !variable.MatchString(value) && !strings.Contains(value, "{key}"):
			return mistake(key, "secret in the file; put it into an environment variable and write ${NAME} here")
		}
		if value, err = secrets(o, key, value, env, func(s string) string { return s }); err != nil {
			return err
		}
		if !httpguts.ValidHeaderFieldValue(value) {
			return mistake(key, "invalid character in the value of a header")
		}
		t.Headers[name] = value
	}
	return nil
}

// secrets replaces ${NAME} with the values of variables. An unset variable leaves the channel unconfigured.
func secrets(o *channels.Channel, key, value string, env func(string) (string, bool), escape func(string) string) (string, error) {
	var wrong error
	filled := variable.ReplaceAllStringFunc(value, func(m string) string {
		name := strings.Trim(m, "${}")
		if !envName.MatchString(name) {
			wrong = mistake(key, "invalid variable %q; use ${NAME}", m)
			return ""
		}
		secret, _ := env(name)
		if secret == "" && o.Missing == "" {
			o.Missing = fmt.Sprintf("set %s, which %q in its file refers to", name, key)
		}
		return escape(secret)
	})
	return filled, wrong
}
