package loops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// citedTime is how long a check waits for cited pages (chosen): with the check of a long text after it, a call ends in time.
const citedTime = 14 * time.Second

// look reads the first [Config.MaxCited] of the addresses, and sets what that gave. One that a check could not read before is not
// asked for again, unless that may have passed.
func (s *Service) look(ctx context.Context, in *VerifyInput, addresses []string) error {
	out := map[string]verify.Lookup{}
	in.looked = out
	var urls []string
	var stored []loopstate.Source
	err := s.viewOrEmpty(ctx, in.Loop, func(st *loopstate.State) error {
		stored = append(stored, st.Sources...)
		failed := map[string]string{}
		for _, b := range st.Bad {
			failed[docid.CanonicalKey(b.URL, "")] = b.Reason
		}
		for _, a := range addresses {
			key, a := docid.CanonicalKey(a, ""), address.Redact(a)
			status, reason, known := strings.Cut(failed[key], ": ")
			switch {
			case known && !transient(fetch.Status(status)) && slices.Contains(fetch.Statuses(), fetch.Status(status)):
				out[key] = failedLookup(fetch.Status(status), reason, false)
			case len(a) > loopstate.MaxURLChars:
				out[key] = verify.Lookup{Why: fmt.Sprintf("the address is longer than %d bytes", loopstate.MaxURLChars)}
			case a != "" && !slices.Contains(urls, a) && len(urls) < s.MaxCited:
				urls = append(urls, a)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Patience, citedTime))
	defer cancel()
	for part := range slices.Chunk(urls, MaxURLs) {
		read := ReadInput{Loop: in.Loop, URLs: part, atCheck: true}
		if in.Scratch {
			read.Loop = ""
		}
		pages, err := s.Read(ctx, read)
		if err != nil {
			return err
		}
		for i, p := range pages {
			l := failedLookup(p.Status, p.Reason, p.missing)
			if p.Status == fetch.StatusRead {
				l = verify.Lookup{Source: identified(p, &stored), Text: verify.NewPage(p.Text, p.Furniture)}
			}
			out[docid.CanonicalKey(part[i], "")] = l
		}
	}
	return nil
}

// identified returns a page as a source; one that is not stored gets an id that no other one has. stored are all sources, of the loop and
// of this check.
func identified(p PageOutcome, stored *[]loopstate.Source) loopstate.Source {
	for _, src := range *stored {
		if src.ID == p.ID || src.SHA256 == p.SHA256 && src.Key == p.Key {
			return src
		}
		if src.SHA256 == p.SHA256 && p.ID == "" {
			p.SameAs, p.DuplicateOf = src.Key, src.ID
		}
	}
	if p.ID == "" {
		p.ID = fmt.Sprintf("S%d", len(*stored)+1)
	}
	*stored = append(*stored, p.Source)
	return p.Source
}

// failedLookup says why an address was not read, and what to do.
func failedLookup(status fetch.Status, reason string, missing bool) verify.Lookup {
	l := verify.Lookup{Gone: missing || status == fetch.StatusNotFound, Late: transient(status)}
	remedy := "have the user paste its text, or cite another source"
	switch {
	case l.Gone:
		remedy = "correct the address, or fetch it if it exists now"
	case l.Late:
		remedy = "check again"
	}
	l.Why = loopstate.Shorten(reason, verify.DeadChars) + "; " + remedy
	return l
}

// CheckAnswer checks a text that its author may not have written for a loop, if it cites a source of the loop. cites is false
// for other texts. It requests no address, opens no file and changes nothing: nobody asked for the check, and an address may
// be made to carry words of a conversation away.
func (s *Service) CheckAnswer(ctx context.Context, loop, text string) (v verify.Result, cites bool, err error) {
	library, err := peek(ctx, s, loop, verify.LibraryOf)
	if err != nil || !citesOf(library, text) {
		return v, false, err
	}
	v, err = s.examine(ctx, &VerifyInput{Loop: loop, Draft: text})
	return v, err == nil, err
}

// citesOf reports whether a text names a source by its id, or links to something that was read.
func citesOf(library verify.Library, text string) bool {
	in := library.Read(draft.Parse(text))
	for _, dead := range in.Strays {
		if dead.Marker.Kind == draft.MarkerID {
			return true
		}
	}
	for _, c := range append(in.Claims, in.Own...) {
		for _, cite := range c.Citations {
			if cite.SourceID != "" || cite.Marker.Kind == draft.MarkerID {
				return true
			}
		}
	}
	return false
}

// checkLoop starts a loop for the check of a draft that has none, with its first line as the question. It repeats nothing
// that the operation has done.
func (s *Service) checkLoop(ctx context.Context, in *VerifyInput) error {
	started, err := s.StartOnce(ctx, in.Operation, loopstate.StartInput{Query: questionOf(in.Draft), Complexity: "simple"})
	if err != nil {
		return err
	}
	if in.Loop = started.StateID; in.Operation != "" { // the loop has it as that of its start
		in.Operation = "check-" + loopstate.HashText([]byte(in.Operation)).String()
	}
	return nil
}

// maxTitleChars bounds the first line of a draft in a question (chosen).
const maxTitleChars = 120

// questionOf names a loop that a check started, by the draft's first line.
func questionOf(draft string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(draft, "# \t\r\n"), "\n")
	return "Check of a draft: " + loopstate.Shorten(strings.Join(strings.Fields(line), " "), maxTitleChars)
}
