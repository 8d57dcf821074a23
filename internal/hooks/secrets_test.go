package hooks

import "testing"

func TestNever(t *testing.T) {
	never := DefaultNever()
	for name, secret := range map[string]bool{
		"/p/.env": true, "/p/.env.local": true, "/p/.ENV": true, "/p/prod.env": true, "/p/server.pem": true, "/p/a/tls.key": true, "/h/.ssh/config": true, "/h/.aws/x/y": true,
		"/h/.ssh/id_rsa": true, "/p/id_ed25519": true, "/p/credentials.json": true, "/h/.netrc": true, "/h/.git-credentials": true, "/p/.git/config": true, "/h/.docker/config.json": true,
		"/h/.claude/projects/x.jsonl": true, `C:\Users\a\.ssh\known_hosts`: true, "/h/.bash_history": true, "/p/secrets/a.md": true, "/etc/shadow": true,
		"/p/environment.md": false, "/p/docs/keys.md": false, "/p/docker/config.json": false, "/p/ssh/notes.md": false, "/p/identity.md": false, "/p/a.md": false, "/p/claude/x.md": false, "/": false, "": false,
	} {
		if pattern, got := never.Names(name); got != secret {
			t.Errorf("%s: %v (%s)", name, got, pattern)
		}
	}
}

func TestIgnored(t *testing.T) {
	const rules = "# secrets\n*.log\nconfig/private.yml\n/tokens/\n**/vault/*.txt\nmy-secret*\n!my-secret-public.md\nbuild/\n"
	for rel, want := range map[string]bool{
		"config/private.yml": true, "a/config/private.yml": false, "tokens/x/y.md": true, "a/tokens/x.md": false, "tokens": false, "a/vault/b.txt": true, "vault/b.txt": true, "vault/b.md": false,
		"a/my-secret.md": true, "my-secret-dir/x.md": true, "my-secret-public.md": false, "x.log": false, "build/x.md": false, "docs/a.md": false,
	} {
		if rule, got := Ignored(rules, rel); got != want {
			t.Errorf("%s: %v (%s)", rel, got, rule)
		}
	}
}

func FuzzIgnored(f *testing.F) {
	f.Add("**/secret/**\n!x", "a/secret/b")
	f.Fuzz(func(t *testing.T, rules, rel string) {
		Ignored(rules, rel)
		Never{rules}.Names(rel)
	})
}

func TestSettings(t *testing.T) {
	s, err := ParseSettings([]byte(`{"off":true,"added":["hr/"],"removed":["*.key"]}`))
	if err != nil || !s.Off {
		t.Fatalf("%+v, %v", s, err)
	}
	names := func(path string) bool { _, ok := s.Never().Names(path); return ok }
	if !names("/p/hr/a.md") || names("/p/a.key") || !names("/p/a.pem") {
		t.Errorf("list %v", s.Never())
	}
	if s.Add("hr/") || !s.Add("*.key") || !names("/p/a.key") || !s.Remove("hr/") || names("/p/hr/a.md") || s.Remove("unknown") || !s.Remove("*.pem") || names("/p/a.pem") {
		t.Errorf("after changes: %+v", s)
	}
	for _, bad := range []string{"", "[]", `{"added":["["]}`, `{"added":[""]}`, `{"added":["/"]}`} {
		if _, err := ParseSettings([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
