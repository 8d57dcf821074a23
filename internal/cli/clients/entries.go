package clients

import (
	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// entry is what a file of a client has of citeloop.
type entry struct {
	install.Client
	scope  install.Scope
	path   string
	file   install.File
	err    error // why the client cannot use the file
	has    install.Presence
	server install.Server // that our entry starts
}

// entries returns those of the clients' files of these scopes.
func entries(m install.Machine, own OwnPath, scopes ...install.Scope) (all []entry, err error) {
	self := own.OrNone()
	for _, c := range install.Clients() {
		for _, scope := range scopes {
			if scope == install.Project && !c.HasProject() {
				continue
			}
			e := entry{Client: c, scope: scope}
			if e.path, err = c.Path(m, scope); err != nil {
				return nil, err
			}
			if e.file, e.err = install.Read(e.path); e.err == nil {
				e.server, e.has, e.err = c.Find(e.file.Text, self)
			}
			all = append(all, e)
		}
	}
	return all, nil
}

// options returns the options and variables of our entry. ours is false without one.
func (e entry) options() (o setup.Options, env func(string) (string, bool), ours bool) {
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	o.Register(flags)
	o.Lenient = true
	ours = e.has == install.Present && flags.Parse(e.server.Args) == nil
	return o, lookupIn(e.server.Env), ours
}

// settings returns those with which our entry starts the server, if there is one and they are valid.
func (e entry) settings(p console.Process) (setup.Settings, bool) {
	o, env, ours := e.options()
	if !ours {
		return setup.Settings{}, false
	}
	set, err := o.Settings(console.Process{Stderr: p.Stderr, LookupEnv: env})
	return set, err == nil
}
