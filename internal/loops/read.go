package loops

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/loopstate"
)

// Read fetches addresses and, if in.Loop is set, stores each text as a source. It does not fetch an address again that the
// loop has already read. It waits at most [Config.ReadTime]; later pages are timeouts and can be requested again.
func (s *Service) Read(ctx context.Context, in ReadInput) ([]PageOutcome, error) {
	if in.Text == "" && len(in.URLs) <= MaxURLs {
		in.URLs = slices.Clone(in.URLs)
		for i, u := range in.URLs {
			in.URLs[i] = s.inCorpus(u)
		}
	}
	urls, err := checkURLs(in.URLs)
	if err != nil {
		return nil, err
	}
	if in.Text != "" {
		return s.paste(ctx, in, urls)
	}
	if len(urls) == 0 {
		return nil, &loopstate.Error{Code: loopstate.CodeMissing, Subject: "address"}
	}
	out := make([]PageOutcome, len(urls))
	todo, err := s.alreadyRead(ctx, in.Loop, urls, out)
	if err != nil {
		return nil, err
	}
	if in.Loop != "" && len(todo) > 0 { // before any request
		if err := s.checkSpace(ctx, "address", 0); err != nil {
			return nil, err
		}
	}
	fresh := slices.Clone(todo)
	missing := make([]string, len(todo))
	for j, i := range todo {
		missing[j] = urls[i]
	}
	if in.Done != nil {
		for i := range out {
			if out[i].Status != "" {
				in.Done(i, out[i])
			}
		}
	}
	reading, cancel := context.WithTimeout(ctx, s.ReadTime)
	defer cancel()
	looks := s.services().Looks(reading)
	read := in.Fetch
	if read == nil {
		read = s.Reader.ReadAll
	}
	if len(missing) > 0 {
		read(reading, missing, func(j int, p fetch.Page) {
			i := todo[j]
			out[i] = outcomeOf(missing[j], withReason(reading, p))
			if p.Status == fetch.StatusRead {
				looks.Begin(out[i].Source)
			}
			if in.Done != nil {
				in.Done(i, out[i])
			}
		})
	}
	timer := time.AfterFunc(lookTime, cancel)
	defer timer.Stop()
	for _, i := range todo {
		if found := looks.Of(out[i].Source); found != nil && out[i].Status == fetch.StatusRead {
			out[i].SetStanding(found)
		}
	}
	return out, s.keep(ctx, in, out, fresh)
}

var oneSource = lazyregexp.New(`^S\d+$`)

