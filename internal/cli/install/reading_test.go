package install_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/cli/install"
)

func unix(name string) string { return map[string]string{"HOME": "/home/u"}[name] }

func reading(t *testing.T, name, dir string) install.Reading {
	t.Helper()
	r, ok := client(t, name).Reading(install.Machine{OS: "linux", Env: unix, Dir: "/project"}, install.User, dir)
	if !ok {
		t.Fatalf("%s has no setting for reading %s", name, dir)
	}
	return r
}

func TestReadingSettings(t *testing.T) {
	windows := install.Machine{OS: "windows", Dir: `C:\project`, Env: func(name string) string { return map[string]string{"USERPROFILE": `C:\Users\u`}[name] }}
	linux := install.Machine{OS: "linux", Dir: "/project", Env: unix}
	moved := install.Machine{OS: "linux", Dir: "/project", Env: func(name string) string {
		return map[string]string{"HOME": "/home/u", "CLAUDE_CONFIG_DIR": "/claude"}[name]
	}}
	for _, tt := range []struct {
		client        string
		machine       install.Machine
		scope         install.Scope
		folder        string
		file, element string // empty for none
	}{
		{"claude-code", linux, install.User, "/home/u/share/loops", "/home/u/.claude/settings.json", "Read(//home/u/share/loops/**)"},
		{"claude-code", linux, install.Project, "/home/u/share/loops", "/project/.claude/settings.local.json", "Read(//home/u/share/loops/**)"},
		{"claude-code", moved, install.User, "/a b/loops/", "/claude/settings.json", "Read(//a b/loops/**)"},
		{"claude-code", windows, install.User, `C:\Users\u\loops`, `C:\Users\u\.claude\settings.json`, "Read(//c/Users/u/loops/**)"},
		{"claude-code", linux, install.User, "/home/u(2)/loops", "", ""},
		{"claude-code", linux, install.User, "/home/*/loops", "", ""},
		{"claude-code", linux, install.User, "loops", "", ""},
		{"claude-code", linux, install.User, "", "", ""},
		{"gemini-cli", linux, install.User, "/home/u(2)/loops", "/home/u/.gemini/settings.json", "/home/u(2)/loops"},
		{"gemini-cli", linux, install.Project, "/loops", "/project/.gemini/settings.json", "/loops"},
		{"codex", linux, install.User, "/loops", "", ""},
		{"cursor", linux, install.User, "/loops", "", ""},
	} {
		got, ok := client(t, tt.client).Reading(tt.machine, tt.scope, tt.folder)
		if ok != (tt.file != "") || ok && (got.File != tt.file || got.Element != tt.element) {
			t.Errorf("%s, %s: %v, %t", tt.client, tt.folder, got, ok)
		}
	}
}

