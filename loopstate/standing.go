package loopstate

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Standing is what services say was published about a document later. A source without one was not looked up.
type Standing struct {
	Kind   string    `json:"kind,omitempty"`   // retracted, withdrawn, removed, expression of concern, corrected; empty: nothing is known
	Notice string    `json:"notice,omitempty"` // DOI of the notice
	Date   string    `json:"date,omitempty"`   // of the notice
	From   string    `json:"from"`             // the service that says so, or those that were asked
	At     time.Time `json:"at"`               // when it was looked up
	// Late is set if it was found after the text was read.
	Late    bool     `json:"late,omitempty"`
	Version string   `json:"version,omitempty"` // the newest one at the first look, of a preprint: v3
	Related []string `json:"related,omitempty"` // keys of other versions then: the article that a preprint became
	Newer   string   `json:"newer,omitempty"`   // a version that was not there then
}

// Retracts reports whether a document should not be cited without a word about it. A correction is no such reason.
func (s *Standing) Retracts() bool { return s != nil && s.Kind != "" && s.Kind != "corrected" }

// Flag returns the flag of a source: "retracted: 2014-03-01, notice https://doi.org/10.1/x (crossref)". It is empty if nothing is
// known.
func (s *Standing) Flag() string {
	if s == nil || s.Kind == "" {
		return ""
	}
	out := strings.ReplaceAll(s.Kind, " ", "_") + ": " + cmp.Or(clip(s.Date, 40), "date unknown")
	if s.Notice != "" {
		out += ", notice https://doi.org/" + clip(s.Notice, 200)
	}
	return out + " (" + clip(s.From, 60) + ")"
}

// flags returns all flags of a source about it.
func (s *Standing) flags() (out []string) {
	if flag := s.Flag(); flag != "" {
		out = append(out, flag)
	}
	if s != nil && s.Newer != "" {
		out = append(out, "newer_version: "+clip(s.Newer, 200))
	}
	return out
}

// tells reports whether a later look found what the earlier one, which may be nil, did not have.
func (s *Standing) tells(before *Standing) bool {
	return before == nil || s.Kind != before.Kind || s.Notice != before.Notice || s.Date != before.Date || s.Newer != before.Newer
}

// The results of reading a source again.
const (
	RereadSame        = "same"          // the text is unchanged
	RereadElsewhere   = "changed"       // it has changed, but no passage that is cited
	RereadCited       = "cited_changed" // a cited passage is not there any more
	RereadGone        = "gone"
	RereadUnreachable = "unreachable"
)

// Reread is how a source was found when it was read again. Its stored text stays.
type Reread struct {
	SourceID string    `json:"source_id"`
	At       time.Time `json:"at"`
	Result   string    `json:"result"`
	SHA256   string    `json:"sha256,omitempty"` // of the text as it is now
	Lost     Spans     `json:"lost,omitempty"`   // cited passages of the stored text that are not in it
	Claims   []string  `json:"claims,omitempty"` // ids of recorded claims that cite them
	Now      string    `json:"now,omitempty"`    // id of the source with the text as it is now, if cited passages are lost
	Standing *Standing `json:"standing,omitempty"`
}

// flags returns the flags of a source.
func (r *Reread) flags() []string {
	if r == nil {
		return nil
	}
	on := r.At.UTC().Format(time.DateOnly)
	switch r.Result {
	case RereadElsewhere:
		return []string{FlagChanged + ": read again on " + on + ", its text is another; the cited lines stand"}
	case RereadCited:
		flag := FlagChanged + ": read again on " + on + ", cited lines are not there any more"
		if r.Now != "" {
			flag += "; " + r.Now + " is the text as it was then"
		}
		return []string{flag}
	case RereadGone:
		return []string{"gone: there was nothing at its address on " + on}
	}
	return nil
}

// FlagChanged is the flag of a source whose text is another now, and of a claim whose cited lines are not there any more.
const FlagChanged = "changed_since"

