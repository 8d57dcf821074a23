package loopstate

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The stages of a systematic review at which a record is screened, and the decisions.
const (
	StageTitle    = "title" // title and abstract
	StageFullText = "full_text"
	Include       = "include"
	Exclude       = "exclude"
)

// Screened is a decision on a record: a hit, or a source. A host may name the record by its address or DOI.
type Screened struct {
	Record   string    `json:"record"` // id of the hit (E1), or of the source (S1)
	Stage    string    `json:"stage"`
	Decision string    `json:"decision"`
	Reason   string    `json:"reason,omitempty"` // of an exclusion
	By       string    `json:"by,omitempty"`     // who decided; empty for the host
	At       time.Time `json:"at,omitzero"`      // set by the fold
}

// takeScreening rejects a decision on an unknown record, and an exclusion without a reason.
func (s *State) takeScreening(c *checks, in []Screened, p *Updated) {
	for i, d := range listed(c, "screening", in, MaxItems) {
		name := fmt.Sprintf("screening[%d]", i)
		out := Screened{
			Decision: c.word(name+".decision", d.Decision, []string{Include, Exclude}, ""),
			Stage:    c.word(name+".stage", d.Stage, []string{StageTitle, StageFullText}, StageTitle),
			Reason:   c.optional(name+".reason", d.Reason, MaxTextChars),
			By:       c.optional(name+".by", d.By, maxAuthorChars),
			Record:   s.recordNamed(strings.TrimSpace(d.Record), p.Evidence),
		}
		switch {
		case out.Decision == "":
			reject(&p.Rejected, name, "it has no decision: include or exclude")
		case out.Record == "":
			reject(&p.Rejected, name, "no hit or source of this loop has this address or id; record the hit first")
		case out.Decision == Exclude && out.Reason == "":
			reject(&p.Rejected, name, "an exclusion needs a reason")
		default:
			p.Screened = append(p.Screened, out)
		}
	}
}

// recordNamed returns the id of the hit, of the loop or of the same call, or else of the source with a name, or "". A
// source that is named by its id may have a hit too, found before or after.
func (s *State) recordNamed(name string, fresh []Evidence) string {
	id := strings.ToUpper(name)
	if _, ok := s.SourceByID(id); ok {
		return id
	}
	wanted := Evidence{URL: name}
	if !strings.Contains(name, "://") {
		wanted.IDs = []string{name}
	}
	if strings.HasPrefix(name, "10.") {
		wanted = Evidence{DOI: name}
	}
	for _, e := range fresh {
		if e.ID == id || slices.ContainsFunc(evidenceKeys(e), func(key string) bool { return slices.Contains(evidenceKeys(wanted), key) }) {
			return e.ID
		}
	}
	if _, ok := s.index.evidenceID[id]; ok {
		return id
	}
	if known, ok := s.SeenEvidence(wanted); ok {
		return known
	}
	src, _ := s.SourceByAddress(wanted.URL, wanted.DOI)
	return src.ID
}

// SourceOf returns the source of a hit, by its address, its DOI or another id.
func (s *State) SourceOf(e Evidence) (Source, bool) {
	src, ok := s.SourceByAddress(e.URL, e.DOI)
	for i := 0; !ok && i < len(e.IDs); i++ {
		src, ok = s.SourceByKey(e.IDs[i])
	}
	return src, ok
}

// screen records decisions. The same person's later decision on a record at the same stage replaces the earlier one.
func (s *State) screen(at time.Time, decisions []Screened) {
	for _, d := range decisions {
		d.At = at
		s.Screening = append(slices.DeleteFunc(s.Screening, func(old Screened) bool {
			return old.Record == d.Record && old.Stage == d.Stage && old.By == d.By
		}), d)
	}
}

// identify counts the records that channels gave, before duplicates are removed.
func (s *State) identify(channel string, n int) {
	if n != 0 {
		put(&s.Identified, channel, s.Identified[channel]+n)
	}
}
