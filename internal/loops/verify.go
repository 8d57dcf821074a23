package loops

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Verify checks claims, or the sentences of a draft, against the loop's texts, and records the result. If a reader is
// configured, a model reads the pending claims, and the result includes its answers.
//
// Cited addresses that nobody stored are read first, at most [Config.MaxCited] of them. A draft without a loop gets one of its own,
// unless in.Scratch is set.
func (s *Service) Verify(ctx context.Context, in VerifyInput) (v verify.Result, err error) {
	if in.Judge == JudgeModel && s.ClaimReader == nil {
		return v, &loopstate.Error{Code: loopstate.CodeNoJudge, Subject: "judge"}
	}
	in.reads, in.Draft = true, docid.WithoutCredentials(in.Draft)
	if err := in.check(); err != nil {
		return v, err
	}
	if in.Loop == "" && in.Draft != "" && !in.Scratch {
		started, err := s.StartOnce(ctx, in.Operation, loopstate.StartInput{Query: questionOf(in.Draft), Complexity: "simple"})
		if err != nil {
			return v, err
		}
		if in.Loop = started.StateID; in.Operation != "" { // the loop has it as that of its start
			in.Operation = "check-" + loopstate.HashText([]byte(in.Operation)).String()
		}
	}
	v, err = s.verified(ctx, &in)
	if err != nil || in.Scratch || in.Judge == JudgeNone || s.ClaimReader == nil || v.Review.Pending == 0 {
		return v, err
	}
	counted, flags, err := s.readByEndpoint(ctx, in.Loop, in.Judge == JudgeModel)
	in.Operation = "" // used above
	switch {
	case err != nil:
		return v, err
	case counted:
		v, err = s.verified(ctx, &in)
	default:
		v.Review, err = peek(ctx, s, in.Loop, verify.Needed)
	}
	v.Flags = append(v.Flags, flags...)
	return v, err
}

// maxTitleChars bounds the first line of a draft in a question (chosen).
const maxTitleChars = 120

// questionOf names a loop that a check started, by the draft's first line.
func questionOf(draft string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(draft, "# \t\r\n"), "\n")
	return "Check of a draft: " + loopstate.Shorten(strings.Join(strings.Fields(line), " "), maxTitleChars)
}

// verified checks, and records that unless it is a scratch check.
func (s *Service) verified(ctx context.Context, in *VerifyInput) (v verify.Result, err error) {
	if v, err = s.examine(ctx, in); err == nil && !in.Scratch {
		err = s.recordVerification(ctx, *in, &v)
	}
	return v, err
}

// recordVerification records a verification.
func (s *Service) recordVerification(ctx context.Context, in VerifyInput, v *verify.Result) error {
	hash := ""
	if v.OfDraft {
		hash = loopstate.HashText([]byte(in.Draft)).String()
	}
	request := asked([]any{in.Draft, in.Claims, in.Angle, in.Queries})
	return change(ctx, s, in.Loop, in.Operation, request, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.Verify(loopstate.Verified{Verdict: v.Verdict, Groundedness: v.Groundedness,
			Hallucinated: v.Hallucinated,
			Dead:         v.Dead, Draft: v.OfDraft, DraftText: hash, Candidates: v.Candidates(), Angle: in.Angle,
			Queries: in.Queries, Readings: v.Reused, Call: loopstate.Call{Asked: request}}, v.Checks(), in.Draft)
		if err != nil {
			return nil, err
		}
		if !v.OfDraft {
			return p, nil
		}
		return withTexts{Payload: p, texts: [][]byte{[]byte(in.Draft)}}, nil
	}, func(st *loopstate.State, p *loopstate.Verified, e loopstate.Event) error {
		v.Cycle, v.GeneratedAt = p.Cycle, e.At
		next := 0
		for i := range v.Claims {
			if !v.OfDraft && len(v.Claims[i].SourceIDs()) > 0 && next < len(p.Checks) { // a repeated call may have other claims
				v.Claims[i].ID = p.Checks[next].ClaimID
				next++
			}
		}
		v.CoverageGaps = verify.CoverageGaps(st)
		v.Review = verify.Needed(st)
		return nil
	})
}

// RecordedClaims returns the claims of a loop that are not retracted, to be verified again.
func (s *Service) RecordedClaims(ctx context.Context, loop string) ([]verify.Claim, error) {
	return peek(ctx, s, loop, recordedClaims)
}

func recordedClaims(st *loopstate.State) (claims []verify.Claim) {
	for _, c := range st.CurrentClaims() {
		claim := verify.New(c.Claim, c.References()...)
		claim.ID = c.ID
		claims = append(claims, claim)
	}
	return claims
}

