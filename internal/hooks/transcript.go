package hooks

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// maxTranscriptBytes bounds the part of a transcript that is searched, from its end (chosen: a long session has a few megabytes).
const maxTranscriptBytes = 32 << 20

var loopIDs = lazyregexp.New(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// lastLoop returns the known loop that the last call of a tool names; if no call names one, the known loop whose id stands last
// in the transcript, whoever wrote it there; and "" if no known loop does.
func lastLoop(path string, known map[string]bool) (string, error) {
	if len(known) == 0 {
		return "", nil
	}
	transcript, err := readEnd(path)
	if err != nil {
		return "", err
	}
	called, mentioned := "", ""
	for line := range bytes.Lines(transcript) {
		calls := bytes.Contains(line, []byte(`"type":"tool_use"`)) // in Claude Code's transcript
		for _, id := range loopIDs.FindAllString(string(line), -1) {
			if !known[id] {
				continue
			}
			if mentioned = id; calls {
				called = id
			}
		}
	}
	return cmp.Or(called, mentioned), nil
}

// readEnd reads the end of a file.
func readEnd(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(max(0, info.Size()-maxTranscriptBytes), io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxTranscriptBytes))
}
