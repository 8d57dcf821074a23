package loopstate

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/query"
)

// Limits on the short fields of a hit, above all real values.
const (
	maxChannelChars  = 100
	maxLanguageChars = 35 // bytes; the longest tag of RFC 5646, section 4.4.1
	maxAuthors       = 1_000
	maxAuthorChars   = 300
	maxIDs           = 20
	maxIDChars       = 300
)

// MintEvidence returns the new hits with their ids, and the addresses of hits that the loop already has.
func (s *State) MintEvidence(hits []Evidence) (fresh []Evidence, duplicates []string) {
	minted := map[string]bool{}
	for _, e := range hits {
		_, seen := s.SeenEvidence(e)
		keys := evidenceKeys(e)
		for _, key := range keys {
			seen = seen || minted[key]
		}
		if seen {
			duplicates = append(duplicates, e.URL)
			continue
		}
		for _, key := range keys {
			minted[key] = true
		}
		e.ID = fmt.Sprintf("E%d", len(s.Evidence)+len(fresh)+1)
		e.Snippet, e.Round = clip(e.Snippet, MaxSnippetChars), s.Round+1
		e.Authors = clipEach(e.Authors, maxAuthors, maxAuthorChars)
		e.IDs, e.Related = clipEach(e.IDs, maxIDs, maxIDChars), clipEach(e.Related, maxIDs, maxIDChars)
		fresh = append(fresh, e)
	}
	return fresh, duplicates
}

// clipEach cuts a list to n texts, and each text to chars code points.
func clipEach(texts []string, n, chars int) []string {
	var out []string
	for _, text := range texts[:min(n, len(texts))] {
		out = append(out, clip(text, chars))
	}
	return out
}

// knownIDs returns the evidence ids of the hits that the loop already has, each once.
func (s *State) knownIDs(hits []Evidence) []string {
	var ids []string
	seen := map[string]bool{}
	for _, e := range hits {
		if id, ok := s.SeenEvidence(e); ok && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

func (s *State) takeEvidence(in UpdateInput, p *Updated) error {
	if err := CheckCount("evidence", len(in.Evidence), MaxItems); err != nil {
		return err
	}
	var hits []Evidence
	for i, e := range in.Evidence {
		name := fmt.Sprintf("evidence[%d]", i)
		e.Title, e.URL, e.Source = strings.TrimSpace(e.Title), docid.WithoutCredentials(strings.TrimSpace(e.URL)), strings.TrimSpace(e.Source)
		e.Source = cmp.Or(e.Source, p.Channel)
		if why := evidenceFault(e, p.Channel); why != "" {
			p.Rejected = append(p.Rejected, Rejected{Item: name, Why: why})
			continue
		}
		e.DOI, e.PublishedAt = docid.NormalizeDOI(e.DOI), publicationDate(e.PublishedAt)
		e.ID, e.Title = "", clip(e.Title, MaxTextChars)
		hits = append(hits, e)
	}
	hits, unrelated := s.relevant(hits)
	for _, e := range unrelated {
		p.Rejected = append(p.Rejected, Rejected{Item: clip(e.URL, 200), Why: unrelatedWhy(s.Entity, e)})
	}
	p.Evidence, p.Duplicates = s.MintEvidence(hits)
	p.Again = s.knownIDs(hits)
	return nil
}

// evidenceFault returns why a hit cannot be stored, or "".
func evidenceFault(e Evidence, channel string) string {
	switch {
	case e.Title == "":
		return "it has no title"
	case e.URL == "":
		return "it has no url"
	case query.NoInformation(e.Title, e.Snippet):
		return noInformationWhy
	case !readableURL(e.URL):
		return "its url is not an http, https or file address, a doi: or an arxiv: id"
	case utf8.RuneCountInString(e.URL) > MaxURLChars:
		return fmt.Sprintf("its url is longer than %d characters", MaxURLChars)
	case !docid.ValidSourceType(e.SourceType):
		return fmt.Sprintf("unknown type of source %q: use one of %s", clip(e.SourceType, 40), strings.Join(docid.SourceTypes(), ", "))
	case channel != "" && e.Source != channel:
		return fmt.Sprintf("its source is %q, but the channel of the call is %q", clip(e.Source, 60), clip(channel, 60))
	case utf8.RuneCountInString(e.Source) > maxChannelChars:
		return fmt.Sprintf("its source is longer than %d characters", maxChannelChars)
	case len(e.Language) > maxLanguageChars:
		return fmt.Sprintf("its language is longer than %d characters; use a tag such as en or pt-BR", maxLanguageChars)
	}
	return ""
}

// publicationDate returns the year, month or day at the start of s ("2024-03-01T09:00:00Z" is 2024-03-01), or "". A hit
// with a date in another format is kept without it.
func publicationDate(s string) string {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if len(s) >= len(layout) {
			if _, err := time.Parse(layout, s[:len(layout)]); err == nil && (len(s) == len(layout) || !digit(s[len(layout)])) {
				return s[:len(layout)]
			}
		}
	}
	return ""
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

func readableURL(s string) bool {
	low := strings.ToLower(s)
	if strings.HasPrefix(low, "doi:") || strings.HasPrefix(low, "arxiv:") {
		return true
	}
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.Host != ""
	case "file":
		return u.Path != ""
	case "zotero":
		return docid.ZoteroItem(s) != ""
	}
	return false
}
