package judge

import (
	"errors"
	"strings"
	"testing"
)

func TestReadEndpoint(t *testing.T) {
	for _, row := range []struct{ name, url, want, problem string }{
		{"hosted", "https://api.example.com/v1", "https://api.example.com/v1/", ""},
		{"slash at the end", " https://api.example.com/v1/ ", "https://api.example.com/v1/", ""},
		{"no path", "https://api.example.com", "https://api.example.com/", ""},
		{"the whole address", "https://api.example.com/v1/chat/completions", "https://api.example.com/v1/", ""},
		{"this machine", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/", ""},
		{"this machine by name", "http://LocalHost:8080/v1", "http://LocalHost:8080/v1/", ""},
		{"this machine, IPv6", "http://[::1]:8080/v1", "http://[::1]:8080/v1/", ""},
		{"this machine, IPv4 in IPv6", "http://[::ffff:127.0.0.2]/v1", "http://[::ffff:127.0.0.2]/v1/", ""},
		{"in clear on purpose", "http+insecure://10.0.0.5:8000/v1", "http://10.0.0.5:8000/v1/", ""},
		{"in clear", "http://10.0.0.5:8000/v1", "", "in clear"},
		{"in clear to a name", "http://localhost.example.com/v1", "", "in clear"},
		{"in clear to all addresses", "http://0.0.0.0:8000/v1", "", "in clear"},
		{"in clear to a number that is none", "http://127.1/v1", "", "in clear"},
		{"empty", "  ", "", "is empty"},
		{"no scheme", "api.example.com/v1", "", "https://"},
		{"another scheme", "ftp://api.example.com", "", "https://"},
		{"no host", "https:///v1", "", "no host"},
		{"opaque", "https:api.example.com", "", "no host"},
		{"password", "https://user:hunter2@api.example.com/v1", "", "password"},
		{"query", "https://api.example.com/v1?key=hunter2", "", "behind its path"},
		{"fragment", "https://api.example.com/v1#hunter2", "", "behind its path"},
		{"broken", "https://api.example.com/%hunter2", "", "not an address"},
	} {
		t.Run(row.name, func(t *testing.T) {
			e, err := readEndpoint(row.url)
			if row.problem == "" {
				if err != nil || e.base.String() != row.want {
					t.Fatalf("got %v, %v, want %s", e.base, err, row.want)
				}
				return
			}
			wrong, ok := errors.AsType[*ConfigError](err)
			if !ok || wrong.Setting != "URL" || !strings.Contains(err.Error(), row.problem) {
				t.Fatalf("got %v, want a *ConfigError of URL with %q", err, row.problem)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(Config{URL: row.url}.String(), "hunter2") {
				t.Errorf("the error or the configuration repeats the secret: %v", err)
			}
		})
	}
}
