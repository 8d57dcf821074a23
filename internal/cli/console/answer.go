package console

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxAnswersBytes bounds all answers.
const maxAnswersBytes = 64 << 10

// ErrNoAnswer reports that the input has ended.
var ErrNoAnswer = errors.New("no answer; use --yes to go on without asking")

// Answers are the lines that somebody types.
type Answers struct{ scan *bufio.Scanner }

// NewAnswers returns the answers in an input.
func NewAnswers(in io.Reader) *Answers {
	return &Answers{bufio.NewScanner(io.LimitReader(in, maxAnswersBytes))}
}

// Next returns the next line, or ErrNoAnswer at the end. The goroutine that reads stays if ctx ends: a terminal cannot be interrupted.
func (a *Answers) Next(ctx context.Context) (string, error) {
	read := make(chan bool, 1)
	go func() { read <- a.scan.Scan() }()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case ok := <-read:
		if !ok {
			return "", cmp.Or(a.scan.Err(), ErrNoAnswer)
		}
		return strings.TrimSpace(a.scan.Text()), nil
	}
}

// Confirm asks a question; only y and yes confirm it.
func (a *Answers) Confirm(ctx context.Context, out io.Writer, question string) (bool, error) {
	fmt.Fprint(out, question+" [y/N] ")
	line, err := a.Next(ctx)
	line = strings.ToLower(line)
	return line == "y" || line == "yes", err
}
