package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// LoopID is the id of the loop that the demo leaves, so that a second run replaces the first. Title is the beginning of its title.
const (
	LoopID = "019e0000-0000-7000-8000-0000000de300"
	Title  = "Demo: "
)

// WriteCollection writes the embedded texts into a folder.
func WriteCollection(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil { // it may be the first to make the data folder
		return fmt.Errorf("the demo's folder: %w", err)
	}
	texts, err := collection.ReadDir("collection")
	for _, file := range texts {
		var text []byte
		if text, err = collection.ReadFile("collection/" + file.Name()); err == nil {
			err = os.WriteFile(filepath.Join(dir, file.Name()), text, 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the demo's texts: %w", err)
		}
	}
	return err
}

// recording has the calls of a language model for the collection, and the false sentences that were planted among them.
type recording struct {
	Question string
	Recorded string // date
	Rounds   []recordedRound
	Draft    []string // lines; [file] cites a text of the collection
	Planted  []*planted
	Beyond   struct{ Claim, Why string } // agrees with its source, but is not trustworthy
}

type recordedRound struct {
	Searches []struct{ Angle, Query string }
	Read     []string // files
	Claims   []struct {
		Claim   string
		Sources []string // files
	}
	Contradictions []struct {
		Topic, Why string
		Sources    []string
	}
	Gaps         []map[string]any
	AnsweredGaps []string `json:"answered_gaps"`
	SignOff      bool     `json:"signoff"`
	Coverage     map[string]any
}

// planted is a false sentence with its correction; an empty one removes the sentence.
type planted struct {
	Claim, By, Kind, Truth, Instead string

	found string // how, or "" if it passed
}

// Who finds a planted sentence.
const (
	byCiteloop = "citeloop"
	byRemark   = "remark" // a reader to whom a remark points
	byReader   = ""       // a reader alone
)

// planted returns the planted sentences that are found so.
func (r *recording) planted(by string) (out []*planted) {
	for _, x := range r.Planted {
		if x.By == by {
			out = append(out, x)
		}
	}
	return out
}

// is returns the planted sentence that a sentence is, or nil.
func (r *recording) is(sentence string) *planted {
	for _, x := range r.Planted {
		if bare(x.Claim) == bare(sentence) {
			return x
		}
	}
	return nil
}

var marks = regexp.MustCompile(`\s*\[[^\]]*\]`)

// bare returns a sentence without citation marks and the full stop.
func bare(s string) string {
	return strings.TrimRight(strings.TrimSpace(marks.ReplaceAllString(s, "")), ".")
}

// load reads the recording, and the answers of the second reader.
func (p *player) load() error {
	if err := json.Unmarshal(hostRecording, &p.recording); err != nil {
		return fmt.Errorf("the recorded host: %w", err)
	}
	if err := json.Unmarshal(readerRecording, &p.reader); err != nil {
		return fmt.Errorf("the recorded reader: %w", err)
	}
	return nil
}
