package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	texts, err := fs.Sub(collection, "collection")
	if err != nil {
		return fmt.Errorf("the demo's texts: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil { // it may be the first to make the data folder
		return fmt.Errorf("the demo's folder: %w", err)
	}
	return fs.WalkDir(texts, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(texts, name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the demo's texts: %w", err)
		}
		return nil
	})
}

// recording has the calls of a language model for the collection, and the false sentences that were planted among them.
type recording struct {
	Question string
	Recorded string // date
	Rounds   []recordedRound
	Draft    []string // lines; [file] cites a text of the collection
	Planted  []planted
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

	caught bool
}

// Who finds a planted sentence.
const (
	byCiteloop = "citeloop"
	byRemark   = "remark" // a reader to whom a remark points
	byReader   = ""       // a reader alone
)

// planted returns the planted sentences that are found so.
func (r *recording) planted(by string) (out []*planted) {
	for i := range r.Planted {
		if r.Planted[i].By == by {
			out = append(out, &r.Planted[i])
		}
	}
	return out
}

// answer is one of a reader.
type answer struct {
	Item   string `json:"item"`
	Answer string `json:"answer"`
	Quote  string `json:"quote"`

	by string // another reader than that of the recording
}

// load reads the recording, and the answers of the second reader by the words of the sentences.
func (p *player) load() error {
	if err := json.Unmarshal(hostRecording, &p.recording); err != nil {
		return fmt.Errorf("the recorded host: %w", err)
	}
	var reader struct {
		By      string
		Answers []struct{ Claim, Answer, Quote, By string } // By: another reader
	}
	if err := json.Unmarshal(readerRecording, &reader); err != nil {
		return fmt.Errorf("the recorded reader: %w", err)
	}
	p.reader, p.answers = reader.By, map[string]answer{}
	for _, a := range reader.Answers {
		p.answers[bare(a.Claim)] = answer{Answer: a.Answer, Quote: a.Quote, by: a.By}
	}
	return nil
}
