package loops

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Limits of one verification.
const (
	maxClaims = 500
	// MaxDraftChars bounds a draft, in code points.
	MaxDraftChars = 400_000
)

// VerifyInput is a request to verify either claims or a draft.
type VerifyInput struct {
	Loop      string
	Operation string // identifies a repeated call, which is recorded once; may be empty
	Claims    []verify.Claim
	Draft     string
	Threshold float64  // 0: verify.DefaultThreshold
	Judge     string   // JudgeModel or JudgeNone; empty: the configured reader, if any
	Coverage  string   // loopstate.CoverageSample (also if empty) or CoverageAll
	Angle     string   // of the subagent that makes the claims; may be empty
	Queries   []string // its own searches, which are logged
	Final     bool     // the draft becomes the loop's text; otherwise its check leaves the loop as it is

	reads  bool                      // cited addresses that nobody stored are read; otherwise they are errors
	found  bool                      // only those that the loop has found are read: nobody has asked for the others
	looked map[string]verdict.Lookup // what reading gave, by canonical key; nil before
}

// Values of VerifyInput.Judge.
const (
	JudgeModel = "llm"  // let the configured model read the claims
	JudgeNone  = "none" // read nothing
)

// Verify checks claims, or the sentences of a draft, against the loop's texts, and records the result. If a reader is
// configured, a model reads the pending claims, and the result includes its answers.
//
// Cited addresses that nobody stored are read first, at most MaxURLs of them. A draft without a loop gets one of its own.
func (s *Service) Verify(ctx context.Context, in VerifyInput) (verdict.Verification, error) {
	if in.Judge == JudgeModel && s.ClaimReader == nil {
		return verdict.Verification{}, &loopstate.Error{Code: loopstate.CodeNoJudge, Subject: "judge"}
	}
	in.Draft = docid.WithoutCredentials(in.Draft)
	if in.Loop == "" && in.Draft != "" {
		if err := in.check(); err != nil {
			return verdict.Verification{}, err
		}
		if err := s.checkLoop(ctx, &in); err != nil {
			return verdict.Verification{}, err
		}
	}
	v, err := s.verify(ctx, &in)
	if err != nil || in.Judge == JudgeNone || s.ClaimReader == nil || v.Review.Pending == 0 {
		return v, err
	}
	counted, flags, err := s.readByEndpoint(ctx, in.Loop, in.Judge == JudgeModel)
	if err != nil {
		return v, err
	}
	if counted {
		in.Operation = "" // used above
		v, err = s.verify(ctx, &in)
	} else {
		err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
			v.Review = verdict.Needed(st)
			return nil
		})
	}
	v.Flags = append(v.Flags, flags...)
	return v, err
}

// verify checks, applies earlier readings, and records the result.
func (s *Service) verify(ctx context.Context, in *VerifyInput) (verdict.Verification, error) {
	v, done, err := s.examineCited(ctx, in, citedTime)
	if err != nil {
		return v, err
	}
	defer done()
	err = s.recordVerification(ctx, *in, &v)
	return v, err
}

