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
type Answers struct {
	lines chan string
	err   error // of the input; set before lines is closed
}

// NewAnswers begins to read answers. The goroutine that reads stays until the input ends: a terminal cannot be interrupted.
func NewAnswers(in io.Reader) *Answers {
	a := &Answers{lines: make(chan string)}
	go func() {
		defer close(a.lines)
		scan := bufio.NewScanner(io.LimitReader(in, maxAnswersBytes))
		for scan.Scan() {
			a.lines <- strings.TrimSpace(scan.Text())
		}
		a.err = scan.Err()
	}()
	return a
}

// Next returns the next line, or ErrNoAnswer at the end.
func (a *Answers) Next(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, ok := <-a.lines:
		if !ok {
			return "", cmp.Or(a.err, ErrNoAnswer)
		}
		return line, nil
	}
}

// Confirm asks a question; only y and yes confirm it.
func (a *Answers) Confirm(ctx context.Context, out io.Writer, question string) (bool, error) {
	fmt.Fprint(out, question+" [y/N] ")
	line, err := a.Next(ctx)
	line = strings.ToLower(line)
	return line == "y" || line == "yes", err
}
