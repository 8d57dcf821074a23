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
}

// Retracts reports whether a document should not be cited without a word about it. A correction is no such reason.
func (s *Standing) Retracts() bool { return s != nil && s.Kind != "" && s.Kind != "corrected" }

// Flag returns the flag of a source: "retracted: 2014-03-01, notice https://doi.org/10.1/x (crossref)". It is empty if nothing is
// known.
func (s *Standing) Flag() string {
	if s == nil || s.Kind == "" {
		return ""
	}
	out := strings.ReplaceAll(s.Kind, " ", "_") + ": " + cmp.Or(Shorten(s.Date, 40), "date unknown")
	if s.Notice != "" {
		out += ", notice https://doi.org/" + Shorten(s.Notice, 200)
	}
	return out + " (" + Shorten(s.From, 60) + ")"
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
	Lost     []Span    `json:"lost,omitempty"`   // cited passages of the stored text that are not in it
	Claims   []string  `json:"claims,omitempty"` // ids of recorded claims that cite them
	Standing *Standing `json:"standing,omitempty"`
}

// Span is a part of a source's stored text: start and end in Unicode code points, half open. Its JSON is [start,end].
type Span [2]int

// Lacks reports whether a part of the stored text has a cited passage that is not there any more.
func (r *Reread) Lacks(p Span) bool {
	return r != nil && slices.ContainsFunc(r.Lost, func(lost Span) bool { return lost[0] < p[1] && p[0] < lost[1] })
}

// flag returns the flag of a source, or "".
func (r *Reread) flag() string {
	if r == nil {
		return ""
	}
	on := r.At.UTC().Format(time.DateOnly)
	switch r.Result {
	case RereadElsewhere:
		return FlagChanged + ": read again on " + on + ", its text is another; the cited lines stand"
	case RereadCited:
		return FlagChanged + ": read again on " + on + ", cited lines are not there any more"
	case RereadGone:
		return "gone: there was nothing at its address on " + on
	}
	return ""
}

// FlagChanged is the flag of a source whose text is another now, and of a claim whose cited lines are not there any more.
const FlagChanged = "changed_since"

// replaceFlag puts a flag in place of an earlier one, and in front: a host may be shown the first one alone. Both may be "".
func (src *Source) replaceFlag(before, now string) {
	flags := slices.DeleteFunc(slices.Clone(src.Flags), func(f string) bool { return f == before })
	if now != "" {
		flags = slices.Insert(flags, 0, now)
	}
	src.Flags = flags
}

// SetStanding sets what is known of a source, with its flag.
func (src *Source) SetStanding(now *Standing) {
	src.replaceFlag(src.Standing.Flag(), now.Flag())
	src.Standing = now
}

// News returns those of the sources read again of which the loop does not know how they were found. An address that could not be
// reached is news only with what services say of it.
func (s *State) News(again []Reread) []Reread {
	return keep(again, func(r Reread) bool {
		src, ok := s.SourceByID(r.SourceID)
		known := Reread{Result: RereadSame}
		if src.Reread != nil {
			known = *src.Reread
		}
		found := r.found() && (r.Result != known.Result || !slices.Equal(known.Lost, r.Lost))
		return ok && (found || r.Standing != nil && (src.Standing == nil || r.Standing.Flag() != src.Standing.Flag()))
	})
}

// found reports whether there was an answer to how the source is.
func (r *Reread) found() bool { return r.Result != "" && r.Result != RereadUnreachable }

// reread folds how sources were found when they were read again.
func (s *State) reread(again []Reread) {
	for _, r := range again {
		i, ok := numbered("S", r.SourceID, len(s.Sources))
		if !ok {
			continue
		}
		src := &s.Sources[i]
		if r.Standing != nil {
			src.SetStanding(r.Standing)
		}
		if !r.found() {
			continue
		}
		r.Standing = nil
		src.replaceFlag(src.Reread.flag(), r.flag())
		src.Reread = &r
		for _, id := range r.Claims {
			if i, ok := numbered("C", id, len(s.Claims)); ok {
				s.Claims[i].flag(FlagChanged+": "+src.ID+" does not have the cited lines any more", func(check *ClaimCheck) {
					check.Status, check.Key, check.Reviewed = Inferred, "", "" // it waits for a reader
				})
			}
		}
	}
	for i := range s.Claims { // a later check flags claims by itself
		cited := each(s.Claims[i].SourceIDs, func(id string) Source { src, _ := s.SourceByID(id); return src })
		if flag := RetractedFlag(cited); flag != "" {
			s.Claims[i].flag(flag, func(check *ClaimCheck) {
				check.Flags = slices.DeleteFunc(check.Flags, func(f string) bool { return strings.HasPrefix(f, FlagRetracted) })
			})
		}
	}
}

// FlagRetracted is the flag of a claim all of whose sources were retracted.
const FlagRetracted = "retracted_source"

// RetractedFlag returns the flag of a claim that cites these sources, or "" if one of them stands.
func RetractedFlag(cited []Source) string {
	if len(cited) == 0 || slices.ContainsFunc(cited, func(src Source) bool { return !src.Standing.Retracts() }) {
		return ""
	}
	said := each(cited, func(src Source) string { return src.ID + " " + src.Standing.Flag() })
	return FlagRetracted + ": " + strings.Join(said, "; ")
}
