package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
)

// rememberedFile has the settings that 'citeloop install' keeps in the data folder for all commands and clients.
const rememberedFile = "settings.json"

type remembered struct {
	Corpus []string `json:"corpus"`
}

// noFolders is the value of --corpus for no folders at all.
const noFolders = "none"

// corpus sets the folders of the user's documents: those of the flag, of the variable, that were remembered, or that a client's
// configuration names. A folder that the call itself names must exist.
func (s *Settings) corpus(p console.Process, o *Options) error {
	named := o.Corpus
	if len(named) == 0 {
		named = filepath.SplitList(p.Env("CITELOOP_CORPUS"))
	}
	if slices.Equal(named, []string{noFolders}) {
		return nil
	}
	lenient := o.Lenient
	if len(named) == 0 {
		lenient = true
		body, err := os.ReadFile(filepath.Join(s.DataDir, rememberedFile))
		var kept remembered
		switch {
		case errors.Is(err, os.ErrNotExist):
			if o.Named != nil {
				kept.Corpus = o.Named()
			}
		case err != nil:
			return err
		case json.Unmarshal(body, &kept) != nil:
			return fmt.Errorf("%s is not valid; correct or delete it", filepath.Join(s.DataDir, rememberedFile))
		}
		named = kept.Corpus
	}
	for _, dir := range named {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return console.Usagef("--corpus %q: %w", dir, err)
		}
		info, err := os.Stat(abs)
		switch {
		case lenient && errors.Is(err, os.ErrNotExist):
			s.Missing = append(s.Missing, abs)
		case errors.Is(err, os.ErrNotExist):
			return console.Usagef("--corpus %q: no such folder", dir)
		case err != nil:
			return console.Usagef("--corpus %q: %w", dir, err)
		case !info.IsDir():
			return console.Usagef("--corpus %q is a file: name its folder", dir)
		}
		s.Corpus = append(s.Corpus, abs)
	}
	return nil
}

// Remember keeps the folders for all commands, and returns the file.
func (s Settings) Remember() (string, error) {
	name := filepath.Join(s.DataDir, rememberedFile)
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return name, err
	}
	return name, safefile.WriteFile(name, func(w io.Writer) error { return console.WriteJSON(w, remembered{s.Corpus}) })
}
