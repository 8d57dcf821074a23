package clients

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
)

// plainVariables returns the settings that may be written to a client's file.
func plainVariables() []string {
	names := []string{
		"CITELOOP_ALLOW_PRIVATE", "CITELOOP_BROWSER", "CITELOOP_BROWSER_NO_SANDBOX", "CITELOOP_CACHE", "CITELOOP_CHANNELS", "CITELOOP_CONTACT", "CITELOOP_COPIES",
		"CITELOOP_NEAR_DUPLICATE", "CITELOOP_READER_MODEL", "CITELOOP_READER_URL", "CITELOOP_REPORT_WORDS", "CITELOOP_SNAPSHOTS",
		"CITELOOP_ZOTERO",
	}
	for _, name := range source.Names() {
		prefix := "CITELOOP_" + channels.EnvName(name)
		names = append(names, prefix+"_RATE", prefix+"_URL")
	}
	return names
}

// keyVariables returns the settings that are secrets.
func keyVariables() []string {
	names := []string{"CITELOOP_READER_KEY"}
	for _, name := range source.Names() {
		names = append(names, "CITELOOP_"+channels.EnvName(name)+"_KEY")
	}
	return names
}

// namedVariables returns the variables of --env with their current values.
func namedVariables(p console.Process, names []string) ([]install.Variable, error) {
	var out []install.Variable
	for _, name := range names {
		value := p.Env(name)
		flag := "--" + strings.ToLower(strings.TrimPrefix(name, "CITELOOP_"))
		switch {
		case slices.Contains([]string{"--corpus", "--data", "--folders", "--store", "--log"}, flag):
			return nil, fmt.Errorf("invalid --env %s: use %s", name, flag)
		case strings.HasSuffix(name, "_KEY"):
			return nil, fmt.Errorf("invalid --env %s: it is a secret, which would be readable in the client's file; if only you can read that file, add it to the entry by hand", name)
		case !slices.Contains(plainVariables(), name):
			return nil, fmt.Errorf("unknown setting --env %s: use %s, or CITELOOP_<SOURCE>_URL and _RATE", name, strings.Join(plainVariables()[:13], ", "))
		case value == "":
			return nil, fmt.Errorf("missing value of --env %s: set it, as in %s=… citeloop install", name, name)
		case hasUserInfo(value):
			return nil, fmt.Errorf("invalid --env %s: its password would be readable in the client's file; if only you can read that file, add it to the entry by hand", name)
		}
		if !slices.Contains(out, install.Variable{Name: name, Value: value}) {
			out = append(out, install.Variable{Name: name, Value: value})
		}
	}
	return out, nil
}

// hasUserInfo reports whether an address contains a password, or a text that may be one.
func hasUserInfo(value string) bool {
	u, err := url.Parse(value)
	if err != nil {
		return strings.Contains(value, "://") && strings.Contains(value, "@")
	}
	return u.Host != "" && u.User != nil || u.Query().Has("key") || u.Query().Has("api_key") || u.Query().Has("token") || u.Query().Has("password")
}

func lookupIn(variables []install.Variable) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, v := range variables {
			if v.Name == name {
				return v.Value, true
			}
		}
		return "", false
	}
}

// listUnwrittenVariables names the variables that are set here and were not written, without their values.
func listUnwrittenVariables(p console.Process, written []install.Variable) {
	missing := func(names []string) (set []string) {
		for _, name := range names {
			if p.Env(name) != "" && !slices.ContainsFunc(written, func(v install.Variable) bool { return v.Name == name }) {
				set = append(set, name)
			}
		}
		return set
	}
	for _, name := range missing(plainVariables()) {
		fmt.Fprintf(p.Stderr, "%s is set here, but the client may not see it; use --env %s to write it into the entry.\n", name, name)
	}
	for _, name := range missing(keyVariables()) {
		fmt.Fprintf(p.Stderr, "%s is set here, but the client may not see it; keys are not written, so add it to the entry's env by hand if only you can read the client's file.\n", name)
	}
}
