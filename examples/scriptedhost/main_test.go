package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The example runs against the real server, on two small documents.
func TestMainJob(t *testing.T) {
	corpus, data := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"tides.md":  "# Tides\n\nThe tide at Port Arden rises 4 metres twice a day. Ships enter the harbour at high water only, because the channel is shallow. The pilots keep a table of the tides for every day of the year, and it hangs at the customs hall.\n",
		"storms.md": "# Storms\n\nIn a westerly storm the harbour is closed, and the pilots do not go out. Six ships were lost on the bar between 1850 and 1900, all of them in winter. The bell on the mole is rung as long as the harbour is closed.\n",
	} {
		if err := os.WriteFile(filepath.Join(corpus, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CITELOOP_DATA", data)
	err := run(t.Context(), []string{"go", "run", "../.."}, corpus, "When do ships enter the harbour?", "When is the harbour closed?")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(data, "citeloop.db")); err != nil {
		t.Error("the loop was not kept:", err)
	}
}
