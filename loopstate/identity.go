package loopstate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
)

// Kinds of flags of a source about its identity.
const (
	FlagClaimed = "claimed_identity" // the page states an identifier of itself that nothing proves
	FlagSame    = "same_identifier"  // another source has or states the identifier, with another text
)

// identity returns what is known of a source's identity, by its record alone.
func (src Source) identity() docid.Identity {
	in := docid.Reading{Asked: src.URL, Final: src.FinalURL, Claimed: cmp.Or(src.ClaimedDOI, src.DOI)}
	if src.Capture != nil {
		in.Redirects = src.Capture.Redirects
	}
	if src.DOIProof != "" || strings.HasPrefix(src.URL, "zotero:") {
		in.Proven = src.DOI
	}
	return docid.Identify(in)
}

// keys returns the keys under which a source may be found. A key that nothing proves, of a log that
// somebody else wrote, is not among them: the document that it names may be read later.
func (src Source) keys() []string {
	keys := src.identity().Keys
	if src.keyProven() && !slices.Contains(keys, src.Key) {
		keys = append(keys, src.Key)
	}
	return keys
}

// keyProven reports whether a source is the document of its key.
func (src Source) keyProven() bool {
	kind, _, _ := strings.Cut(src.Key, ":")
	return kind != "doi" && kind != "arxiv" && kind != "pmid" && kind != "pmcid" || slices.Contains(src.identity().Keys, src.Key)
}

// By returns who wrote a text, for a reader: its authors or publisher as the page names them, and the host that names them.
// Empty if it names nobody.
func (src Source) By() string {
	by := src.Publisher
	if len(src.Authors) > 0 {
		by = strings.Join(src.Authors[:min(len(src.Authors), 3)], ", ")
	}
	host := docid.Host(src.FinalURL)
	switch {
	case src.Pasted:
		host = "the user's paste"
	case host == "":
		host = "the file"
	}
	if by = clip(by, 60); by == "" || host == "" {
		return by
	}
	return fmt.Sprintf("%s (says %s)", by, host)
}

// sameIdentifier returns a flag if a new source has or states the identifier of another one with another text.
func sameIdentifier(src Source, lists ...[]Source) []string {
	for _, others := range lists {
		for _, other := range others {
			if id := sharedIdentifier(src, other); id != "" {
				return []string{fmt.Sprintf("%s: %s is also that of %s at %s, whose text differs; they may be different documents", FlagSame, id, other.ID, clip(cmp.Or(docid.Host(other.FinalURL), other.FinalURL), 80))}
			}
		}
	}
	return nil
}

// flagSame flags the earlier sources that share an identifier with a new one, which is flagged itself.
func (s *State) flagSame(src Source) {
	if !slices.ContainsFunc(src.Flags, func(f string) bool { return strings.HasPrefix(f, FlagSame) }) {
		return
	}
	for i := range s.Sources {
		other := &s.Sources[i]
		if id := sharedIdentifier(*other, src); id != "" && !slices.ContainsFunc(other.Flags, func(f string) bool { return strings.HasPrefix(f, FlagSame) }) {
			other.Flags = append(slices.Clip(slices.Clone(other.Flags)), sameIdentifier(*other, []Source{src})...)
		}
	}
}

// sharedIdentifier returns the DOI that two sources with different texts have or state, or "".
func sharedIdentifier(a, b Source) string {
	if a.SHA256 == b.SHA256 || a.Origin() == b.Origin() {
		return ""
	}
	for _, doi := range []string{a.DOI, a.ClaimedDOI} {
		if doi != "" && (doi == b.DOI || doi == b.ClaimedDOI) {
			return "doi:" + doi
		}
	}
	return ""
}
