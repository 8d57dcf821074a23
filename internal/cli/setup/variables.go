package setup

import (
	"slices"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
)

// variables are the settings of the environment, but for those of single channels. docs/settings.md explains them.
var variables = []string{
	"CITELOOP_ALLOW_PRIVATE", "CITELOOP_BROWSER", "CITELOOP_BROWSER_NO_SANDBOX", "CITELOOP_CACHE", "CITELOOP_CHANNELS", "CITELOOP_CONTACT",
	"CITELOOP_COPIES", "CITELOOP_CORPUS", "CITELOOP_DATA", "CITELOOP_FOLDERS", "CITELOOP_LOG", "CITELOOP_READER_KEY",
	"CITELOOP_READER_MODEL", "CITELOOP_READER_URL", "CITELOOP_STORE", "CITELOOP_ZOTERO",
}

// Variables returns the settings of the environment that a server reads, sorted, with the keys and addresses of channels.
func Variables() []string {
	all := slices.Clone(variables)
	for _, name := range source.Names() {
		prefix := "CITELOOP_" + channels.EnvName(name)
		all = append(all, prefix+"_KEY", prefix+"_URL")
	}
	slices.Sort(all)
	return all
}
