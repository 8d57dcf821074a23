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
	"github.com/citeloop/citeloop/tools"
)

// MinKeyBytes is the minimum length of the signing key: that of the hash, so that the key is as hard to guess as a
// signature.
const MinKeyBytes = sha256.Size

// maxStateBytes bounds a state that a client sends back; valid ones have about 110 bytes.
const maxStateBytes = 512

// sealedStates makes and verifies the requestState of a question. A state holds the operation id of the repeated call,
// the subject of the question, and a signature over both, the owner, the tool and its arguments. An answer is therefore
// valid only for the call that asked, and repeats of that call have one operation id. Nothing is stored, so an answer
// may arrive hours later, or at another replica with the same key.
type sealedStates struct{ key []byte }

// stateEncoding is strict, so that a signature has exactly one encoding.
var stateEncoding = base64.RawURLEncoding.Strict()

// maxAboutBytes bounds the subject of a question.
const maxAboutBytes = 64

func (s sealedStates) seal(ctx context.Context, req mcp.CallToolRequest, about string) string {
	// Version 7 holds the time: the id of a loop that the answered call starts is derived from it.
	operation := uuid.Must(uuid.NewV7()).String()
	return sealed(operation, about, s.sign(ctx, operation, about, req))
}

func sealed(operation, about string, signature []byte) string {
	return operation + "." + about + "." + stateEncoding.EncodeToString(signature)
}

var errState = errors.New("invalid request state: not signed by this server for this call")

// open verifies a state and returns the operation id and the subject of its question.
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
	return signature(s.key, "citeloop answer", operation, about, loops.OwnerOf(ctx), req.Params.Name, string(canonical(req)))
}

// signature signs texts, whose lengths keep them apart.
func signature(key []byte, texts ...string) []byte {
	mac := hmac.New(sha256.New, key)
	for _, text := range texts {
		fmt.Fprintf(mac, "%d:%s", len(text), text)
	}
	return mac.Sum(nil)
}

// canonical returns the arguments of a call in canonical JSON: a client may reorder the keys of an object.
func canonical(req mcp.CallToolRequest) []byte {
	raw := tools.RawArguments(req)
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
