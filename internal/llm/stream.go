package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxAnswerBytes bounds the words and calls of one answer.
const maxAnswerBytes = 1 << 20

// maxEventBytes bounds one event of a stream, and an answer in one piece: they repeat names and ids beside the text.
const maxEventBytes = 2 * maxAnswerBytes

// events calls each with the data of every event of a stream (text/event-stream), until "[DONE]", the end, or an error.
// Other fields and a last event without an empty line after it are ignored, as the specification has it.
func events(body io.Reader, each func(data []byte) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxEventBytes)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) > 0 {
			if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
			}
			if len(data) > maxEventBytes {
				return bufio.ErrTooLong
			}
			continue
		}
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			return nil
		}
		if len(data) > 0 {
			if err := each(data); err != nil {
				return err
			}
		}
		data = data[:0]
	}
	return lines.Err()
}

// decodeReply reads a reply. A value of another type than documented is as good as missing: servers differ.
func decodeReply(from io.Reader) (wireReply, error) {
	var r wireReply
	err := json.NewDecoder(from).Decode(&r)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = nil
	}
	return r, err
}