// withFlags returns the flags of a source with others in place of those before, and in front: a host may be shown the first one alone.
func withFlags(flags, before, now []string) []string {
	rest := slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return slices.Contains(before, f) })
	return append(slices.Clone(now), rest...)
}

// SetStanding sets what is known of a source, with its flags. The versions of the first look stay.
func (src *Source) SetStanding(now *Standing) {
	if before := src.Standing; before != nil {
		now.Version, now.Related = before.Version, before.Related
	}
	src.Flags = withFlags(src.Flags, src.Standing.flags(), now.flags())
	src.Standing = now
}

// News returns those of the sources read again of which the loop does not know how they were found. An address that could not be
// reached is news only with what services say of it.
func (s *State) News(again []Reread) []Reread {
	var out []Reread
	for _, r := range again {
		src, ok := s.SourceByID(r.SourceID)
		if !ok {
			continue
		}
		if r.Standing != nil && !r.Standing.tells(src.Standing) {
			r.Standing = nil
		}
		known := RereadSame
		if src.Reread != nil {
			known = src.Reread.Result
		}
		same := r.Result == "" || r.Result == RereadUnreachable || r.Result == known &&
			(r.Result != RereadCited || slices.Equal(src.Reread.Lost, r.Lost))
		if !same || r.Standing != nil {
			out = append(out, r)
		}
	}
	return out
}

// reread folds how sources were found when they were read again.
func (s *State) reread(again []Reread) {
	for _, r := range again {
		i, ok := s.index.sourceID[r.SourceID]
		if !ok {
			continue
		}
		src := &s.Sources[i]
		if now := r.Standing; now != nil {
			now.Late = src.Standing == nil || src.Standing.Late || now.Kind != src.Standing.Kind
			src.SetStanding(now)
		}
		if r.Result == "" || r.Result == RereadUnreachable {
			continue
		}
		r.Standing = nil
		src.Flags = withFlags(src.Flags, src.Reread.flags(), r.flags())
		src.Reread = &r
		for _, id := range r.Claims {
			if i, ok := s.index.claimID[id]; ok {
				s.Claims[i].wait(FlagChanged + ": " + src.ID + " does not have the cited lines any more")
			}
		}
	}
	s.flagRetracted()
}

// wait makes a claim wait for a reader.
func (c *Claim) wait(flag string) {
	if c.Check == nil || slices.Contains(c.Check.Flags, flag) {
		return
	}
	c.amend(func(check *ClaimCheck) {
		check.Status, check.Basis, check.Key, check.Reviewed = Inferred, "", "", ""
		check.Flags = append(check.Flags, flag)
	})
}

// FlagRetracted is the flag of a claim all of whose sources were retracted.
const FlagRetracted = "retracted_source"

// RetractedFlag returns the flag of a claim that cites these sources, or "" if one of them stands.
func RetractedFlag(cited []Source) string {
	var said []string
	for _, src := range cited {
		if !src.Standing.Retracts() {
			return ""
		}
		said = append(said, src.ID+" "+src.Standing.Flag())
	}
	if len(said) == 0 {
		return ""
	}
	return FlagRetracted + ": " + strings.Join(said, "; ")
}

// flagRetracted flags the recorded claims all of whose sources were retracted. A later check does so by itself.
func (s *State) flagRetracted() {
	for i := range s.Claims {
		c := &s.Claims[i]
		var cited []Source
		for _, id := range c.SourceIDs {
			src, _ := s.SourceByID(id)
			cited = append(cited, src)
		}
		if flag := RetractedFlag(cited); flag != "" && c.Check != nil && !slices.Contains(c.Check.Flags, flag) {
			c.amend(func(check *ClaimCheck) {
				check.Flags = append(slices.DeleteFunc(check.Flags, func(f string) bool { return strings.HasPrefix(f, FlagRetracted) }),
					flag)
			})
		}
	}
}
