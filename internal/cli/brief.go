package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/resources"
)

func newLoopsBrief(p console.Process, opts *setup.Options) *cobra.Command {
	var hook bool
	cmd := &cobra.Command{
		Use:   "brief ID",
		Short: "Show what an assistant needs to continue a loop, as Markdown",
		Long: `Show what an assistant with an empty context needs to continue a loop, as Markdown: the decision, open gaps, sources, claims.

With --hook, read the input of a Claude Code hook on stdin and show the brief of the loop that the conversation used
last. Show nothing if it used none. The plugin for Claude Code runs this after each compaction.`,
		Example: `  citeloop loops brief 0199c1d2`,
		Args: func(cmd *cobra.Command, args []string) error {
			if hook {
				return console.NoArguments(cmd, args)
			}
			return oneLoop(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			show := func(svc *loops.Service, id string) error {
				v, err := svc.State(cmd.Context(), loops.ViewInput{Loop: id})
				if err != nil {
					return err
				}
				text, err := resources.Brief(v)
				if err != nil {
					return err
				}
				_, err = io.WriteString(p.Stdout, text)
				return err
			}
			if !hook {
				return setup.WithLoop(cmd.Context(), p, opts, args[0], show)
			}
			transcript, err := readTranscript(p.Stdin)
			if err != nil {
				return err
			}
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				heads, err := svc.Store.Loops(cmd.Context(), loops.OwnerOf(cmd.Context()))
				if err != nil {
					return err
				}
				known := map[string]bool{}
				for _, h := range heads {
					known[h.Loop] = true
				}
				id := lastLoop(transcript, known)
				if id == "" {
					return nil
				}
				fmt.Fprintf(p.Stdout, "Before its compaction, this conversation worked on citeloop's loop %s. citeloop has stored all of it. To continue, use its tools with this state_id.\n\n", id)
				return show(svc, id)
			})
		},
	}
	cmd.Flags().BoolVar(&hook, "hook", false, "read the input of a Claude Code hook on stdin")
	return cmd
}

// maxTranscriptBytes bounds the part of a transcript that is searched, from its end (chosen: a long session has a few megabytes).
const maxTranscriptBytes = 32 << 20

// readTranscript reads the end of the transcript that the input of a hook names.
func readTranscript(input io.Reader) ([]byte, error) {
	var in struct {
		Path string `json:"transcript_path"`
	}
	if err := json.NewDecoder(io.LimitReader(input, 1<<20)).Decode(&in); err != nil {
		return nil, fmt.Errorf("invalid hook input: %w", err)
	}
	if in.Path == "" {
		return nil, errors.New("missing transcript_path in the hook input")
	}
	f, err := os.Open(in.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(max(0, info.Size()-maxTranscriptBytes), io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxTranscriptBytes))
}

var loopIDs = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// lastLoop returns the known loop that the last call with a state_id named. Without such a call it returns the known loop
// that the transcript mentions last, as an answer of loop_init or in the user's words.
func lastLoop(transcript []byte, known map[string]bool) string {
	called, mentioned := "", ""
	for line := range bytes.Lines(transcript) {
		for _, id := range loopIDs.FindAll(line, -1) {
			if known[string(id)] {
				mentioned = string(id)
			}
		}
		if id := calledLoop(line); known[id] {
			called = id
		}
	}
	return cmp.Or(called, mentioned)
}

// calledLoop returns the state_id of the last call in a line of a transcript, or "" if the line is not the model's.
func calledLoop(line []byte) string {
	var entry struct {
		Type    string
		Message struct {
			Content []struct {
				Type  string
				Input struct {
					StateID string `json:"state_id"`
				}
			}
		}
	}
	if json.Unmarshal(line, &entry) != nil || entry.Type != "assistant" {
		return ""
	}
	id := ""
	for _, block := range entry.Message.Content {
		if block.Type == "tool_use" && block.Input.StateID != "" {
			id = block.Input.StateID
		}
	}
	return id
}
