package browser

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Any is the name for any installed Chromium.
const Any = "chromium"

// ErrNotFound is returned by Find when the browser is missing.
var ErrNotFound = errors.New("browser not found")

// Find returns the program for a name: a path, a name in PATH, or [Any] for the first Chromium or Chrome in its usual
// places. env returns environment variables, some of which name these places.
func Find(name string, env func(string) string) (string, error) {
	if name != Any {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%w: %q is neither a program nor the name of one in PATH", ErrNotFound, name)
		}
		return filepath.Abs(path)
	}
	for _, place := range usualPlaces(env) {
		if path, err := exec.LookPath(place); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", fmt.Errorf("%w: neither Chromium nor Chrome is in PATH or in the usual places; give its path", ErrNotFound)
}

func usualPlaces(env func(string) string) []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"chromium", "/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}
	case "windows":
		var out []string
		for _, folder := range []string{env("ProgramFiles"), env("ProgramFiles(x86)"), env("LocalAppData")} {
			out = append(out, filepath.Join(folder, `Chromium\Application\chrome.exe`), filepath.Join(folder,
				`Google\Chrome\Application\chrome.exe`))
		}
		return append(out, "chrome.exe")
	}
	return []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "/snap/bin/chromium"}
}

// Variables are the names of the environment variables that Chromium gets if they are set. It gets no others, so that it
// never sees secrets in citeloop's environment.
func Variables() []string {
	return []string{"HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "TMP", "TEMP", "XDG_RUNTIME_DIR", "FONTCONFIG_PATH",
		"USERPROFILE", "LOCALAPPDATA", "APPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA", "SYSTEMROOT", "WINDIR"}
}
