package loops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// checkLast checks the final text of a model, if it cites. Its errors go to the model once; else the user gets one line.
func (s *Service) checkLast(ctx context.Context, in HookInput, loop string) (hooks.Answer, error) {
	text := in.Event.Last
	found, err := s.checkCited(ctx, loop, text)
	if err != nil || !found.cites {
		return hooks.Answer{}, err
	}
	if len(found.errors) > 0 && in.Session.GoOn(loopstate.HashText([]byte(text)).String(), in.Event.Active) {
		list := in.Session.Tell(found.list("citeloop checked your last message against the texts of this loop. Correct these, then give the whole message again"))
		return hooks.Answer{GoOn: list}, nil
	}
	if len(found.errors) == 0 {
		in.Session.Done()
	}
	path, err := s.answerPath(ctx, loop, text)
	return hooks.Answer{User: found.line(path)}, err
}

// checkWritten checks a report that the client's own tool wrote into a file, if it cites.
func (s *Service) checkWritten(ctx context.Context, in HookInput, loop, path string) (hooks.Answer, error) {
	text, err := s.readWritten(path, in.Never)
	if err != nil {
		return hooks.Answer{}, nil // removed meanwhile, or not to be read
	}
	found, err := s.checkCited(ctx, loop, text)
	if err != nil || !found.cites {
		return hooks.Answer{}, err
	}
	if len(found.errors) > 0 {
		if !in.Session.Correct(path) {
			return hooks.Answer{}, nil // Stop has the last word
		}
		return hooks.Answer{Model: in.Session.Tell(found.list("citeloop checked " + filepath.Base(path) + " against the texts of this loop. Correct these"))}, nil
	}
	if !in.Session.Passed(loopstate.HashText([]byte(path + "\n" + text)).String()) {
		return hooks.Answer{}, nil
	}
	return hooks.Answer{User: found.line(path)}, nil
}

// cited is the check of a text that hooks report.
type cited struct {
	cites  bool
	errors []string
	counts []string // of the errors by kind
	claims int
	of     int // sources
	quotes int
	read   string // what readers have found
	unread int    // cited addresses that could not be read
}

// checkCited checks a text, if it cites a source of the loop, or links to what the loop found. It reads cited addresses of those
// that nobody has read, and changes nothing else of the loop. It reads no others: a hook runs unasked, and an address may be
// made to carry words of the conversation away.
func (s *Service) checkCited(ctx context.Context, loop, text string) (cited, error) {
	if !strings.ContainsAny(text, "[(") && !strings.Contains(text, "://") {
		return cited{}, nil
	}
	var library verify.Library
	if err := s.view(ctx, loop, func(st *loopstate.State) error { library = verify.LibraryOf(st); return nil }); err != nil {
		return cited{}, err
	}
	found, links := cites(library, text)
	if !found && len(links) > 0 {
		err := s.view(ctx, loop, func(st *loopstate.State) error {
			found = slices.ContainsFunc(links, func(link string) bool { return hasFound(st, link) })
			return nil
		})
		if err != nil {
			return cited{}, err
		}
	}
	if !found {
		return cited{}, nil
	}
	v, done, err := s.examineCited(ctx, &VerifyInput{Loop: loop, Draft: text, found: true}, hookPageTime)
	if err != nil {
		return cited{}, err
	}
	defer done()
	return citedOf(v), nil
}

// hasFound reports whether an address is a hit of the loop.
func hasFound(st *loopstate.State, link string) bool {
	_, ok := st.SeenEvidence(loopstate.Evidence{URL: link})
	return ok
}

// cites reports whether a text names a source by its id, or links to something that was read. If not, links are the addresses that
// its claims link to.
func cites(library verify.Library, text string) (found bool, links []string) {
	in := library.Read(draft.Parse(text))
	for _, dead := range in.Strays {
		if dead.Marker.Kind == draft.MarkerID {
			return true, nil
		}
	}
	for _, c := range append(in.Claims, in.Own...) {
		for _, cite := range c.Citations {
			if cite.SourceID != "" || cite.Marker.Kind == draft.MarkerID {
				return true, nil
			}
			if len(links) < maxOffered && cite.URL != "" {
				links = append(links, cite.URL)
			}
		}
	}
	return false, links
}

// maxErrorChars bounds one error of a list, in code points.
const maxErrorChars = 200

