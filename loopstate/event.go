package loopstate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// Event is a change of a loop: immutable, numbered from 1 without gaps within its loop. Data is the JSON of the payload
// type that Kind names; Version is the payload's format, so that old events stay readable.
type Event struct {
	Loop    string          `json:"loop"`
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"` // UTC
	Kind    string          `json:"kind"`
	Version int             `json:"version"`
	Op      string          `json:"op,omitempty"` // the operation that appended it; a retry has the same
	Data    json.RawMessage `json:"data"`
}

// Hash is the sha256 of a text.
type Hash [sha256.Size]byte

// HashText returns the hash under which a store has a text.
func HashText(text []byte) Hash { return sha256.Sum256(text) }

// String returns the hash in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses the output of String.
func ParseHash(s string) (Hash, error) {
	var h Hash
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(h) {
		return h, errors.New("loopstate: invalid hash; want 64 hexadecimal digits")
	}
	copy(h[:], b)
	return h, nil
}

// Head is a loop's summary as of its last event. It is written in the same transaction as the events, so that listing
// loops does not fold them.
type Head struct {
	Loop      string    `json:"state_id"`
	Owner     string    `json:"owner"`
	Seq       int64     `json:"seq"`
	Query     string    `json:"query"`
	Round     int       `json:"round"`
	Status    string    `json:"status"`
	UpdatedAt time.Time `json:"updated_at"`
	// Stored is the size of the loop in bytes, which the store counts: its events, and each text as often as it was appended, before
	// compression.
	Stored int64 `json:"stored_bytes"`
}

// Payload is the data of an event. One call of a tool is one event: a single row is cheaper to write than normalized tables, and is
// written whole or not at all. The step that makes it assigns the ids; the fold assigns none.
type Payload interface {
	kind() string
	fold(s *State, at time.Time) // into the state, see [Apply]
}

// Call identifies the arguments of the call that an event records. It is empty in logs of older versions.
type Call struct {
	Asked string `json:"asked,omitempty"`
}

// Repeats reports whether a call with these arguments can be the one that was recorded.
func (c Call) Repeats(asked string) bool { return c.Asked == "" || c.Asked == asked }

// Started starts a loop.
type Started struct {
	Owner      string      `json:"owner"`
	Query      string      `json:"query"` // the question; empty until the first query, if the host gave none
	Rubrics    []string    `json:"rubrics,omitempty"`
	Dimensions []Dimension `json:"dimensions,omitempty"`
	Entity     *Entity     `json:"entity,omitempty"`
	Complexity string      `json:"complexity"`
	Budget     Budget      `json:"budget"`
	AsOf       string      `json:"as_of"`                        // YYYY-MM-DD: the date the answer is for
	Complete   float64     `json:"coverage_threshold,omitempty"` // the coverage at which the question counts as answered
	Gaps       []Gap       `json:"gaps,omitempty"`
}

// Updated is a host's report between rounds.
type Updated struct {
	Query          string          `json:"query,omitempty"`
	Channel        string          `json:"channel,omitempty"`
	Evidence       []Evidence      `json:"evidence,omitempty"`     // new hits with their ids
	KnownClaims    []string        `json:"known_claims,omitempty"` // ids of those that the call repeats
	Duplicates     []string        `json:"duplicates,omitempty"`   // addresses of hits that the loop already had
	Rejected       []Rejected      `json:"rejected,omitempty"`
	Visited        []string        `json:"visited,omitempty"`
	Bad            []BadURL        `json:"bad,omitempty"`
	Answered       []string        `json:"answered,omitempty"`    // gap ids
	ClosedGaps     []ClosedGap     `json:"closed_gaps,omitempty"` // in logs of older versions: by a person
	Claims         []Claim         `json:"claims,omitempty"`
	Retracted      []string        `json:"retracted,omitempty"` // claim ids
	Contradictions []Contradiction `json:"contradictions,omitempty"`
	Failures       []string        `json:"failures,omitempty"`
	Usage          Usage           `json:"usage,omitzero"`
	Abort          string          `json:"abort,omitempty"` // the reason, if the user aborts
	ConfirmRounds  int             `json:"confirm_rounds,omitempty"`
	Call
}

// Rejected is an item of a call that was not recorded, and why.
type Rejected struct {
	Item string `json:"item"`
	Why  string `json:"why"`
}

func reject(list *[]Rejected, item, why string) {
	*list = append(*list, Rejected{Item: item, Why: why})
}

// GapAdded adds a gap.
type GapAdded struct {
	Gap Gap `json:"gap"`
	Call
}

// Searched is one search over one or more channels.
type Searched struct {
	Search
	Evidence []Evidence `json:"evidence,omitempty"` // new hits with their ids
	Rejected []Rejected `json:"rejected,omitempty"`
}

// Repeats is that of a [Call], which is the query.
func (s Searched) Repeats(query string) bool { return Call{s.Query}.Repeats(query) }

// Read is the result of a fetch: new sources, addresses without a source, and what has become of earlier sources.
type Read struct {
	Sources []Source `json:"sources,omitempty"`
	Visited []string `json:"visited,omitempty"`
	Bad     []BadURL `json:"bad,omitempty"`
	Again   []Reread `json:"again,omitempty"` // earlier sources that were read or looked up again
	Query   string   `json:"query,omitempty"` // of the call, if the loop had no question
}

