package console

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// MaxAnswerBytes bounds an answer.
const MaxAnswerBytes = 1000

// ReadAnswer reads one line, in lower case. Reading from a terminal cannot be cancelled: when ctx ends, the goroutine
// stays until the process ends.
func ReadAnswer(ctx context.Context, in io.Reader) (string, error) {
	type answer struct {
		line string
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		line, err := bufio.NewReader(io.LimitReader(in, MaxAnswerBytes)).ReadString('\n')
		read <- answer{strings.ToLower(strings.TrimSpace(line)), err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case a := <-read:
		switch {
		case a.err == nil, a.line != "" && errors.Is(a.err, io.EOF): // the last line may lack its end
			return a.line, nil
		case errors.Is(a.err, io.EOF):
			return "", errors.New("no answer; use --yes to delete without asking")
		}
		return "", a.err
	}
}
