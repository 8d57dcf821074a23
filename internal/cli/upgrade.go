package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

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

// latestRelease describes the newest release.
const latestRelease = "https://api.github.com/repos/citeloop/citeloop/releases/latest"

func newUpgrade(p console.Process) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "upgrade",
		Short: "Show how to upgrade and, with --check, whether there is a newer version",
		Long: `Show how to upgrade this program, depending on how it was installed. Nothing is changed, and nothing leaves the machine
unless --check is given: then GitHub is asked for the newest version.`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			how := upgradeCommand(programPath())
			if !check {
				_, err := fmt.Fprintf(p.Stdout, "citeloop %s. To upgrade: %s\n", console.Version, how)
				return err
			}
			newest, err := newestVersion(cmd.Context(), http.DefaultClient, latestRelease)
			if err != nil {
				return fmt.Errorf("cannot find the newest version: %w; see %s/releases", err, console.Homepage)
			}
			if newer(newest, console.Version) {
				_, err = fmt.Fprintf(p.Stdout, "citeloop %s is available; this is %s. To upgrade: %s\n", newest, console.Version, how)
			} else {
				_, err = fmt.Fprintf(p.Stdout, "citeloop %s is the newest version.\n", console.Version)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "ask GitHub for the newest version")
	return cmd
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

// newestVersion requests the version of the newest release.
func newestVersion(ctx context.Context, client *http.Client, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("User-Agent", "citeloop/"+console.Version+" (+"+console.Homepage+")")
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %s", req.URL.Host, resp.Status)
	}
	var release struct {
		Tag string `json:"tag_name"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&release); err != nil {
		return "", fmt.Errorf("invalid answer of %s: %w", req.URL.Host, err)
	}
	version := strings.TrimPrefix(release.Tag, "v")
	if _, ok := numbersOf(version); !ok {
		return "", fmt.Errorf("invalid version %q of %s", release.Tag, req.URL.Host)
	}
	return version, nil
}

// newer reports whether version a is newer than b. A version with a suffix, such as 1.2.0-rc.1, is never newer.
func newer(a, b string) bool {
	x, ok := numbersOf(a)
	y, known := numbersOf(b)
	return ok && known && slices.Compare(x, y) > 0
}

// numbersOf splits a version of three numbers.
func numbersOf(version string) ([]int, bool) {
	parts := strings.Split(version, ".")
	numbers := make([]int, len(parts))
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil, false
		}
		numbers[i] = n
	}
	return numbers, len(numbers) == 3
}
