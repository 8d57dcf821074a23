package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/references"
)

// shownRecords of a work are listed with an entry.
const shownRecords = 5

// judge sets the status of the entry from what was found so far.
func (s *searching) judge(e *Entry) {
	slices.SortStableFunc(s.asked, func(a, b Asked) int {
		return slices.Index(s.cfg.Channels, a.Channel) - slices.Index(s.cfg.Channels, b.Channel)
	})
	work := s.work()
	compared := work
	if len(work) == 0 { // an identifier may be of another work
		compared = s.byID
	}
	e.Asked, e.Records = append([]Asked{}, s.asked...), append([]references.Record{}, work[:min(len(work), shownRecords)]...)
	e.Differences = append([]references.Difference{}, references.Compare(s.entry, compared)...)
	if d, wrong := s.wrongDOI(work); wrong && !slices.ContainsFunc(e.Differences,
		func(d references.Difference) bool { return d.Field == references.FieldDOI }) {
		e.Differences = append(e.Differences, d)
	}
	retracted := slices.IndexFunc(work, retracts)
	failed := joined(s.asked, failure)
	switch {
	case retracted >= 0:
		e.Status, e.Because = Retracted, retraction(work[retracted])
	case len(work) == 0 && len(s.byID) > 0:
		e.Status, e.Because = Mismatch, fmt.Sprintf("its identifier is of another work: %q", s.byID[0].Title)
	case len(e.Differences) > 0:
		e.Status, e.Because = Mismatch, "differs from the records in "+joined(e.Differences,
			func(d references.Difference) string { return d.Field })
	case len(work) > 0:
		e.Status, e.Because = Verified, "found at "+joined(work, func(r references.Record) string { return r.From })
	case failed != "":
		e.Status, e.Because = CouldNotLook, "nothing found, and not every service answered: "+failed
	default:
		e.Status, e.Because = NotFound, "not found at "+joined(s.asked, func(a Asked) string { return a.Channel })
	}
}

// work returns the records of the work that the entry names, each once and the most like it first: those with its title, and with an
// author of it, if any has one. Two works may have one title.
func (s *searching) work() (work []references.Record) {
	shares := s.entry.SharesAuthor
	for _, r := range slices.Concat(s.byID, s.others) {
		same := func(x references.Record) bool { return x.From == r.From && x.URL == r.URL }
		if s.entry.Fits(r) && !slices.ContainsFunc(work, same) {
			work = append(work, r)
		}
	}
	if slices.ContainsFunc(work, shares) {
		work = slices.DeleteFunc(work, func(r references.Record) bool { return !shares(r) })
	}
	slices.SortStableFunc(work, func(a, b references.Record) int { return cmp.Compare(s.entry.Likeness(b), s.entry.Likeness(a)) })
	return work
}

// wrongDOI reports a DOI that no agency has, or that is of another work.
func (s *searching) wrongDOI(work []references.Record) (d references.Difference, wrong bool) {
	if s.entry.DOI == "" || len(work) == 0 || slices.ContainsFunc(s.byID, s.entry.Fits) {
		return d, false
	}
	d = references.Difference{Field: references.FieldDOI, Listed: s.entry.DOI, Recorded: "no such DOI at Crossref and DataCite",
		From: "crossref"}
	if at := slices.IndexFunc(work, func(r references.Record) bool { return r.DOI != "" }); at >= 0 {
		d.Recorded, d.From = work[at].DOI, work[at].From
	} else if len(s.byID) > 0 {
		d.Recorded, d.From = "the DOI of "+s.byID[0].Title, s.byID[0].From
	}
	return d, len(s.byID) > 0 || s.nobodyHas(s.entry.DOI)
}

// nobodyHas reports whether the agencies that mint such DOIs answered that they do not have one.
func (s *searching) nobodyHas(doi string) bool {
	agencies := []string{"datacite", "crossref"}
	if isArXiv(doi) {
		agencies = agencies[:1]
	}
	for _, agency := range agencies {
		if !slices.ContainsFunc(s.asked, func(a Asked) bool {
			return a.Channel == agency && a.For == doi && a.Status == channels.StatusEmpty
		}) {
			return false
		}
	}
	return true
}

// retracts reports an update after which the work should not be cited without a word. A correction does not.
func retracts(r references.Record) bool { return r.Update != "" && r.Update != "corrected" }

func retraction(r references.Record) string {
	out := "it was " + r.Update
	if strings.HasPrefix(r.Update, "expression") {
		out = "there is an " + r.Update
	}
	if r.Date != "" {
		out += " on " + r.Date
	}
	if r.Notice != "" {
		out += ", see https://doi.org/" + r.Notice
	}
	return out + " (" + r.From + ")"
}

// failure returns how a request failed that says nothing about whether the work exists, or "". A service that needs a key which
// nobody set was not needed.
func failure(a Asked) string {
	if a.Status == channels.StatusOK || a.Status == channels.StatusEmpty || a.Status == channels.StatusAuthRequired {
		return ""
	}
	return a.Channel + " " + string(a.Status)
}

// joined lists each word once. An empty one is left out.
func joined[T any](all []T, word func(T) string) string {
	var out []string
	for _, one := range all {
		if w := word(one); w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, ", ")
}
