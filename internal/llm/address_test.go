package llm

import (
	"errors"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, row := range []struct{ name, url, want, problem string }{
		{"hosted", "https://api.example.com/v1", "https://api.example.com/v1/", ""},
		{"slash at the end", " https://api.example.com/v1/ ", "https://api.example.com/v1/", ""},
		{"without /v1", "https://api.example.com", "https://api.example.com/v1/", ""},
		{"Ollama", "http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/", ""},
		{"another path", "https://api.example.com/openai", "https://api.example.com/openai/", ""},
		{"without /v1, in full", "https://api.example.com/chat/completions", "https://api.example.com/", ""},
		{"the whole address", "https://api.example.com/v1/chat/completions", "https://api.example.com/v1/", ""},
		{"this machine", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/", ""},
		{"this machine by name", "http://LocalHost:8080/v1", "http://LocalHost:8080/v1/", ""},
		{"this machine, IPv6", "http://[::1]:8080/v1", "http://[::1]:8080/v1/", ""},
		{"this machine, IPv4 in IPv6", "http://[::ffff:127.0.0.2]/v1", "http://[::ffff:127.0.0.2]/v1/", ""},
		{"unencrypted on purpose", "http+insecure://10.0.0.5:8000/v1", "http://10.0.0.5:8000/v1/", ""},
		{"unencrypted", "http://10.0.0.5:8000/v1", "", "unencrypted"},
		{"unencrypted to a name", "http://localhost.example.com/v1", "", "unencrypted"},
		{"unencrypted to all addresses", "http://0.0.0.0:8000/v1", "", "unencrypted"},
		{"unencrypted to something like a number", "http://127.1/v1", "", "unencrypted"},
		{"empty", "  ", "", "missing"},
		{"no scheme", "api.example.com/v1", "", "https://"},
		{"another scheme", "ftp://api.example.com", "", "https://"},
		{"missing host", "https:///v1", "", "missing host"},
		{"opaque", "https:api.example.com", "", "missing host"},
		{"password", "https://user:hunter2@api.example.com/v1", "", "password"},
		{"query", "https://api.example.com/v1?key=hunter2", "", "query or fragment"},
		{"fragment", "https://api.example.com/v1#hunter2", "", "query or fragment"},
		{"broken", "https://api.example.com/%hunter2", "", "invalid address"},
	} {
		t.Run(row.name, func(t *testing.T) {
			e, err := parseAddress(row.url)
			if row.problem == "" {
				if err != nil || e.String() != row.want {
					t.Fatalf("got %v, %v, want %s", e, err, row.want)
				}
				return
			}
			wrong, ok := errors.AsType[*ConfigError](err)
			if !ok || wrong.Setting != "URL" || !strings.Contains(err.Error(), row.problem) {
				t.Fatalf("got %v, want a *ConfigError of URL with %q", err, row.problem)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error repeats the secret: %v", err)
			}
		})
	}
}
