package install

import (
	"bytes"
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
)

// machine is the user's machine.
type machine struct {
	p    console.Process
	self string // the path by which a client can start this program; empty if there is none that stays
	err  error  // why self is empty
	now  func() time.Time
}

func newMachine(p console.Process) machine {
	self, err := ownPath(os.Executable, p.Env("PATH"))
	return machine{p, self, err, time.Now}
}

// ownPath returns the path by which a client can start this program from now on. It prefers a name on the PATH, even a link,
// because package managers keep the link when they replace its target.
func ownPath(executable func() (string, error), path string) (string, error) {
	exe, err := executable()
	if err != nil {
		return "", fmt.Errorf("cannot find the path of this program: %w", err)
	}
	target, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return "", fmt.Errorf("cannot find the path of this program: %w", err)
	}
	if strings.Contains(filepath.ToSlash(target), "/go-build") {
		return "", errors.New("'go run' built this program in a cache that is cleaned up; run 'go install .' and then 'citeloop install'")
	}
	self, err := os.Stat(target)
	if err != nil {
		return "", err
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

// look reads what the machine has of a client. The error says that the place of its file is unknown.
func (m machine) look(c client) (i installation, err error) {
	i.client = c
	path, err := c.file(runtime.GOOS, m.p.Env, func(path string) bool { _, err := os.Stat(path); return err == nil })
	if err != nil {
		return i, err
	}
	if c.program != "" {
		i.program, _ = exec.LookPath(c.program) // empty if it is not there
	}
	if i.file, i.err = readFile(filepath.FromSlash(path)); i.err != nil {
		i.file.path = path
		return i, nil
	}
	i.entry, i.err = c.read(i.file.text, m.self)
	return i, nil
}

// all reads what the machine has of each client.
func (m machine) all() (found []installation, err error) {
	for _, c := range clients() {
		i, err := m.look(c)
		if err != nil {
			return nil, err
		}
		found = append(found, i)
	}
	return found, nil
}

// found reports whether the client seems to be on the machine.
func (i installation) found() bool {
	_, err := os.Stat(filepath.Dir(i.file.path))
	return i.program != "" || i.file.exists || err == nil && i.home != ".claude.json"
}

// commandTime bounds a command of a client (chosen: one that runs on Node takes seconds to start).
const commandTime = time.Minute

// run runs the client's own command.
func (i installation) run(ctx context.Context, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, i.program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", i.client.program+" "+strings.Join(args[:min(2, len(args))], " "), err,
			console.Clipped(out.String(), 400))
	}
	return nil
}

// asks returns the arguments of the client's own command that add a server, or with nil remove ours; nil if the file is edited.
func (i installation) asks(s *Server) ([]string, error) {
	args := i.removing()
	if s != nil {
		args = i.adding(*s)
	}
	switch {
	case i.program != "":
		return args, nil
	case i.toml:
		return nil, fmt.Errorf("%s is not on the PATH; run this where it is: %s", i.client.program, shell(i.client.program, args))
	}
	return nil, nil
}

// ask runs the client's own command for a change.
func (i installation) ask(ctx context.Context, args []string) error {
	replaced := i.entry.there && slices.Contains(args, "add-json") // which adds nothing over an entry
	if replaced {
		if err := i.run(ctx, i.removing()); err != nil {
			return err
		}
	}
	err := i.run(ctx, args)
	if err != nil && replaced {
		err = errors.Join(err, i.run(context.WithoutCancel(ctx), i.adding(i.entry.Server)))
	}
	return err
}

// edited returns the text of the client's file with a server, or with nil without ours.
func (i installation) edited(s *Server) (text []byte, err error) {
	text = i.file.text
	if i.entry.there && (s == nil || !i.entry.ours) {
		text, err = removeEntry(text, i.client)
	}
	if s != nil && err == nil {
		text, err = addEntry(text, i.client, *s)
	}
	return text, err
}

// shell returns a command as a user would type it.
func shell(program string, args []string) string {
	out := program
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \t\"'{}$\\*?;&|<>()") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		out += " " + arg
	}
	return out
}