// recordVerification records a verification.
func (s *Service) recordVerification(ctx context.Context, in VerifyInput, v *verdict.Verification) error {
	hash := ""
	if v.OfDraft {
		hash = loopstate.HashText([]byte(in.Draft)).String()
	}
	err := s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		words, fresh, err := s.newWords(ctx, st.LastCriticised(), hash, in.Draft)
		if err != nil {
			return nil, err
		}
		p, err := st.Verify(loopstate.VerifyInput{Verdict: v.Verdict, Groundedness: v.Groundedness, Threshold: v.Threshold, Checked: v.Checks(),
			Hallucinated: v.Hallucinated, Dead: v.Dead, Uncited: len(v.Uncited), Draft: v.OfDraft, Final: in.Final, Text: in.Draft, TextHash: hash, DraftWords: words, NewWords: fresh, Stated: v.Stated, Corrected: v.Corrected(), Candidates: v.Candidates(), Angle: in.Angle, Queries: in.Queries, Coverage: cmp.Or(in.Coverage, loopstate.CoverageSample)})
		if err != nil {
			return nil, err
		}
		p.Readings = v.Reused
		if !v.OfDraft {
			return p, nil
		}
		if err := s.checkLargeSpace(ctx, "draft", len(in.Draft)); err != nil {
			return nil, err
		}
		return states.WithTexts{Payload: p, Texts: [][]byte{[]byte(in.Draft)}}, nil
	}, func(st *loopstate.State, e loopstate.Event) error {
		p, err := payloadOf[loopstate.Verified](e)
		if err != nil {
			return err
		}
		v.Cycle, v.GeneratedAt = p.Cycle, e.At
		next := 0
		for i := range v.Claims {
			if !v.OfDraft && len(v.Claims[i].SourceIDs()) > 0 && next < len(p.Checks) { // a repeated call may have other claims
				v.Claims[i].ID = p.Checks[next].ClaimID
				next++
			}
		}
		v.CoverageGaps = verdict.CoverageGaps(st)
		v.Review = verdict.Needed(st)
		return nil
	})
	return err
}

// examine is a verification that is not recorded.
func (s *Service) examine(ctx context.Context, in VerifyInput) (verdict.Verification, error) {
	var v verdict.Verification
	if err := in.check(); err != nil {
		return v, err
	}
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		v = verdict.Begin(st, in.Threshold, s.Now())
		return nil
	})
	if err != nil {
		return v, err
	}
	v.OnDemand(in.reads, s.inCorpus)
	if err := v.Resolve(in.Draft, in.Claims); err != nil { // outside the loop's lock: parsing a long draft takes a while
		return v, err
	}
	if in.looked == nil {
		if v.ToRead = v.Unresolved(); len(v.ToRead) > 0 {
			return v, nil
		}
	}
	v.Settle(in.looked, MaxURLs)
	sources, origin, wanted := v.Wanted()
	if v.Sources, err = s.prepared(ctx, sources, origin, wanted); err != nil {
		return v, err
	}
	others := func() (map[string]verify.Source, error) {
		all := map[string]bool{}
		for _, src := range sources {
			all[src.ID] = true
		}
		return s.prepared(ctx, sources, origin, all)
	}
	return v, v.Judge(ctx, in.Coverage, others, func(unread map[string]bool) (map[string]loopstate.Reading, error) {
		return s.readElsewhere(ctx, in.Loop, unread)
	})
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
	case len(in.Claims) > maxClaims:
		return loopstate.CheckCount("claims", len(in.Claims), maxClaims)
	case utf8.RuneCountInString(in.Draft) > MaxDraftChars:
		return tooLong("draft", utf8.RuneCountInString(in.Draft), MaxDraftChars)
	case !utf8.ValidString(in.Draft):
		return &loopstate.Error{Code: loopstate.CodeNotText, Subject: "draft"}
	}
	if err := loopstate.CheckOneOf("coverage", in.Coverage, []string{loopstate.CoverageSample, loopstate.CoverageAll}); err != nil {
		return err
	}
	return loopstate.CheckRange("threshold", in.Threshold, 0, 1)
}

func shorten(s string, chars int) string {
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:chars])) + "…"
}

func checkQuery(query string) error {
	_, err := loopstate.CheckText("search", query, loopstate.MaxTextChars)
	return err
}

// Evidence checks one recorded claim again and returns it with its passages, its reading and the remarks. It records nothing.
func (s *Service) Evidence(ctx context.Context, loop, id string) (verify.Claim, error) {
	recorded, err := s.RecordedClaims(ctx, loop, []string{id})
	if err != nil {
		return verify.Claim{}, err
	}
	if len(recorded) == 0 {
		return verify.Claim{}, &loopstate.Error{Code: loopstate.CodeUnknownClaim, Subject: "claim", Value: id}
	}
	v, err := s.examine(ctx, VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New(recorded[0].Claim, recorded[0].References()...)}})
	if err != nil {
		return verify.Claim{}, err
	}
	v.Claims[0].ID = id
	return v.Claims[0], nil
}