// VerifyInput is a request to verify either claims or a draft.
type VerifyInput struct {
	Loop      string
	Operation string // identifies a repeated call, which is recorded once; may be empty
	Claims    []verify.Claim
	Draft     string
	Threshold float64  // 0: verify.DefaultThreshold
	Judge     string   // JudgeModel or JudgeNone; empty: the configured reader, if any
	Angle     string   // of the subagent that makes the claims; may be empty
	Queries   []string // its own searches, which are logged
	// Scratch leaves no trace: nothing is recorded, and what is read is forgotten. Without a loop, the text is checked against
	// what it cites alone.
	Scratch bool
	Resolve func(link string) string                     // the address of a relative link; nil: a file of the user's folders
	Known   func(verify.Claim) (loopstate.Reading, bool) // readings from elsewhere, such as a lock; nil: none

	reads  bool                     // cited addresses that nobody stored are read; otherwise they are errors
	looked map[string]verify.Lookup // what reading gave, by canonical key; nil before: nothing is read twice
}

func (in VerifyInput) check() error {
	switch {
	case len(in.Claims) == 0 && strings.TrimSpace(in.Draft) == "":
		return &loopstate.Error{Code: loopstate.CodeMissing, Subject: "claims"}
	case len(in.Claims) > 0 && in.Draft != "":
		return &loopstate.Error{Code: loopstate.CodeConflict, Subject: "draft", Value: "claims"}
	case in.Angle == "" && len(in.Queries) > 0:
		return &loopstate.Error{Code: loopstate.CodeMissing, Subject: "angle"}
	case in.Angle != "" && in.Draft != "":
		return &loopstate.Error{Code: loopstate.CodeConflict, Subject: "draft", Value: "angle"}
	case in.Angle != "" && in.Scratch:
		return &loopstate.Error{Code: loopstate.CodeConflict, Subject: "scratch", Value: "angle"}
	case len(in.Claims) > maxClaims:
		return loopstate.CheckCount("claims", len(in.Claims), maxClaims)
	case utf8.RuneCountInString(in.Draft) > MaxDraftChars:
		return tooLong("draft", utf8.RuneCountInString(in.Draft), MaxDraftChars)
	case draft.IsHTML(in.Draft):
		return &wording.Mistake{Argument: "draft", Problem: "is HTML",
			Remedy: "convert it to Markdown first, for example with pandoc -f html -t gfm"}
	case !utf8.ValidString(in.Draft):
		return &loopstate.Error{Code: loopstate.CodeNotText, Subject: "draft"}
	}
	return loopstate.CheckRange("threshold", in.Threshold, 0, 1)
}

// chars is the length of what is checked, in bytes.
func (in VerifyInput) chars() int {
	n := len(in.Draft)
	for _, c := range in.Claims {
		n += len(c.Text)
	}
	return n
}

// examine is a verification that is not recorded. It reads the cited addresses that nobody stored, if in.reads is set, and keeps in in what
// they gave. It parses outside of the loop's turn: a long draft takes a while.
func (s *Service) examine(ctx context.Context, in *VerifyInput) (v verify.Result, err error) {
	var bad []loopstate.BadURL
	look := func(st *loopstate.State) error {
		v, bad = verify.Begin(st, in.Threshold, s.Now()), slices.Clone(st.Bad)
		return nil
	}
	if in.Loop == "" {
		_ = look(&loopstate.State{})
	} else if err := s.view(ctx, in.Loop, look); err != nil {
		return v, err
	}
	resolve := in.Resolve
	if resolve == nil {
		resolve = s.inCorpus
	}
	v.OnDemand(in.reads, resolve)
	err = s.inTurn(ctx, in.chars(), func() error { return v.Resolve(in.Draft, in.Claims) })
	sources, _ := v.Wanted()
	if unread := v.Unresolved(); err == nil && len(unread) > 0 && in.looked == nil {
		err = s.look(ctx, in, unread, slices.Clone(sources), bad)
	}
	if err != nil {
		return v, err
	}
	v.Settle(in.looked, s.MaxCited)
	sources, wanted := v.Wanted()
	return v, s.inTurn(ctx, in.chars(), func() (err error) {
		if v.Sources, err = s.prepared(ctx, sources, wanted); err != nil {
			return err
		}
		for _, l := range in.looked {
			if l.Text != nil {
				v.Sources[l.Source.ID] = verify.Source{Source: l.Source, Text: l.Text}
			}
		}
		if err := verify.Check(ctx, v.Claims, v.Sources); err != nil {
			return err
		}
		v.Decide(in.Known)
		return nil
	})
}

// Values of VerifyInput.Judge.
const (
	JudgeModel = "llm"  // let the configured model read the claims
	JudgeNone  = "none" // read nothing
)

// maxClaims bounds the claims of one verification.
const maxClaims = 500
