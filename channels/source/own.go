package source

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

var ownName = lazyregexp.New(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// ReadFile reads a channel of the user's own (docs/channels.md#a-channel-of-your-own), whose name is that of its file. The names
// taken are those of other channels. A mistake in the text leaves the channel unconfigured; an error is one of the name.
func ReadFile(file string, text []byte, taken []string) (channels.Channel, error) {
	name, isTOML := strings.CutSuffix(filepath.Base(file), ".toml")
	switch {
	case !isTOML:
		return channels.Channel{}, fmt.Errorf("%s: a channel of your own is a TOML file (docs/channels.md#a-channel-of-your-own)", file)
	case !ownName.MatchString(name) || len(name) > 40:
		return channels.Channel{}, fmt.Errorf("%s: invalid name %q; use lower-case letters and digits joined by single hyphens, at "+
			"most 40 characters", file, normal.Clip(name, 60))
	case slices.Contains(taken, name) || name == "auto":
		return channels.Channel{}, fmt.Errorf("%s: the name %q is taken; choose another", file, name)
	}
	e, err := readEntry(name, text)
	e.Live, e.Tested, e.KeyFrom = true, "its user's own tests: it is configured in "+file, cmp.Or(e.KeyFrom, "for "+file)
	e.RatePerSecond, e.Parallel, e.Of = cmp.Or(e.RatePerSecond, 1), 1, cmp.Or(e.Of, "records at the configured path")
	if e.SourceTypes == nil {
		e.SourceTypes = normal.Distinct(e.Type)
	}
	if err == nil {
		err = e.ownMistake()
	}
	if err != nil {
		e.Missing, e.Needs = fmt.Sprintf("%s: %s", file, strings.TrimPrefix(err.Error(), "json: ")), ""
	}
	return e.channel(), nil
}

// ownMistake returns what an own channel lacks that a built-in one may lack, with the remedy.
func (e entry) ownMistake() error {
	u, err := url.Parse(strings.ReplaceAll(e.URL, "{lang}", "en"))
	switch {
	case e.Description.Description == "":
		return errors.New("description is missing; say in a sentence what the channel finds")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(u.String(), "{}"):
		return errors.New("url is not an http or https address without placeholders; use one such as https://search.example.org/api, and " +
			"params = {q = \"{query}\"}")
	case !e.recipe():
		return errors.New("paths.title is missing; give the path of the title in a record, such as title")
	case e.RatePerSecond < 0 || e.RatePerSecond > 100:
		return fmt.Errorf("invalid rate %v; use a number of requests per second up to 100, such as 0.5", e.RatePerSecond)
	}
	for _, kind := range e.For {
		if !slices.Contains(channels.Kinds, kind) {
			return fmt.Errorf("unknown kind of question %q in for; use %s", kind, channels.JoinKinds(channels.Kinds, ", "))
		}
	}
	return nil
}
