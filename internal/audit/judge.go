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

// work returns the records of the work that the entry names, each once and the most like it first: of its identifiers those with its
// title, and of the results of searches those with its title and an author of it, if any has one.
func (s *searching) work() (work []references.Record) {
	for _, r := range slices.Concat(s.byID, s.others) {
		same := func(x references.Record) bool { return x.From == r.From && x.URL == r.URL }
		fits := s.entry.Fits(r) || r.Editions && s.entry.Title+s.entry.Text == "" // an ISBN alone
		if fits && !slices.ContainsFunc(work, same) {
			work = append(work, r)
		}
	}
	slices.SortStableFunc(work, func(a, b references.Record) int { return cmp.Compare(s.entry.Closeness(b), s.entry.Closeness(a)) })
	return slices.DeleteFunc(work, func(r references.Record) bool { // two works may have one title
		return s.entry.Closeness(r) < s.entry.Closeness(work[0])-references.OtherWork
	})
}

// wrongDOI reports a DOI that no agency has, or that is of another work.
func (s *searching) wrongDOI(work []references.Record) (d references.Difference, wrong bool) {
	if s.entry.DOI == "" || len(work) == 0 || slices.ContainsFunc(s.byID, s.entry.Fits) {
		return d, false
	}
	d = references.Difference{Field: references.FieldDOI, Listed: s.entry.DOI, From: work[0].From, Recorded: "another DOI"}
	if at := slices.IndexFunc(work, func(r references.Record) bool { return r.DOI != "" }); at >= 0 {
		d.Recorded, d.From = work[at].DOI, work[at].From
	} else if len(s.byID) > 0 {
		d.Recorded, d.From = "the DOI of "+s.byID[0].Title, s.byID[0].From
	}
	if len(s.byID) > 0 {
		return d, true
	}
	answered := 0 // both agencies that mint such DOIs said that they have none
	for _, a := range s.asked {
		if a.For == s.entry.DOI && a.Status == channels.StatusEmpty && (a.Channel == "crossref" || a.Channel == "datacite") {
			answered++
		}
	}
	if answered < 2 && !(answered == 1 && strings.HasPrefix(s.entry.DOI, "10.48550/")) {
		return d, false
	}
	if d.Recorded == "another DOI" {
		d.Recorded, d.From = "no such DOI at Crossref and DataCite", "crossref"
	}
	return d, true
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
