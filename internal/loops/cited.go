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
// asked for again, unless that may have passed. stored are the sources of the loop.
func (s *Service) look(ctx context.Context, in *VerifyInput, addresses []string, stored []loopstate.Source, bad []loopstate.BadURL) error {
	in.looked = map[string]verify.Lookup{}
	failed := map[string]string{}
	for _, b := range bad {
		failed[docid.CanonicalKey(b.URL, "")] = b.Reason
	}
	var urls []string
	for _, a := range addresses {
		key, a := docid.CanonicalKey(a, ""), address.Redact(a)
		status, reason, known := strings.Cut(failed[key], ": ")
		switch {
		case known && !transient(fetch.Status(status)) && slices.Contains(fetch.Statuses(), fetch.Status(status)):
			in.looked[key] = failedLookup(fetch.Status(status), reason, false)
		case len(a) > loopstate.MaxURLChars:
			in.looked[key] = verify.Lookup{Why: fmt.Sprintf("the address is longer than %d bytes", loopstate.MaxURLChars)}
		case a != "" && !slices.Contains(urls, a) && len(urls) < s.MaxCited:
			urls = append(urls, a)
		}
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
			in.looked[docid.CanonicalKey(part[i], "")] = l
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
	in := &VerifyInput{Loop: loop, Draft: text}
	if in.check() != nil { // no text of this kind
		return v, false, nil
	}
	if v, err = s.examine(ctx, in); err != nil {
		return v, false, err
	}
	for _, dead := range v.Strays {
		cites = cites || dead.Marker.Kind == draft.MarkerID
	}
	for _, c := range slices.Concat(v.Claims, v.Own, v.Uncited) {
		for _, cite := range c.Citations {
			cites = cites || cite.SourceID != "" || cite.Marker.Kind == draft.MarkerID
		}
	}
	return v, cites, nil
}
