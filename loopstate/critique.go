package loopstate

import (
	"time"
)

// A critic who has not written the draft reads it and hands over points; the author answers each. A draft that was wrong in two and in
// four places had no proven error left after its critic (measured on two texts of 2,500 words).

// Limits of one critic.
const (
	// MaxPoints is what one critic may hand over (measured: 20 and 25 points were worth weighing), the most material first.
	MaxPoints = 25
	// MaxPointChars bounds each text of a point or an answer (chosen: a long paragraph).
	MaxPointChars = 2_000
)

// Answers to a point.
const (
	PointTaken   = "taken"
	PointPartly  = "partly"
	PointRefused = "refused"
)

// PointAnswers lists the answers to a point.
func PointAnswers() []string { return []string{PointTaken, PointPartly, PointRefused} }

// What a host may say about the critic.
const (
	CriticRead     = "read"     // a critic read the draft: the points are all that it found, even none
	CriticDeclined = "declined" // the user wants none
)

// Point is what a critic found in a draft, and the author's answer.
type Point struct {
	ID     string `json:"point_id"` // P1, P2, …
	What   string `json:"what"`
	Where  string `json:"where,omitempty"`  // in the draft
	Lines  string `json:"lines,omitempty"`  // the evidence: "S1:120; S3:7"
	Cut    string `json:"cut,omitempty"`    // what the draft can do without instead
	Critic int    `json:"critic"`           // whose point it is, from 1
	Answer string `json:"answer,omitempty"` // one of PointAnswers; empty until the author answers
	Why    string `json:"why,omitempty"`
}

// CriticReading is one reading of a draft by a critic.
type CriticReading struct {
	Draft  string    `json:"draft_sha256"`
	Chars  int       `json:"draft_chars"`
	Points int       `json:"points"` // new ones
	Round  int       `json:"round"`
	At     time.Time `json:"at"`
}

// Critique is what a call says about the critic of the draft.
type Critique struct {
	Draft    string        `json:"draft_sha256,omitempty"` // the draft that the critic read; empty without a critic
	Chars    int           `json:"draft_chars,omitempty"`
	Points   []Point       `json:"points,omitempty"` // with their ids
	Answers  []PointAnswer `json:"answers,omitempty"`
	Declined string        `json:"declined,omitempty"` // why the user wants no critic
}

// PointAnswer is the author's answer to a point.
type PointAnswer struct {
	Point  string `json:"point"`
	Answer string `json:"answer"`
	Why    string `json:"why,omitempty"`
}

// CritiqueInput is a host's critique. The caller has checked that the lines of the points exist.
type CritiqueInput struct {
	Points  []PointInput
	Critic  string // CriticRead, CriticDeclined or empty
	Why     string // of CriticDeclined
	Answers []PointAnswer
}

// PointInput is one point of a critic.
type PointInput struct{ What, Where, Lines, Cut string }

// given reports whether the host says anything about the critic.
func (in CritiqueInput) given() bool {
	return len(in.Points) > 0 || in.Critic != "" || len(in.Answers) > 0
}
