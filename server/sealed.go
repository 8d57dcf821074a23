package server

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
)

// MinKeyBytes is the shortest key that signs what clients carry from one call to the next: as long as the
// hash, so that guessing it is no easier than guessing a signature.
const MinKeyBytes = sha256.Size

// maxStateBytes bounds a state that a client sends back; ours have about 110 bytes.
const maxStateBytes = 512

// sealedStates makes the requestState of a question and reads it back. A state is the id of the operation
// that the answered call will be, what the question was about, and a signature over them, the owner, the tool and its
// arguments: an answer counts for the very call that asked, and every repeat of that call is known for one. Nothing is stored, so
// an answer may come hours later, or to another replica with the same key.
type sealedStates struct{ key []byte }

// stateEncoding is strict: one signature has one spelling.
var stateEncoding = base64.RawURLEncoding.Strict()

// maxAboutBytes is how much a question may say to the call that answers it.
const maxAboutBytes = 64

func (s sealedStates) seal(ctx context.Context, req mcp.CallToolRequest, about string) string {
	// Of version 7: a loop that the answered call begins is found again by it, however late that is.
	operation := uuid.Must(uuid.NewV7()).String()
	return sealed(operation, about, s.sign(ctx, operation, about, req))
}

func sealed(operation, about string, signature []byte) string {
	return operation + "." + about + "." + stateEncoding.EncodeToString(signature)
}

var errState = errors.New("the request state is not one that this server signed for this call")

// open returns the operation of a call that carries an answer, and what its question was about.
func (s sealedStates) open(ctx context.Context, req mcp.CallToolRequest) (operation, about string, err error) {
	state := req.Params.RequestState
	if len(state) > maxStateBytes {
		return "", "", fmt.Errorf("%w: it has %d bytes", errState, len(state))
	}
	parts := strings.Split(state, ".")
	if len(parts) != 3 {
		return "", "", errState
	}
	given, err := stateEncoding.DecodeString(parts[2])
	if err != nil || !hmac.Equal(given, s.sign(ctx, parts[0], parts[1], req)) {
		return "", "", errState
	}
	return parts[0], parts[1], nil
}

func (s sealedStates) sign(ctx context.Context, operation, about string, req mcp.CallToolRequest) []byte {
	mac := hmac.New(sha256.New, s.key)
	for _, part := range [][]byte{[]byte("citeloop answer"), []byte(operation), []byte(about), []byte(loops.OwnerOf(ctx)), []byte(req.Params.Name), canonical(req)} {
		fmt.Fprintf(mac, "%d:", len(part)) // so that no part can borrow from its neighbour
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// canonical is the arguments of a call in one spelling: a client may write the same object with its keys in
// another order.
func canonical(req mcp.CallToolRequest) []byte {
	raw := []byte(req.Params.RawArguments)
	if len(raw) == 0 {
		var err error
		if raw, err = json.Marshal(req.Params.Arguments); err != nil {
			return nil
		}
	}
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&value) != nil {
		return raw
	}
	spelled, err := json.Marshal(value)
	if err != nil {
		return raw
	}
	return spelled
}
