package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// collection has twelve short texts about one question, written for this demo. The town and all figures are invented.
//
//go:embed collection
var collection embed.FS

//go:embed recording/host.json
var hostRecording []byte

//go:embed recording/reader.json
var readerRecording []byte

// LoopID is the id of the loop that the demo leaves, so that a second run replaces the first.
const LoopID = "019e0000-0000-7000-8000-0000000de300"

// WriteCollection writes the embedded texts into a folder. It removes nothing.
func WriteCollection(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the demo's folder: %w", err)
	}
	texts, err := collection.ReadDir("collection")
	for _, file := range texts {
		var text []byte
		if text, err = collection.ReadFile("collection/" + file.Name()); err == nil {
			err = os.WriteFile(dir+"/"+file.Name(), text, 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the demo's texts: %w", err)
		}
	}
	return err
}

// recording has the calls of a language model for the collection, and the false sentences that were planted in its text.
type recording struct {
	Question string
	Recorded string // date
	Rounds   [][]call
	Draft    []string // lines; [file] cites a text of the collection
	Planted  []*planted
	Beyond   struct{ Claim, Why string } // agrees with its source, but is not trustworthy
}

// call is a call of a tool. Names of files stand for the addresses and the ids of sources.
type call struct {
	Tool      string
	Arguments json.RawMessage
}

// planted is a false sentence with its correction; an empty one removes the sentence.
type planted struct {
	Claim, Kind, Instead string

	by       finder
	remarked bool
}

// finder is who finds a planted sentence.
type finder int

const (
	nobody     finder = iota
	citeloop          // by itself
	pointedOut        // a reader to whom a remark points
	alone             // a reader alone
)

// is returns the planted sentence that a sentence is, or nil.
func (r *recording) is(sentence string) *planted {
	for _, x := range r.Planted {
		if bare(x.Claim) == bare(sentence) {
			return x
		}
	}
	return nil
}

// foundBy counts the planted sentences that somebody has found.
func (r *recording) foundBy(who finder) (n int) {
	for _, x := range r.Planted {
		if x.by == who {
			n++
		}
	}
	return n
}

var marks = regexp.MustCompile(`\s*\[[^\]]*\]`)

// bare returns a sentence without citation marks and the full stop.
func bare(s string) string {
	return strings.TrimRight(strings.TrimSpace(marks.ReplaceAllString(s, "")), ".")
}
