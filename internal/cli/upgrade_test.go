package cli

import "testing"

func TestUpgradeCommand(t *testing.T) {
	for path, want := range map[string]string{
		"/home/u/.npm/_npx/1a/node_modules/citeloop-linux-x64/bin/citeloop": "npx citeloop@latest",
		"/usr/lib/node_modules/citeloop-linux-x64/bin/citeloop":             "npm install --global citeloop@latest",
		"/opt/homebrew/Caskroom/citeloop/0.1.0/citeloop":                    "brew upgrade --cask citeloop",
		"C:/Users/u/scoop/apps/citeloop/current/citeloop.exe":               "scoop update citeloop",
		"/home/u/go/bin/citeloop":                                           "go install github.com/citeloop/citeloop@latest",
		"/usr/bin/citeloop":                                                 "see https://github.com/citeloop/citeloop/releases",
	} {
		if got := upgradeCommand(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
