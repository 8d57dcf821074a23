package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
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
	stored bool                      // the texts are taken as they were read, whatever was found when they were read again
	looked map[string]verdict.Lookup // what reading gave, by canonical key; nil before
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
	v.Settle(func(cite verify.Citation) (verdict.Lookup, bool) {
		l, ok := in.looked[docid.CanonicalKey(cite.URL, "")]
		return l, ok
	}, MaxURLs)
	sources, origin, wanted := v.Wanted()
	if v.Sources, err = s.prepared(ctx, sources, origin, wanted); err != nil {
		return v, err
	}
	if in.stored {
		for id, src := range v.Sources {
			src.Reread = nil
			v.Sources[id] = src
		}
	}
	others := func() (map[string]verify.Source, error) {
		all := map[string]bool{}
		for _, src := range sources {
			all[src.ID] = true
		}
		return s.prepared(ctx, sources, origin, all)
	}
	if err := v.Check(ctx, others); err != nil {
		return v, err
	}
	return v, v.Decide(in.Coverage, func(unread map[string]bool) (map[string]loopstate.Reading, error) {
		return s.readElsewhere(ctx, in.Loop, unread)
	})
}

// examineLong is examine in its turn. done must be called after the last use of the result, unless err is set. A long text
// that takes too much time is too long.
func (s *Service) examineLong(ctx context.Context, in VerifyInput) (v verdict.Verification, done func(), err error) {
	if err := in.check(); err != nil {
		return v, nil, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return v, nil, err
	}
	n := len(in.Draft)
	for _, c := range in.Claims {
		n += len(c.Text)
	}
	if done, err = s.beginLong(ctx, owner, n); err != nil {
		return v, nil, err
	}
	checking, cancel := ctx, context.CancelFunc(func() {})
	if n >= longChars {
		checking, cancel = context.WithTimeout(ctx, s.CheckTime)
	}
	defer cancel()
	if v, err = s.examine(checking, in); err != nil {
		done()
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = tooLong("draft", n, n/2)
		}
		return v, nil, err
	}
	return v, done, nil
}

// readElsewhere returns accepted readings with the given review keys in other loops of the owner. A review key identifies
// the claim, the texts and the quotes.
func (s *Service) readElsewhere(ctx context.Context, loop string, unread map[string]bool) (map[string]loopstate.Reading, error) {
	if len(unread) == 0 {
		return nil, nil
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	heads, err := s.Store.Reviewed(ctx, owner, maxLoopsReadElsewhere+1) // one may be this loop
	if err != nil {
		return nil, fmt.Errorf("loops: find readings: %w", err)
	}
	found := map[string]loopstate.Reading{}
	for _, head := range heads {
		if head.Loop == loop || len(found) == len(unread) {
			continue
		}
		err := s.view(ctx, head.Loop, func(st *loopstate.State) error {
			for key := range unread {
				reading, ok := st.Readings[key]
				if _, known := found[key]; ok && !known && reading.Corrected == nil { // the lines of a correction are of its loop
					reading.Loop = cmp.Or(reading.Loop, head.Loop)
					found[key] = reading
				}
			}
			return nil
		})
		if err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) { // deleted in the meantime
			return nil, err
		}
	}
	return found, nil
}

// maxLoopsReadElsewhere bounds how many loops with readings are searched, last changed first: each may have to be loaded.
const maxLoopsReadElsewhere = 30

// Values of VerifyInput.Judge.
const (
	JudgeModel = "llm"  // let the configured model read the claims
	JudgeNone  = "none" // read nothing
)

// maxClaims bounds the claims of one verification.
const maxClaims = 500