// What Add adds, Remove removes, and the file is as before by the byte.
func TestReadingIsTakenBack(t *testing.T) {
	for name, tt := range map[string]struct{ before, after string }{
		"a new file":  {"", "{\n  \"permissions\": {\n    \"allow\": [\"Read(//x/loops/**)\"]\n  }\n}\n"},
		"no member":   {"{\n  \"model\": \"opus\"\n}\n", "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\"Read(//x/loops/**)\"]\n  }\n}\n"},
		"no list":     {"{\n\t\"permissions\": {\n\t\t\"deny\": [\"Read(.env)\"]\n\t}\n}\n", "{\n\t\"permissions\": {\n\t\t\"deny\": [\"Read(.env)\"],\n\t\t\"allow\": [\"Read(//x/loops/**)\"]\n\t}\n}\n"},
		"one line":    {`{"permissions": {"allow": ["Bash(ls:*)"]}}`, `{"permissions": {"allow": ["Bash(ls:*)", "Read(//x/loops/**)"]}}`},
		"many lines":  {"{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\",\n      \"WebSearch\"\n    ]\n  }\n}\n", "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\",\n      \"WebSearch\",\n      \"Read(//x/loops/**)\"\n    ]\n  }\n}\n"},
		"of Windows":  {"{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"WebSearch\"\r\n    ]\r\n  }\r\n}\r\n", "{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"WebSearch\",\r\n      \"Read(//x/loops/**)\"\r\n    ]\r\n  }\r\n}\r\n"},
		"comments":    {"{\n  \"permissions\": { // mine\n    \"allow\": [\n      \"WebSearch\", // often\n    ]\n  }\n}\n", "{\n  \"permissions\": { // mine\n    \"allow\": [\n      \"WebSearch\", // often\n      \"Read(//x/loops/**)\",\n    ]\n  }\n}\n"},
		"other kinds": {`{"permissions": {"allow": [1, ["Read(//x/loops/**)"]]}}`, `{"permissions": {"allow": [1, ["Read(//x/loops/**)"], "Read(//x/loops/**)"]}}`},
		"only others": {`{"permissions": {}, "a": 1}`, "{\"permissions\": {\n  \"allow\": [\"Read(//x/loops/**)\"]\n}, \"a\": 1}"},
	} {
		t.Run(name, func(t *testing.T) {
			r := reading(t, "claude-code", "/x/loops")
			got, added, err := r.Add([]byte(tt.before))
			if err != nil || !added {
				t.Fatalf("added %t, %v", added, err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if again, added, err := r.Add(got); err != nil || added || string(again) != string(got) {
				t.Errorf("added again: %t, %v", added, err)
			}
			back, removed, err := r.Remove(got)
			if err != nil || !removed {
				t.Fatalf("removed %t, %v", removed, err)
			}
			want := tt.before
			switch name {
			case "a new file":
				want = "{}\n"
			case "only others": // an empty object goes with the list that was added to it
				want = `{"a": 1}`
			}
			if diff := cmp.Diff(want, string(back)); diff != "" {
				t.Errorf("taken back (-want +got)\n%s", diff)
			}
			if _, removed, err := r.Remove(back); removed || err != nil {
				t.Errorf("removed again: %t, %v", removed, err)
			}
		})
	}
	// Others of the user's stay, wherever ours stands.
	r := reading(t, "gemini-cli", "/loops")
	for before, want := range map[string]string{
		`{"context": {"includeDirectories": ["/loops", "/a"]}}`:                     `{"context": {"includeDirectories": ["/a"]}}`,
		`{"context": {"includeDirectories": ["/a", "/loops", "/b"]}}`:               `{"context": {"includeDirectories": ["/a", "/b"]}}`,
		`{"context": {"includeDirectories": ["/loops"], "fileName": "A.md"}}`:       `{"context": {"fileName": "A.md"}}`,
		"{\"context\": {\"includeDirectories\": [\n  // all loops\n  \"/loops\"]}}": "{\"context\": {\"includeDirectories\": [\n  // all loops\n  ]}}",
	} {
		if got, removed, err := r.Remove([]byte(before)); err != nil || !removed || string(got) != want {
			t.Errorf("%s: %s, %t, %v", before, got, removed, err)
		}
	}
}

// For any file, an edit fails or adds the element and takes it back, and changes nothing else that a client reads.
func FuzzReading(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"permissions": {"allow": ["a"]}}`, "// c\n{\"permissions\": {\"allow\": [ /* c */ ], }}", "{\"permissions\":{\n\t\"allow\":[\"a\",\n\t\"b\",]}}", `[]`, "\xef\xbb\xbf{}", "{\r\n}"} {
		f.Add(seed)
	}
	r, _ := install.Clients()[0].Reading(install.Machine{OS: "linux", Env: unix}, install.User, "/x/loops")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "Read(") {
			return
		}
		with, added, err := r.Add([]byte(text))
		if err != nil {
			return
		}
		if !added {
			t.Fatalf("not added to %q", text)
		}
		back, removed, err := r.Remove(with)
		if err != nil || !removed {
			t.Fatalf("%q: not removed from %q: %v", text, with, err)
		}
		if again, _, err := r.Add(back); err != nil || strings.Count(string(again), "Read(") != 1 {
			t.Fatalf("%q: after %q: %q, %v", text, back, again, err)
		}
	})
}

func TestReadingIsRefused(t *testing.T) {
	r := reading(t, "claude-code", "/x/loops")
	for text, says := range map[string]string{
		`{"permissions": [`:                          "line 1",
		`[]`:                                         "does not hold an object",
		`{"permissions": []}`:                        `its "permissions" is not an object`,
		`{"permissions": {"allow": {}}}`:             `its "permissions.allow" is not a list`,
		`{"permissions": {}, "permissions": {}}`:     `it has "permissions" 2 times`,
		`{"permissions": {"allow": "Read(//x/**)"}}`: "is not a list",
	} {
		got, _, err := r.Add([]byte(text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %s", text, err, got)
		}
	}
}
