package grounding

import (
	"regexp"
	"strings"
)

// referenceHeading reports whether a line announces the list of references.
func referenceHeading(line string) bool {
	s := strings.ToLower(strings.Trim(line, "#*_:： \t\r"))
	s = strings.TrimLeft(s, "0123456789.、 ")
	switch s {
	case "references", "reference", "reference list", "sources", "sources cited", "source list", "bibliography", "works cited", "citations", "footnotes", "endnotes", "links",
		"参考文献", "参考资料", "参考来源", "資料來源", "资料来源", "来源", "引用", "引用来源", "引用文献", "參考文獻", "参考链接", "数据来源":
		return true
	}
	return false
}

var (
	labelled   = regexp.MustCompile(`^(?:[-*+]\s+)?(?:\[(\^?)([A-Za-z]{0,12}-?\d{1,4}|\^?[A-Za-z][\w-]{0,30})\](:?)|【(\d{1,4})】(:?))\s*`)
	numbered   = regexp.MustCompile(`^(?:[-*+]\s+)?(\d{1,4})[.)、:]\s+`)
	bullet     = regexp.MustCompile(`^[-*+•]\s+`)
	inlineLink = regexp.MustCompile(`\[([^\[\]]{0,300})\]\(<?(https?://[^\s<>]+?)>?(?:\s+"[^"]{0,200}")?\)`)
	bareURL    = regexp.MustCompile(`https?://[^\s<>"”」』】）]+`)
	bareDOI    = regexp.MustCompile(`(?i)\b(?:doi:\s*)?(10\.\d{4,9}/[^\s"<>&?#]{1,200})`)
)

// maxReferenceChars bounds one entry.
const maxReferenceChars = 4000

// reference reads an entry of the list. Outside the list only what cannot be prose is one: the definition of a
// footnote, or a label with an address behind it.
func reference(line string, inList bool) (Reference, bool) {
	line = cutChars(line, maxReferenceChars)
	var r Reference
	rest := line
	switch m := labelled.FindStringSubmatch(line); {
	case m != nil && !strings.HasPrefix(line[len(m[0]):], "(") && !strings.HasPrefix(line[len(m[0]):], "["):
		rest = line[len(m[0]):]
		r.Number = m[2] + m[4]
		definition := m[3]+m[5] != ""
		address := bareURL.MatchString(rest) || bareDOI.MatchString(rest)
		known := r.Number != "" && strings.ContainsAny(r.Number, "0123456789") || m[1] != "" || definition
		if !known || !inList && !(m[1] != "" && definition) && !(address && (definition || opensWithAddress(rest) || endsWithAddress(rest))) {
			return Reference{}, false
		}
	case !inList:
		return Reference{}, false
	default:
		if m := numbered.FindStringSubmatch(line); m != nil {
			r.Number = m[1]
			rest = line[len(m[0]):]
		} else if b := bullet.FindString(line); b != "" {
			rest = line[len(b):]
		} else if !bareURL.MatchString(line) && !bareDOI.MatchString(line) {
			return Reference{}, false
		}
	}
	r.URL, r.Title = addressAndTitle(rest)
	return r, true
}

func opensWithAddress(s string) bool {
	return strings.HasPrefix(s, "http") || strings.HasPrefix(s, "<http") || strings.HasPrefix(s, "[") || strings.HasPrefix(strings.ToLower(s), "doi")
}

func endsWithAddress(s string) bool {
	all := bareURL.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return false
	}
	return len(strings.Trim(s[all[len(all)-1][1]:], " )>.*_")) == 0
}

// addressAndTitle takes an entry apart. A DOI without an address gets the resolver's.
func addressAndTitle(s string) (address, title string) {
	s = strings.TrimSpace(s)
	if m := inlineLink.FindStringSubmatchIndex(s); m != nil {
		address = s[m[4]:m[5]]
		title = s[m[2]:m[3]]
		if strings.HasPrefix(title, "http") || strings.TrimSpace(title) == "" {
			title = s[:m[0]] + " " + s[m[1]:]
		}
		return address, tidyTitle(title)
	}
	if m := bareURL.FindStringIndex(s); m != nil {
		address = trimAddress(s[m[0]:m[1]])
		return address, tidyTitle(s[:m[0]] + " " + s[m[0]+len(address):])
	}
	if m := bareDOI.FindStringSubmatchIndex(s); m != nil {
		doi := trimAddress(s[m[2]:m[3]])
		return "https://doi.org/" + doi, tidyTitle(s[:m[0]] + " " + s[m[2]+len(doi):])
	}
	return "", tidyTitle(s)
}

func tidyTitle(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = strings.NewReplacer("**", "", "[]", "", "()", "", "<>", "").Replace(s)
	return strings.Trim(s, " -–—:：,.;|*_<>\"“”«»")
}

// trimAddress drops the punctuation that a sentence puts behind an address, and a bracket that opened before it.
func trimAddress(s string) string {
	for {
		before := s
		s = strings.TrimRight(s, ".,;:!?*_'\"”’。，；：、")
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(s, pair[1:]) && strings.Count(s, pair[1:]) > strings.Count(s, pair[:1]) {
				s = strings.TrimSuffix(s, pair[1:])
			}
		}
		if s == before {
			return s
		}
	}
}

// continueReference adds a line to the entry before: an address or a title of its own.
func (p *draftReader) continueReference(line string) {
	if len(p.out.References) == 0 {
		return
	}
	last := &p.out.References[len(p.out.References)-1]
	address, title := addressAndTitle(cutChars(line, maxReferenceChars))
	if last.URL == "" {
		last.URL = address
	}
	if last.Title == "" {
		last.Title = title
	}
}
