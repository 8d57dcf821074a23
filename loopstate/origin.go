package loopstate

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Two pages of one site or one publisher are one independent origin, and so are near copies of a text. An article with an
// identifier (a DOI, an arXiv id, a PubMed id) is a separate origin: the repository that hosts it did not write it.

// Origin returns the id of the source whose text this one repeats, or its own id.
func (src Source) Origin() string {
	if src.DuplicateOf != "" {
		return src.DuplicateOf
	}
	return src.ID
}

// Origins counts the independent origins among the sources.
func (s *State) Origins() int {
	all := map[string]bool{}
	for _, origin := range s.originsByID() {
		all[origin] = true
	}
	return len(all)
}

// OriginOf returns a function from the id of a source to its origin, the same for sources that are one. It is the only rule
// for that, and follows the threshold of near copies under which the sources were recorded.
func (s *State) OriginOf() func(id string) string {
	byID := s.originsByID()
	return func(id string) string { return byID[id] }
}

// OriginsOf maps sources outside a loop to their origins, by the same rule.
func OriginsOf(sources []Source) map[string]string { return (&State{Sources: sources}).originsByID() }

// originsByID maps each source to its origin: the id of the first source of that origin.
func (s *State) originsByID() map[string]string {
	byID, byName := make(map[string]string, len(s.Sources)), map[string]string{}
	for i, src := range s.Sources {
		origin, copied := byID[src.DuplicateOf]
		names := s.index.publication(src, i)
		for i := 0; !copied && i < len(names); i++ {
			origin, copied = byName[names[i]]
		}
		if !copied {
			origin = src.ID
		}
		byID[src.ID] = origin
		for _, name := range names {
			if _, ok := byName[name]; !ok {
				byName[name] = origin
			}
		}
	}
	return byID
}

// publication returns the names of the source at a position: those of the index, if it has them.
func (ix *index) publication(src Source, position int) []string {
	if position < len(ix.publications) {
		return ix.publications[position]
	}
	return src.Publication()
}

// Publication returns the names of a source's site and publisher. Sources that share a name are one origin. It is empty
// for an article with an identifier and for a text without an address.
func (src Source) Publication() []string {
	var names []string
	kind, rest, _ := strings.Cut(src.Key, ":")
	switch kind {
	case "url":
		names = append(names, "site "+siteOf(rest))
	case "file":
		// A folder of articles is not one origin; a folder of pages without a publisher is.
		if !strings.Contains(src.ContentType, "html") {
			return nil
		}
		if src.Publisher == "" {
			names = append(names, "folder "+path.Dir(rest))
		}
	default:
		return nil
	}
	if src.Publisher != "" {
		names = append(names, "publisher "+foldText(src.Publisher))
	}
	return names
}

// sharedHosts give each user a folder.
var sharedHosts = map[string]bool{"github.com": true, "gitlab.com": true, "bitbucket.org": true, "medium.com": true, "sites.google.com": true, "youtube.com": true}

// siteOf returns the registered domain of an address without its scheme, or the user's folder on a shared host.
func siteOf(address string) string {
	u, err := url.Parse("https://" + address)
	if err != nil {
		return address
	}
	host := u.Hostname()
	if sharedHosts[host] {
		first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
		return host + "/" + first
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}
