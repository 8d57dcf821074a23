package install

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// machine is the user's machine.
type machine struct {
	p    console.Process
	self string // the path by which a client can start this program; empty if there is none that stays
	err  error  // why self is empty
}

func newMachine(p console.Process) machine {
	self, err := ownPath(os.Executable, p.Env("PATH"))
	return machine{p, self, err}
}

// ownPath returns the path by which a client can start this program from now on. It prefers a name on the PATH, even a link,
// because package managers keep the link when they replace its target.
func ownPath(executable func() (string, error), path string) (string, error) {
	exe, err := executable()
	target := exe
	if err == nil {
		target, err = filepath.EvalSymlinks(exe)
	}
	self, statErr := os.Stat(target)
	switch {
	case err != nil || statErr != nil:
		return "", fmt.Errorf("cannot find the path of this program: %w", errors.Join(err, statErr))
	case strings.Contains(filepath.ToSlash(target), "/go-build"):
		return "", errors.New("'go run' built this program in a cache that is cleaned up; run 'go install .' and then 'citeloop install'")
	}
	for _, dir := range filepath.SplitList(path) {
		candidate := filepath.Join(dir, filepath.Base(exe))
		if info, err := os.Stat(candidate); filepath.IsAbs(dir) && err == nil && os.SameFile(info, self) {
			return candidate, nil
		}
	}
	return target, nil
}

// installation is what a machine has of a client.
type installation struct {
	client
	program string // path of the client's own command; empty if it is not on the PATH
	file    file
	entry   entry
	err     error // why the file cannot be used
}

// look reads what the machine has of a client.
func (m machine) look(c client) installation {
	i := installation{client: c}
	path, err := c.file(runtime.GOOS, m.p.Env, exists)
	if err == nil {
		i.file, err = readFile(filepath.FromSlash(path))
	}
	if err == nil {
		i.entry, err = c.read(i.file.text, m.self)
	}
	if err != nil {
		i.err = fmt.Errorf("%s cannot use %s: %w; correct it", c.title, cmp.Or(path, "its file"), err)
	}
	if c.program != "" {
		i.program, _ = exec.LookPath(c.program) // empty if it is not there
	}
	return i
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// all reads what the machine has of each client.
func (m machine) all() (found []installation) {
	for _, c := range clients() {
		found = append(found, m.look(c))
	}
	return found
}

// commandTime bounds a command of a client (chosen: one that runs on Node takes seconds to start, on a busy machine a minute).
const commandTime = 3 * time.Minute

// run runs the client's own command.
func (i installation) run(ctx context.Context, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	if out, err := exec.CommandContext(ctx, i.program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", i.client.program+" "+strings.Join(args[:min(2, len(args))], " "), err,
			sanitize.Short(string(bytes.TrimSpace(out)), 400))
	}
	return nil
}

// change adds a server to a client, or with nil removes ours, unless it is already so, and says what it did.
func (m machine) change(ctx context.Context, i installation, s *Server) error {
	args, what := strings.Fields(i.remove), "removed"
	if s != nil {
		args, what = i.adding(*s), "added"
	}
	there := i.entry.members != nil
	command := shell(i.client.program, args)
	var did string
	var err error
	switch {
	case i.err != nil:
		return i.err
	case there && !i.entry.ours:
		return fmt.Errorf("%s has an entry %q of another program in %s; remove it there first", i.title, name, i.file.path)
	case s == nil && !there, s != nil && there && i.entry.Command == s.Command && slices.Equal(i.entry.Args, s.Args):
		_, err := fmt.Fprintf(m.p.Stdout, "%s: nothing to do in %s.\n", i.title, i.file.path)
		return err
	case i.program == "" && i.toml():
		return fmt.Errorf("%s is not on the PATH; run this where it is: %s", i.client.program, command)
	case i.toml(), i.program != "" && len(args) > 0 && (s == nil || !there): // the members of an entry that is there stay
		did, err = "ran: "+command, i.run(ctx, args)
	default:
		did, err = i.edit(s, time.Now())
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(m.p.Stdout, "%s: citeloop %s (%s).\n%s\n", i.title, what, did, i.then)
	if now := m.look(i.client); now.err == nil && (now.entry.members != nil) != (s != nil) {
		return fmt.Errorf("%s does not show the change; look at it, and at 'citeloop install %s --print'", now.file.path, i.name)
	}
	return nil
}

// edit edits the client's file: with a server, or with nil without ours. It returns what it did.
func (i installation) edit(s *Server, now time.Time) (did string, err error) {
	var text []byte
	if s != nil {
		text, err = i.added(i.file.text, *s)
	} else {
		text, err = i.removed(i.file.text)
	}
	if err != nil {
		return "", err
	}
	backup, err := i.file.write(text, now)
	if backup != "" {
		return "wrote " + i.file.path + "; backup of today: " + backup, err
	}
	return "wrote " + i.file.path, err
}

// shell returns a command as a user would type it.
func shell(program string, args []string) string {
	out := program
	for _, arg := range args {
		out += " " + console.Quoted(arg)
	}
	return out
}
