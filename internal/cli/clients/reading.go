package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/folder"
)

// loopsRoot returns the folder in which the server of our entry in a client's file writes those of the loops, or "" without
// an entry, or if the client needs no setting to read them: in a project they are files of the project.
func loopsRoot(p console.Process, client install.Client, text []byte, own OwnPath) string {
	e := entry{Client: client}
	e.server, e.has, _ = client.Find(text, own.OrNone())
	set, ours := e.settings(p)
	if !ours || set.Folders != folder.Data {
		return ""
	}
	data, err := filepath.Abs(set.DataDir)
	if err != nil {
		return ""
	}
	return folder.New(folder.Config{Place: folder.Data, Data: data}).Root()
}

// readingChange is a change of the setting that lets a client read the loops' folders: from one folder to another.
type readingChange struct {
	client        install.Client
	before, after string // empty: none
	asks          bool   // add nothing
}

// step is one edit of the client's settings.
type readingStep struct {
	setting install.Reading
	folder  string
	add     bool
}

func (c readingChange) steps(m install.Machine, scope install.Scope) (steps []readingStep) {
	if r, ok := c.client.Reading(m, scope, c.before); ok && c.before != c.after {
		steps = append(steps, readingStep{r, c.before, false})
	}
	if r, ok := c.client.Reading(m, scope, c.after); ok && !c.asks {
		steps = append(steps, readingStep{r, c.after, true})
	}
	return steps
}

func (s readingStep) edit(file install.File) (text []byte, changed bool, err error) {
	if s.add {
		return s.setting.Add(file.Text)
	}
	return s.setting.Remove(file.Text)
}

// make changes the settings, and tells the user what it changed. The server's entry is already written, so an error is only
// told: then the client asks before it reads.
func (c readingChange) make(p console.Process, m install.Machine, scope install.Scope) {
	for _, s := range c.steps(m, scope) {
		var file install.File
		err := OwnFile(s.setting.File, scope)
		if err == nil {
			file, err = install.Read(s.setting.File)
		}
		var text []byte
		changed, backup := false, ""
		if err == nil {
			text, changed, err = s.edit(file)
		}
		if err == nil && changed {
			backup, err = file.Write(text, true, time.Now())
		}
		if err == nil && s.add { // clients pass over a folder that does not exist
			err = os.MkdirAll(s.folder, 0o700)
		}
		switch {
		case err != nil && s.add:
			fmt.Fprintf(p.Stderr, "%s was not changed: %v. %s will ask before it reads a loop's folder, unless you add %s there.\n", s.setting.File, err, c.client.Title, s.setting.Element)
		case err != nil:
			fmt.Fprintf(p.Stderr, "%s was not changed: %v. Remove %s there by hand.\n", s.setting.File, err, s.setting.Element)
		case !changed:
		case s.add:
			fmt.Fprintf(p.Stdout, "So that %s reads the folders of your loops without asking, %s was added to %s; 'citeloop uninstall %s' removes it.\n", c.client.Title, s.setting.Element, file.Path, c.client.Name)
		default:
			fmt.Fprintf(p.Stdout, "Removed %s from %s: %s no longer reads there without asking.\n", s.setting.Element, file.Path, c.client.Title)
		}
		if changed && err == nil && backup != "" {
			fmt.Fprintf(p.Stdout, "Backup of today: %s.\n", backup)
		}
	}
}

// show writes the changes as diffs.
func (c readingChange) show(p console.Process, m install.Machine, scope install.Scope) {
	for _, s := range c.steps(m, scope) {
		file, err := install.Read(s.setting.File)
		if err != nil {
			continue
		}
		if text, changed, err := s.edit(file); err == nil && changed {
			_, _ = p.Stdout.Write(diff.Diff(file.Path, file.Text, file.Path+" (after)", text))
		}
	}
}
