package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var (
	ownName  = lazyregexp.New(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	variable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
)

// ReadFile reads the channels that a user's file describes (docs/channels.md#a-channel-of-your-own). env looks up the variables
// that it refers to. The names taken are those of other channels. A mistake in a channel with a name leaves that channel
// unconfigured; an error is one of the whole file.
func ReadFile(file string, content []byte, env func(string) (string, bool), taken []string) ([]channels.Channel, error) {
	whole := func(format string, args ...any) error { return fmt.Errorf(file+": "+format, args...) }
	var given struct{ Channels []map[string]any }
	dec := json.NewDecoder(bytes.NewReader(content))
	dec.DisallowUnknownFields()
	if dec.Decode(&given) != nil || len(given.Channels) == 0 {
		return nil, whole(`not JSON of the form {"channels": [{…}, …]}`)
	}
	var own []channels.Channel
	for i, one := range given.Channels {
		name, _ := one["name"].(string)
		switch {
		case !ownName.MatchString(name) || len(name) > 40:
			return nil, whole("channels[%d]: invalid name %q; use lower-case letters and digits joined by single hyphens, at most 40 "+
				"characters, such as team-search", i, normal.Clip(name, 60))
		case slices.Contains(taken, name) || name == "auto":
			return nil, whole("channels[%d]: name %q is taken; choose another", i, name)
		}
		e, err := readOwn(name, one, env)
		e.Tested = "its user's own tests: it is configured in " + file
		if err != nil {
			e.Missing, e.Needs = fmt.Sprintf("%s: %s: %s", file, name, strings.TrimPrefix(err.Error(), "json: ")), ""
		}
		own = append(own, e.channel())
	}
	return own, nil
}

// readOwn reads one channel. It has the keys of the built-in ones, or in place of "url", "path" and "params" an address.
func readOwn(name string, given map[string]any, env func(string) (string, bool)) (entry, error) {
	missing := ""
	fill := func(key string, text any, escape func(string) string) string {
		said, _ := text.(string)
		return variable.ReplaceAllStringFunc(said, func(m string) string {
			secret, _ := env(m[2 : len(m)-1])
			if secret == "" {
				missing = fmt.Sprintf("set %s, which %q in its file refers to", m[2:len(m)-1], key)
			}
			return escape(secret)
		})
	}
	address := given["address"] != nil
	if address {
		splitAddress(given, fill("address", given["address"], url.QueryEscape))
	}
	if headers, ok := given["headers"].(map[string]any); ok {
		for key, value := range headers {
			headers[key] = fill("headers."+key, value, func(secret string) string { return secret })
		}
	}
	if given["kind"] == kindFeed { // its paths are those of feeds.toml
		feed := map[string]any{}
		text, _ := files.ReadFile("feeds.toml") // embedded
		_ = toml.Unmarshal(text, &feed)         // see catalog
		given["paths"], given["none"] = feed["paths"], feed["none"]
	}
	e, err := decodeEntry(name, given)
	e.Live, e.Parallel, e.RatePerSecond, e.Missing = true, 1, cmp.Or(e.RatePerSecond, 1), missing
	e.Of, e.SourceTypes = cmp.Or(e.Of, "records at the configured path"), normal.Distinct(e.Type)
	if address {
		e.Honours = channels.Filters{Dates: e.takes("since") && e.takes("until"), Language: e.takes("language")}
	}
	return e, cmp.Or(err, e.ownMistake())
}

// splitAddress replaces an address by its parts: a URL, path elements if one has a placeholder, and parameters.
func splitAddress(given map[string]any, address string) {
	delete(given, "address")
	base, query, _ := strings.Cut(address, "?")
	scheme, rest, _ := strings.Cut(base, "//")
	if host, path, _ := strings.Cut(rest, "/"); strings.Contains(path, "{") {
		var elements []any
		for element := range strings.SplitSeq(path, "/") {
			elements = append(elements, element)
		}
		base, given["path"] = scheme+"//"+host, elements
	}
	params := map[string]any{}
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if text, err := url.QueryUnescape(value); err == nil {
			value = text
		}
		if key != "" {
			params[key] = value
		}
	}
	given["url"], given["params"] = base, params
}

// ownMistake returns what an own channel lacks that a built-in one may lack, with the remedy.
func (e entry) ownMistake() error {
	u, err := url.Parse(strings.ReplaceAll(e.URL, "{lang}", "en"))
	switch {
	case e.Description.Description == "":
		return errors.New("description: missing; say in a sentence what the channel finds")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || strings.Contains(u.Host, "{"):
		return errors.New("address: not an http or https address without a placeholder or a user in its host; use one such as " +
			"https://search.example.org/api?q={query}&n={limit}")
	case !e.recipe():
		return errors.New("paths.title: missing; give the path of the title in a record, such as title")
	case !(e.RatePerSecond > 0) || e.RatePerSecond > 100:
		return fmt.Errorf("rate: invalid rate %v; use a number of requests per second above 0 and up to 100, such as 0.5", e.RatePerSecond)
	}
	for _, kind := range e.For {
		if !slices.Contains(channels.Kinds, kind) {
			return fmt.Errorf("for: unknown kind of question %q; use %s", kind, channels.JoinKinds(channels.Kinds, ", "))
		}
	}
	return nil
}
