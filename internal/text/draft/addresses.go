package draft

import (
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const urlChars = `[^\s<>"“”„«»…،؛؟「」『』《》【】（），。；！？、\x60|]*`

var (
	// anyAddress has a group for each kind: a URL, a DOI, a file with lines or a page, and ids of arXiv, PubMed and PMC.
	anyAddress = lazyregexp.New(`((?i:(?:https?|file):///?[\pL\pN]|\bwww\.[a-z0-9-]{1,63}\.)` + urlChars + `)|` +
		`(?i:\b(?:doi:\s*|doi\.org/|doi\s+)?(10\.\d{4,9}/[\pL\pN(][^\s"<>&?#，。；、（）]{0,200}))|` +
		`([\pL\pN_./~%+-]*[\pL\pN_]\.[A-Za-z][A-Za-z0-9]{0,7}(?:#(?:L\d{1,7}(?:C\d+)?(?:-L?\d{1,7}(?:C\d+)?)?|page=\d{1,5})|` +
		`:L?\d{1,7}(?:-L?\d{1,7})?\b))|` +
		`(?i:\barxiv[: ]\s*((?:\d{4}\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d{1,2})?))|(?i:\bPMID:?\s*(\d{4,9})\b)|\b(?:PMCID:?\s*)?(PMC\d{4,9})\b`)
	addressStart = lazyregexp.New(`^(?i:(?:https?|file)://\S|www\.[a-z0-9]|(?:doi:?\s*|doi\.org/)?10\.\d{4,9}/|` +
		`arxiv[: ]|PMID|PMC(?:ID|\d))`)
	lineFragment = lazyregexp.New(`^(?:L(\d{1,7})(?:C\d+)?(?:-L?(\d{1,7})(?:C\d+)?)?|(page=\d{1,5})(?:&.*)?)$`)
	// filePath matches a relative path: a file beside the text. A web address without its scheme is one as well.
	filePath = lazyregexp.New(`^(?:[^\s:#?<>"](?:[^:#?<>"\n]*[^\s:#?<>"/])?)(?:#\S*)?$`)
	// pathLines matches a path with lines, as grep and coding agents write it: "notes.md:120-128", "notes.md, lines 3-5", "notes.md#L3".
	pathLines = lazyregexp.New(`^@?((?:[\pL\pN_.@~%+-]*[/\\])*(?:[\pL\pN_.%+-]*[\pL\pN_%+-]\.([A-Za-z][A-Za-z0-9]{0,7})|[\pL\pN_-]+))` +
		`(?:\s?:\s?|#|,? (?i:lines?|ll?\.|zeilen?|lignes?|líneas?) ?| L)(` + linesPattern + `(?:, ?` + linesPattern + `)*)(?::\d+)?$`)
	// Other words for lines and pages: "lines 3-4 of notes.md", "paper.pdf, p. 3".
	linesOf  = lazyregexp.New(`(?i)\blines? (` + linesPattern + `) (?:of|in) (\S+)`)
	columns  = lazyregexp.New(`\b([Ll]\d{1,7})C\d{1,4}\b`)               // L3C2-L5C4
	dagger   = lazyregexp.New(`^F:([^†\s]+)†(L\d{1,7}(?:-L?\d{1,7})?)$`) // 【F:notes.md†L3-L5】
	pdfPage  = lazyregexp.New(`(?i)(\.pdf),? p(?:\.|age) ?(\d{1,5})\b`)
	barePath = lazyregexp.New(`^@?((?:[\pL\pN_.@~%+-]*/)*[\pL\pN_.%+-]*[\pL\pN_%+-]\.([A-Za-z][A-Za-z0-9]{0,7}))$`)
)

// fileTypes are endings that name a file wherever they are; others do so only in brackets with lines.
var fileTypes = datafile.Words("md markdown txt rst adoc org tex html htm xml pdf doc docx odt rtf ppt pptx xls xlsx csv tsv json jsonl " +
	"yaml yml toml ini cfg conf log go py js mjs ts tsx jsx java kt c h cc cpp hpp cs rs rb php pl lua swift scala sh bash zsh ps1 sql r " +
	"jl ipynb css scss vue proto graphql tf cmake mk bib ris eml vtt srt epub")

// plainNames are files that have no ending.
var plainNames = lazyregexp.New(`^(?:.*/)?(?:LICEN[CS]E|COPYING|NOTICE|README|CHANGELOG|CHANGES|NEWS|AUTHORS|CONTRIBUTING|TODO|Makefile|` +
	`Dockerfile|Jenkinsfile|Gemfile|Rakefile|Procfile|Vagrantfile|BUILD|WORKSPACE)$`)

// pathsIn reads a list of paths with lines, "a.md:3; b.md:5-7, 9", or nil if it holds anything else. bare ones may be without lines.
func pathsIn(list string, bare bool) (out []Marker) {
	if !strings.ContainsAny(list, ".:/") || len(list) > 1000 {
		return nil
	}
	list = dagger.ReplaceAllString(columns.ReplaceAllString(list, "$1"), "$1:$2")
	list = pdfPage.ReplaceAllString(linesOf.ReplaceAllString(list, "$2:$1"), "$1#page=$2")
	for item := range strings.SplitSeq(list, ";") {
		for _, item := range commaPaths(strings.Trim(strings.TrimSpace(item), "`")) {
			switch m := pathLines.FindStringSubmatch(item); {
			case m != nil && (m[2] != "" && !isHost(m[1], m[2]) || strings.ContainsAny(m[1], `/\`) || plainNames.MatchString(m[1])):
				out = append(out, Marker{Kind: MarkerLink, Target: strings.ReplaceAll(m[1], `\`, "/"), Lines: plainLines(m[3])})
			case !bare:
				return nil
			default:
				m := barePath.FindStringSubmatch(item)
				if m == nil || !fileTypes[strings.ToLower(m[2])] {
					return nil
				}
				out = append(out, Marker{Kind: MarkerLink, Target: m[1]})
			}
		}
	}
	return out
}

// commaPaths parts a list at the commas before which a path ends and after which another begins: "a.md:3, b.md:5", not "a.md:3, 5".
func commaPaths(list string) (out []string) {
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if len(out) > 0 && (moreOf.MatchString(part) || lineWord.MatchString(" "+part)) {
			out[len(out)-1] += ", " + part
			continue
		}
		out = append(out, part)
	}
	return out
}

// isHost reports whether a path with a number behind a colon is rather the name of a host and a port.
func isHost(path, ending string) bool {
	orgHost := strings.EqualFold(ending, "org") && strings.Count(path, ".") > 1 // log.example.org:514
	return !strings.Contains(path, "/") && (orgHost || !fileTypes[strings.ToLower(ending)])
}

// linesPattern matches one line or range of lines, or a page, as citations write them.
const linesPattern = `(?:[Ll]?\d{1,7}(?:\s?[-–—−]\s?[Ll]?\d{1,7})?|page=\d{1,5})`

// plainLines writes lines as Marker.Lines has them: "L120 – L128, 140" as "120-128,140".
var plainLines = strings.NewReplacer("L", "", "l", "", " ", "", "\t", "", "–", "-", "—", "-", "−", "-", "，", ",").Replace

// findAddress finds the first address in a text that is not in a link. The kind of the citation is empty without one.
func findAddress(s string) (from int, x Marker) {
	m := anyAddress.FindStringSubmatchIndex(s)
	if m == nil {
		return 0, x
	}
	x.Raw = trimAddress(s[m[0]:m[1]])
	group := func(n int) string { return s[m[2*n]:min(m[2*n+1], m[0]+len(x.Raw))] }
	address := x.Raw
	switch x.Kind = MarkerURL; {
	case m[4] >= 0:
		x.Kind, x.Target = MarkerDOI, strings.ToLower(group(2))
		return m[0], x
	case m[6] >= 0:
		x.Kind = MarkerLink
	case m[8] >= 0:
		address = "https://arxiv.org/abs/" + group(4)
	case m[10] >= 0:
		address = "https://pubmed.ncbi.nlm.nih.gov/" + group(5) + "/"
	case m[12] >= 0:
		address = "https://pmc.ncbi.nlm.nih.gov/articles/" + group(6) + "/"
	case address[0]|0x20 == 'w': // www.
		address = "https://" + address
	}
	to := pointsTo(address)
	x.Target, x.Lines, x.Quote = to.Target, to.Lines, to.Quote
	return m[0], x
}

// definedLink matches the destination of "[1]: [Weir](weir.md)", which CommonMark reads as a definition.
var definedLink = lazyregexp.New(`^\[[^\[\]]*\]\(<?([^()<>\s]+)>?\)$`)

// leadsTo reads the address of a link. Raw is "" for one that leads to no source.
func leadsTo(s string) (x Marker) {
	if m := definedLink.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	if s == "" || s[0] == '#' || s[0] == '?' || len(s) > maxAddress || strings.HasPrefix(s, "mailto:") {
		return x
	}
	from, doi := findAddress(s)
	switch {
	case strings.HasPrefix(s, "//"):
		s = "https:" + s
	case s[0] == '/' && pathsIn(s, true) == nil: // of the site
		return x
	case webScheme.MatchString(s):
	case strings.HasPrefix(strings.ToLower(s), "www."):
		s = "https://" + s
	case doi.Kind == MarkerDOI && from == 0:
		s = "https://doi.org/" + doi.Target
	default:
		s = fileQuery.ReplaceAllString(s, "$1$2")
		if len(pathsIn(s, false)) != 1 && (!filePath.MatchString(s) || s[len(s)-1] == '/') {
			return x
		}
	}
	x = pointsTo(s)
	x.Raw = s
	return x
}

// fileQuery matches a file with a query, which says how to show it: "notes.md?plain=1#L3".
var fileQuery = lazyregexp.New(`^([^?#]+\.[A-Za-z][A-Za-z0-9]{0,7})\?[^#]*(#.*)?$`)

var webScheme = lazyregexp.New(`^(?i:https?|file):`)

// pointsTo parts an address from its lines, page or text fragment. Any other fragment, such as the anchor of a heading, stays.
func pointsTo(address string) Marker {
	target, fragment, _ := strings.Cut(address, "#")
	if anchor, directive, ok := strings.Cut(fragment, ":~:"); ok {
		if anchor != "" {
			target += "#" + anchor
		}
		return Marker{Target: target, Quote: quotedText(directive)}
	}
	m := lineFragment.FindStringSubmatch(fragment)
	switch {
	case m != nil && m[2] != "" && m[2] != m[1]:
		return Marker{Target: target, Lines: m[1] + "-" + m[2]}
	case m != nil:
		return Marker{Target: target, Lines: m[1] + m[3]}
	case !strings.Contains(address, "://"):
		if p := pathsIn(address, false); p != nil {
			return Marker{Target: p[0].Target, Lines: p[0].Lines}
		}
	}
	return Marker{Target: address}
}

// quotedText decodes the directive of a text fragment: text=[prefix-,]start[,end][,-suffix], several joined by "&".
func quotedText(directive string) string {
	var out []string
	for part := range strings.SplitSeq(directive, "&") {
		text, ok := strings.CutPrefix(part, "text=")
		for piece := range strings.SplitSeq(text, ",") {
			if !ok || piece == "" || strings.HasPrefix(piece, "-") || strings.HasSuffix(piece, "-") { // the surroundings
				continue
			}
			if decoded, err := url.PathUnescape(piece); err == nil {
				piece = decoded
			}
			out = append(out, strings.TrimSpace(piece))
		}
	}
	return strings.Join(out, " … ")
}

// trimAddress drops the punctuation that a sentence puts after an address, and a bracket that opened before it.
func trimAddress(s string) string {
	s, _, _ = strings.Cut(s, "](") // [https://…](https://…) in HTML
	for {
		before := s
		s = strings.TrimRight(s, ".,;:!?*_'\"”’。，；：、")
		for _, pair := range []string{"()", "[]", "{}"} {
			if strings.HasSuffix(s, pair[1:]) && strings.Count(s, pair[1:]) > strings.Count(s, pair[:1]) {
				s = strings.TrimSuffix(s, pair[1:])
			}
		}
		if s == before {
			return s
		}
	}
}