// Verified is one verification of claims against the stored texts.
type Verified struct {
	Cycle        int            `json:"cycle"`
	Verdict      string         `json:"verdict"` // pass or fail
	Groundedness float64        `json:"groundedness"`
	Claims       []Claim        `json:"claims,omitempty"` // new ones with their ids
	Checks       []CheckOf      `json:"checks"`
	Hallucinated []Hallucinated `json:"hallucinated,omitempty"`
	Dead         int            `json:"hallucinated_count,omitempty"` // with those that Hallucinated leaves out

	Candidates []ReviewCandidate `json:"candidates,omitempty"` // for a second reader

	Angle   string   `json:"angle,omitempty"`   // of the subagent that claims this
	Queries []string `json:"queries,omitempty"` // its own searches

	Draft      bool               `json:"draft,omitempty"`
	DraftText  string             `json:"draft_sha256,omitempty"` // hash of the stored draft
	DraftChars int                `json:"draft_chars,omitempty"`
	Readings   map[string]Reading `json:"readings,omitempty"` // by review key: accepted readings of the same words with other citations
	Call
}

// Closed ends a round.
type Closed struct {
	Gaps          []Gap       `json:"gaps,omitempty"` // new ones with their ids
	Answered      []string    `json:"answered,omitempty"`
	OpenQuestions []ClosedGap `json:"open_questions,omitempty"` // gaps that the available sources cannot close
	SignOff       bool        `json:"signoff"`                  // the host's
	Coverage      *Coverage   `json:"coverage,omitempty"`
	Failures      []string    `json:"failures,omitempty"`
	SynthesisLen  int         `json:"synthesis_chars,omitempty"`
	Synthesis     string      `json:"synthesis_sha256,omitempty"` // hash of the stored text
	Absence       float64     `json:"absence_share,omitempty"`    // share of the synthesis' sentences that admit absence
	Rejected      []Rejected  `json:"rejected,omitempty"`
	Call
}

// Kinds of events that others than the fold ask for.
const (
	KindStarted        = "loop.started"
	KindReviewOpened   = "review.opened"
	KindReviewAnswered = "review.answered"
)

func (Started) kind() string        { return KindStarted }
func (Updated) kind() string        { return "loop.updated" }
func (GapAdded) kind() string       { return "gap.added" }
func (Searched) kind() string       { return "search.done" }
func (Read) kind() string           { return "sources.read" }
func (Verified) kind() string       { return "claims.verified" }
func (Closed) kind() string         { return "round.closed" }
func (ReviewOpened) kind() string   { return KindReviewOpened }
func (ReviewAnswered) kind() string { return KindReviewAnswered }
func (Imported) kind() string       { return "loop.imported" }

// payloads has the type of each kind. A new kind of event needs a payload type and a place here; older versions skip its events.
var payloads = func() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, p := range []Payload{Started{}, Updated{}, GapAdded{}, Searched{}, Read{}, Verified{}, Closed{}, ReviewOpened{},
		ReviewAnswered{}, Imported{}} {
		types[p.kind()] = reflect.TypeOf(p)
	}
	return types
}()

// payloadVersion is the format of all payloads.
const payloadVersion = 1

// NewEvent makes event seq of a loop from a payload. op is the id of its operation.
func NewEvent(loop string, seq int64, at time.Time, op string, p Payload) (Event, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return Event{}, fmt.Errorf("loopstate: encode %s event: %w", p.kind(), err)
	}
	if n := len(data); n > MaxEventBytes {
		return Event{}, &Error{Code: CodeTooLong, Subject: "request", Got: int64(n), Limit: MaxEventBytes, Unit: "bytes"}
	}
	return Event{Loop: loop, Seq: seq, At: at.UTC(), Kind: p.kind(), Version: payloadVersion, Op: op, Data: data}, nil
}

// Decode returns the payload of an event: a pointer to one of the payload types, or nil for an unknown kind, which a newer
// version wrote.
func Decode(e Event) (Payload, error) {
	known, ok := payloads[e.Kind]
	if !ok {
		return nil, nil
	}
	p := reflect.New(known).Interface().(Payload)
	if err := json.Unmarshal(e.Data, p); err != nil {
		return nil, fmt.Errorf("loopstate: damaged %s event %d of loop %s: %w", e.Kind, e.Seq, e.Loop, err)
	}
	return p, nil
}

// ReviewOpened opens a batch.
type ReviewOpened struct {
	Batch string       `json:"batch"` // R1, R2, …
	Seed  string       `json:"seed"`
	Items []ReviewItem `json:"items"`
}

// ReviewAnswered holds a reader's answers to some or all items of a batch.
type ReviewAnswered struct {
	Batch   string         `json:"batch"`
	Reader  Reader         `json:"reader"`
	Answers []ReviewAnswer `json:"answers"`
	Refused []string       `json:"refused,omitempty"` // items whose quote is not in what was shown, for the first time
	Usage   Usage          `json:"usage,omitzero"`
	Call
}

// Imported records that the log before it was read from an archive. Its verdicts were not repeated.
type Imported struct {
	At time.Time `json:"at,omitzero"` // set by the fold
}

// FlagImported is the flag of a claim whose verdict rests on a review in an imported archive.
const FlagImported = "imported_review: a review elsewhere gave this verdict; it was not checked here"

// MaxEventBytes bounds the data of one event. Chosen: the events of a draft of 400,000 characters, the longest, have some 3 MB.
const MaxEventBytes = 8 << 20