// alreadyRead sets the outcomes of addresses that the loop has read, and returns the positions of the others.
func (s *Service) alreadyRead(ctx context.Context, loop string, urls []string, out []PageOutcome) (todo []int, err error) {
	known := make([]*loopstate.Source, len(urls))
	if loop != "" {
		err := s.view(ctx, loop, func(st *loopstate.State) error {
			for i, u := range urls {
				if src, ok := st.SourceByAddress(u, ""); ok {
					known[i] = &src
				} else if src, ok := st.SourceByID(u); ok { // named by its id
					known[i] = &src
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i, src := range known {
		if src == nil && oneSource.MatchString(urls[i]) {
			return nil, unreadSource(fmt.Sprintf("addresses[%d]", i), urls[i])
		}
		if src == nil {
			todo = append(todo, i)
			continue
		}
		text, err := s.text(ctx, *src)
		if err != nil {
			return nil, err
		}
		out[i] = PageOutcome{Source: *src, Status: fetch.StatusRead, Text: text}
	}
	return todo, nil
}

// keep appends the event of the texts that were read, with the texts, and sets their ids.
func (s *Service) keep(ctx context.Context, in ReadInput, out []PageOutcome, fresh []int) error {
	if in.Loop == "" {
		return nil
	}
	// Keep the texts even if the caller has cancelled: another call will need them.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	kept := map[string][]byte{} // texts and bodies by sha256
	err := s.change(ctx, in.Loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		question := ""
		if st.Query == "" {
			question = strings.TrimSpace(in.Query)
		}
		if err := s.useStoredTexts(ctx, st, out, fresh); err != nil {
			return nil, err
		}
		var sources, asked []loopstate.Source
		var texts []string
		var bad []loopstate.BadURL
		for _, i := range fresh {
			o := &out[i]
			if o.Status != fetch.StatusRead {
				if !transient(o.Status) && !in.Quiet {
					bad = append(bad, loopstate.BadURL{URL: o.URL, Reason: string(o.Status) + ": " + o.Reason})
				}
				continue
			}
			if o.AtCheck = in.atCheck; in.atCheck {
				o.ownKey(st)
			}
			kept[o.SHA256] = []byte(o.Text)
			if o.body != nil {
				capture := *o.Capture
				capture.Kept = true
				o.Capture = &capture
				kept[capture.SHA256] = o.body
			}
			sources, texts = append(sources, o.Source), append(texts, o.Text)
		}
		for _, o := range out {
			if src, ok := st.SourceByKey(o.Key); ok && !in.atCheck && st.Abort == "" {
				asked = append(asked, src)
			}
		}
		if err := s.nearSources(ctx, st, sources, texts); err != nil {
			return nil, err
		}
		if len(fresh) == 0 && question == "" && !slices.ContainsFunc(asked, func(src loopstate.Source) bool { return src.AtCheck }) {
			return nil, nil // of an aborted loop, too
		}
		p, err := st.Read(sources, bad, asked...)
		if err != nil {
			return nil, err
		}
		if p.Query = question; len(p.Sources) == 0 && len(p.Bad) == 0 && len(p.Shown) == 0 && question == "" {
			return nil, nil
		}
		var named [][]byte
		for _, src := range p.Sources {
			named = append(named, kept[src.SHA256])
			if src.Capture != nil && src.Capture.Kept {
				named = append(named, kept[src.Capture.SHA256])
			}
		}
		return withTexts{Payload: p, texts: named}, nil
	}, func(st *loopstate.State, _ loopstate.Event) error {
		for _, i := range fresh {
			if out[i].Status != fetch.StatusRead {
				continue
			}
			src, ok := st.SourceByKey(out[i].Key)
			if !ok {
				return fmt.Errorf("loops: source %s is not in loop %s after it was kept", out[i].Key, in.Loop)
			}
			out[i].Source, out[i].body = src, nil
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.nameFiles(ctx, in.Loop, out)
	return nil
}

// useStoredTexts replaces the text of a page by the one that the loop already has, or got from an earlier address of this call,
// under the same key and from the same host. Texts of two hosts under one key are both kept, the second one under its address.
func (s *Service) useStoredTexts(ctx context.Context, st *loopstate.State, out []PageOutcome, fresh []int) (err error) {
	first := map[string]int{} // canonical key -> position of the first page with it
	for _, i := range fresh {
		o := &out[i]
		if o.Status != fetch.StatusRead {
			continue
		}
		if src, ok := st.SourceByKey(o.Key); ok {
			if src.SHA256 == o.SHA256 {
				continue
			}
			if !sameHost(src, o.Source) { // both are kept
				o.Key = docid.AddressKey(o.FinalURL)
				if src, ok = st.SourceByKey(o.Key); !ok || src.SHA256 == o.SHA256 {
					continue
				}
			}
			if o.Text, err = s.text(ctx, src); err != nil {
				return err
			}
			o.Source = src
		} else if before, ok := first[o.Key]; !ok {
			first[o.Key] = i
		} else if out[before].SHA256 != o.SHA256 && !sameHost(out[before].Source, o.Source) {
			o.Key = docid.AddressKey(o.FinalURL)
		} else if out[before].SHA256 != o.SHA256 {
			o.Text, o.Source = out[before].Text, out[before].Source
		}
	}
	return nil
}

// paste stores a text that the user pasted.
func (s *Service) paste(ctx context.Context, in ReadInput, urls []string) ([]PageOutcome, error) {
	text := strings.TrimSpace(in.Text)
	chars := utf8.RuneCountInString(text)
	switch {
	case len(urls) > 1:
		return nil, &loopstate.Error{Code: loopstate.CodeTooMany, Subject: "pasted addresses", Got: int64(len(urls)), Limit: 1}
	case !utf8.ValidString(text):
		return nil, &loopstate.Error{Code: loopstate.CodeNotText, Subject: "text"}
	case chars > MaxPastedChars:
		return nil, tooLong("text", chars, MaxPastedChars)
	case strings.TrimSpace(in.Title) == "":
		return nil, &loopstate.Error{Code: loopstate.CodeEmpty, Subject: "title"}
	}
	at := ""
	if len(urls) == 1 {
		at = urls[0]
	}
	out := []PageOutcome{s.pasted(in.Title, text, at)}
	if out[0].Status != fetch.StatusRead {
		return out, nil
	}
	return out, s.keep(ctx, in, out, []int{0})
}

// inCorpus returns the file: address of a relative link in one of the user's folders. Other links without a scheme stay as they
// are.
func (s *Service) inCorpus(link string) string {
	name, _, _ := strings.Cut(link, "#")
	name, err := url.PathUnescape(name)
	if name = filepath.FromSlash(name); err != nil || !filepath.IsLocal(name) {
		return link
	}
	for _, folder := range s.Corpus {
		path := filepath.Join(folder, name)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			return fetch.FileAddress(path)
		}
	}
	return link
}

// DefaultReadTime is how long one Read waits for pages: a tool call ends within 25 s, and texts are compared and stored
// after the last page.
const DefaultReadTime = 22 * time.Second

// unfinished is the reason of a page that did not arrive before the end of its call.
const unfinished = "not finished within this call; ask again"

// withReason changes the reason of a page that timed out because the call ended, not because its site was slow.
func withReason(reading context.Context, p fetch.Page) fetch.Page {
	if p.Status == fetch.StatusTimeout && reading.Err() != nil {
		p.Reason = unfinished
	}
	return p
}
