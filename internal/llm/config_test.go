package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestNewRefuses(t *testing.T) {
	good := Config{URL: "https://api.example.com/v1", Model: "m", Key: NewKey(secret)}
	for _, row := range []struct {
		name    string
		change  func(*Config)
		setting string
	}{
		{"no address", func(c *Config) { c.URL = "" }, "URL"},
		{"no model", func(c *Config) { c.Model = " " }, "Model"},
		{"a model of two lines", func(c *Config) { c.Model = "a\nb" }, "Model"},
		{"a very long model name", func(c *Config) { c.Model = strings.Repeat("m", 201) }, "Model"},
		{"a key of two lines", func(c *Config) { c.Key = NewKey(secret + "\nX-Other: 1") }, "Key"},
		{"a key with an invalid character", func(c *Config) { c.Key = NewKey("“" + secret + "”") }, "Key"},
		{"negative tokens", func(c *Config) { c.AnswerTokens = -5 }, "AnswerTokens"},
	} {
		t.Run(row.name, func(t *testing.T) {
			cfg := good
			row.change(&cfg)
			_, err := New(cfg)
			wrong, ok := errors.AsType[*ConfigError](err)
			if !ok || wrong.Setting != row.setting {
				t.Fatalf("New = %v, want a *ConfigError of %s", err, row.setting)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error has the key: %v", err)
			}
		})
	}
	if _, err := New(good); err != nil {
		t.Errorf("New of the good configuration: %v", err)
	}
}

func TestKeyIsTrimmed(t *testing.T) {
	if got := NewKey(" " + secret + "\n").reveal(); got != secret {
		t.Errorf("the key is %q", got)
	}
	if !NewKey(" \n").IsZero() || NewKey("").reveal() != "" {
		t.Error("white space is a key")
	}
}

// TestKeyDoesNotLeak prints, logs and encodes a configuration with a key in many ways.
func TestKeyDoesNotLeak(t *testing.T) {
	cfg := Config{URL: "https://api.example.com/v1", Model: "m", Key: NewKey(secret)}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	hidden := struct { // fmt does not call methods of unexported fields
		cfg Config
		key Key
		c   *Client
		ptr *Config
	}{cfg, cfg.Key, c, &cfg}
	values := []any{cfg, &cfg, cfg.Key, &cfg.Key, c, hidden, &hidden, []Config{cfg}, map[string]Config{"a": cfg}, []any{cfg.Key}}
	var out bytes.Buffer
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t", "%T", "%10.3v", "%c", "%e", "%p"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		fmt.Fprintln(&out, v)
		for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(h).Info("value", "v", v, "group", slog.GroupValue(slog.Any("v", v)))
		}
	}
	for _, v := range []any{cfg.Key, struct{ Key Key }{cfg.Key}, hidden} {
		b, err := json.Marshal(v)
		fmt.Fprintf(&out, "%s %v\n", b, err)
	}
	for _, form := range []string{secret, fmt.Sprintf("%x", secret), fmt.Sprintf("%X", secret), secret[:10]} {
		if i := strings.Index(out.String(), form); i >= 0 {
			t.Errorf("the key leaks: …%s…", out.String()[max(0, i-80):i+20])
		}
	}
	if want := "m at api.example.com, with a key"; !strings.Contains(out.String(), want) {
		t.Errorf("the client does not print as %q", want)
	}
}
