package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/hooks"
)

// HookSettingsFile is the file of the settings of hooks in the data folder.
const HookSettingsFile = "hooks.json"

// HookSettings reads the settings of hooks. CITELOOP_HOOKS=off switches them off for one process.
func (s Settings) HookSettings() (hooks.Settings, error) {
	data, err := safefile.ReadAtMost(filepath.Join(s.DataDir, HookSettingsFile), hooks.MaxSettingsBytes+1)
	if errors.Is(err, fs.ErrNotExist) {
		return hooks.Settings{Off: s.NoHooks}, nil
	}
	if err != nil {
		return hooks.Settings{}, err
	}
	set, err := hooks.ParseSettings(data)
	if err != nil {
		return set, fmt.Errorf("%s: %w; correct or delete the file", filepath.Join(s.DataDir, HookSettingsFile), err)
	}
	set.Off = set.Off || s.NoHooks
	return set, nil
}