func citedOf(v Verification) cited {
	out := cited{cites: true, unread: v.Unread(), claims: v.Tally.Total() - v.Tally.Uncited}
	count := func(n int, one, many string) {
		switch {
		case n == 1:
			out.counts = append(out.counts, "1 "+one)
		case n > 1:
			out.counts = append(out.counts, fmt.Sprintf("%d %s", n, many))
		}
	}
	lineOf := map[string]int{}
	sources := map[string]bool{}
	bad := 0
	for _, c := range v.Claims {
		lineOf[c.Text], _ = c.Place()
		for _, id := range c.SourceIDs() {
			sources[id] = true
		}
		for _, q := range c.Quoted {
			if out.quotes++; q.SourceID == "" && c.Has(verify.FlagQuoteAbsent) {
				bad++
				out.add(lineOf[c.Text], fmt.Sprintf("no text that was read has the quotation %q", shorten(q.Quote, 120)))
			}
		}
	}
	for _, h := range v.Hallucinated {
		out.add(lineOf[h.Claim], fmt.Sprintf("%s: %s", h.Citation, h.Why))
	}
	for _, u := range v.Uncited {
		line, _ := u.Place()
		out.add(line, fmt.Sprintf("cites nothing: %q", shorten(u.Text, 120)))
	}
	count(len(v.Hallucinated), "citation leads to nothing that was read", "citations lead to nothing that was read")
	count(bad, "quotation is in no text that was read", "quotations are in no text that was read")
	count(len(v.Uncited), "sentence cites nothing", "sentences cite nothing")
	out.of = len(sources)
	switch n := v.Tally.Read(); {
	case n == 0:
		out.read = "nobody has read them beside their lines yet"
	case v.Tally.Supported == n:
		out.read = fmt.Sprintf("%d read by a reader, all supported", n)
	default:
		out.read = fmt.Sprintf("%d read by a reader, %d supported", n, v.Tally.Supported)
	}
	return out
}

func (c *cited) add(line int, what string) {
	if line > 0 {
		what = fmt.Sprintf("line %d: %s", line, what)
	}
	c.errors = append(c.errors, shorten(strings.Join(strings.Fields(what), " "), maxErrorChars))
}

// list is the errors for the model, at most hooks.MaxList code points.
func (c cited) list(begin string) string {
	const end = "A sentence needs a citation of lines such as [S1:120], a correction, or [inference] behind it if it is your own reasoning. Keep your other words."
	text := begin + " (" + strings.Join(c.counts, "; ") + "):"
	left := hooks.MaxList - len([]rune(text)) - len([]rune(end)) - len("\n- and 999 more\n")
	for i, e := range c.errors {
		n := len([]rune(e)) + len("\n- ")
		if left -= n; left < 0 {
			text += fmt.Sprintf("\n- and %d more", len(c.errors)-i)
			break
		}
		text += "\n- " + e
	}
	return text + "\n" + end
}

// line is what the user gets: the figures, and where the report is.
func (c cited) line(path string) string {
	line := fmt.Sprintf("citeloop: %s of %s, %s; ", numberOf(c.claims, "cited sentence"), numberOf(c.of, "source"), numberOf(c.quotes, "quotation"))
	switch {
	case len(c.counts) > 0:
		line += "errors remain: " + strings.Join(c.counts, "; ")
	case c.unread > 0:
		line += fmt.Sprintf("of the cited addresses %d could not be read; %s", c.unread, c.read)
	default:
		line += "every citation leads to text that was read; " + c.read
	}
	if path != "" {
		line += ". Report: " + path
	}
	return line
}

func numberOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// answerPath returns the path of the loop's report. If none was made, it writes the report of this text into the loop's
// folder. It is empty for a loop without a folder.
func (s *Service) answerPath(ctx context.Context, loop, text string) (string, error) {
	dir, err := s.Folder(ctx, loop)
	if err != nil || dir == "" {
		return "", err
	}
	made := ""
	if err := s.view(ctx, loop, func(st *loopstate.State) error {
		if st.Draft != nil {
			made = st.Draft.SHA256
		}
		return nil
	}); err != nil {
		return "", err
	}
	if made != "" && made != loopstate.HashText([]byte(text)).String() {
		for _, extension := range []string{".md", ".html"} {
			path := filepath.Join(dir, folder.ReportName+extension)
			if _, err := os.Stat(path); err == nil {
				return path, nil
			}
		}
		return dir, nil
	}
	d, err := s.Report(ctx, ReportInput{Loop: loop, Draft: text, AllowUnverified: true})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := report.Write(&out, report.Markdown, d); err != nil {
		return "", err
	}
	return s.ShowReport(ctx, loop, report.Markdown, out.String()), nil
}
