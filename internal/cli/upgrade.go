package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
)

func newVersion(p console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.Stdout, "citeloop %s\n", Version)
			return err
		},
	}
}

func newUpgrade(p console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "upgrade",
		Short: "Show how to upgrade",
		Long: `Show how to upgrade this program, depending on how it was installed. Nothing is changed, and nothing leaves the machine:
citeloop never asks for newer versions.`,
		Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.Stdout, "citeloop %s. To upgrade: %s\n", console.Version, upgradeCommand(programPath()))
			return err
		},
	}
}

// programPath returns the file of this program with links resolved, or "" if it is unknown.
func programPath() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return filepath.ToSlash(path)
}

// upgradeCommand returns the command that upgrades a program at a path.
func upgradeCommand(path string) string {
	for _, way := range []struct{ part, command string }{
		{"/_npx/", "npx citeloop@latest"},
		{"/node_modules/", "npm install --global citeloop@latest"},
		{"/uv/tools/", "uv tool upgrade citeloop"},
		{"/site-packages/", "pip install --upgrade citeloop"},
		{"/Caskroom/", "brew upgrade --cask citeloop"},
		{"/Cellar/", "brew upgrade citeloop"},
		{"/scoop/apps/", "scoop update citeloop"},
		{"/WinGet/Packages/", "winget upgrade citeloop.citeloop"},
		{"/go/bin/", "go install github.com/citeloop/citeloop@latest"},
	} {
		if strings.Contains(path, way.part) {
			return way.command
		}
	}
	return "see " + console.Homepage + "/releases"
}
