package loops

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Read fetches addresses and, if in.Loop is set, stores each text as a source. It does not fetch an address again that the
// loop has already read. Pages that do not arrive within the time of a call are timeouts and can be requested again.
func (s *Service) Read(ctx context.Context, in ReadInput) ([]PageOutcome, error) {
	urls, err := s.checkURLs(in)
	if err != nil {
		return nil, err
	}
	if in.Text != "" {
		return s.paste(ctx, in, urls)
	}
	out, todo, err := s.alreadyRead(ctx, in.Loop, urls)
	if err != nil {
		return nil, err
	}
	done := func(i int) {
		if in.Done != nil {
			in.Done(i, out[i])
		}
	}
	for i := range out {
		if out[i].Status != "" {
			done(i)
		}
	}
	if len(todo) > 0 {
		s.fetch(ctx, urls, out, todo, done)
	}
	return out, s.keep(ctx, in, out, todo)
}

// fetch reads pages, and sets what was published about them.
func (s *Service) fetch(ctx context.Context, urls []string, out []PageOutcome, todo []int, done func(i int)) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Patience, readTime))
	defer cancel()
	missing, sources := make([]string, len(todo)), make([]loopstate.Source, len(todo))
	for j, i := range todo {
		missing[j] = urls[i]
	}
	s.Reader.ReadAll(ctx, missing, func(j int, p fetch.Page) {
		if p.Status == fetch.StatusTimeout && ctx.Err() != nil { // the call ended; its site is not slow
			p.Reason = "not finished within this call; ask again"
		}
		o := outcomeOf(missing[j], p)
		out[todo[j]], sources[j] = o, o.Source
		done(todo[j])
	})
	looking, stop := context.WithTimeout(ctx, lookTime)
	defer stop()
	for j, found := range s.lookUp(looking, sources) {
		if found != nil {
			out[todo[j]].SetStanding(found)
		}
	}
}

// readTime is how long one Read waits for pages: texts are compared and stored after the last page.
const readTime = 22 * time.Second

var oneSource = lazyregexp.New(`^S\d+$`)

// alreadyRead returns the outcomes of addresses that the loop has read, and the positions of the others.
func (s *Service) alreadyRead(ctx context.Context, loop string, urls []string) (out []PageOutcome, todo []int, err error) {
	out = make([]PageOutcome, len(urls))
	if loop != "" {
		err := s.view(ctx, loop, func(st *loopstate.State) error {
			for i, u := range urls {
				src, ok := st.SourceByAddress(u, "")
				if !ok {
					src, _ = st.SourceByID(u) // named by its id
				}
				out[i].Source = src
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for i := range out {
		switch o := &out[i]; {
		case o.ID != "":
			text, err := s.text(ctx, o.Source)
			if err != nil {
				return nil, nil, err
			}
			o.Text, o.Status = text.String(), fetch.StatusRead
		case oneSource.MatchString(urls[i]):
			return nil, nil, unreadSource(fmt.Sprintf("addresses[%d]", i), urls[i])
		default:
			todo = append(todo, i)
		}
	}
	return out, todo, nil
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
	err := change(ctx, s, in.Loop, "", "", func(st *loopstate.State) (loopstate.Payload, error) {
		question := ""
		if st.Query == "" {
			question = strings.TrimSpace(in.Query)
		}
		if err := s.useStoredTexts(ctx, st, out, fresh); err != nil {
			return nil, err
		}
		var sources []loopstate.Source
		var texts []string
		var bad []loopstate.BadURL
		for _, i := range fresh {
			o := &out[i]
			if o.Status != fetch.StatusRead {
				if !transient(o.Status) {
					bad = append(bad, loopstate.BadURL{URL: o.URL, Reason: string(o.Status) + ": " + o.Reason})
				}
				continue
			}
			if in.atCheck {
				o.ownKey(st)
			}
			kept[o.SHA256] = []byte(o.Text)
			sources, texts = append(sources, o.Source), append(texts, o.Text)
		}
		if err := s.nearSources(ctx, st, sources, texts); err != nil {
			return nil, err
		}
		if len(fresh) == 0 && question == "" {
			return nil, nil // of an aborted loop, too
		}
		p, err := st.Read(sources, bad)
		if err != nil {
			return nil, err
		}
		if p.Query = question; len(p.Sources) == 0 && len(p.Bad) == 0 && question == "" {
			return nil, nil
		}
		var named [][]byte
		for _, src := range p.Sources {
			named = append(named, kept[src.SHA256])
		}
		return withTexts{Payload: p, texts: named}, nil
	}, func(st *loopstate.State, _ *loopstate.Read, _ loopstate.Event) error {
		for _, i := range fresh {
			if out[i].Status != fetch.StatusRead {
				continue
			}
			src, ok := st.SourceByKey(out[i].Key)
			if !ok {
				return fmt.Errorf("loops: source %s is not in loop %s after it was kept", out[i].Key, in.Loop)
			}
			out[i].Source = src
		}
		return nil
	})
	if err != nil {
		return err
	}
	dir := s.Folder(ctx, in.Loop)
	for i := range out {
		if dir != "" && out[i].Status == fetch.StatusRead {
			out[i].File = folder.SourcePath(dir, out[i].ID)
		}
	}
	return nil
}

// useStoredTexts replaces the text of a page by the one that the loop already has, or got from an earlier address of this call,
// under the same key and from the same host. Texts of two hosts under one key are both kept, the second one under its address.
func (s *Service) useStoredTexts(ctx context.Context, st *loopstate.State, out []PageOutcome, fresh []int) error {
	first := map[string]*PageOutcome{} // of this call, by key
	for _, i := range fresh {
		o := &out[i]
		if o.Status != fetch.StatusRead {
			continue
		}
		have, ok := st.SourceByKey(o.Key)
		before := first[o.Key]
		if !ok && before != nil {
			have, ok = before.Source, true
		}
		if ok && have.SHA256 != o.SHA256 && !sameHost(have, o.Source) {
			o.Key, before = docid.AddressKey(o.FinalURL), nil
			have, ok = st.SourceByKey(o.Key)
		}
		switch {
		case !ok:
			first[o.Key] = o
		case have.SHA256 == o.SHA256:
		case before != nil && before.SHA256 == have.SHA256:
			o.Text, o.Source = before.Text, have
		default:
			text, err := s.text(ctx, have)
			if err != nil {
				return err
			}
			o.Text, o.Source = text.String(), have
		}
	}
	return nil
}

// paste stores a text that the user pasted, without invisible characters. It may be that of an address.
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
	src := loopstate.Source{Title: sanitize.Line(in.Title), Authors: []string{}, ContentType: "text/plain", Pasted: true,
		Invisible: sanitize.CountInvisible(in.Title + "\n" + text), FetchedAt: s.Now().UTC().Truncate(time.Second)}
	text = strings.TrimSpace(sanitize.Visible(text))
	src.Chars, src.Flags = utf8.RuneCountInString(text), textFlags(src, text)
	hash := loopstate.HashText([]byte(text)).String()
	src.URL = "urn:sha256:" + hash
	src.Key = src.URL
	if len(urls) > 0 {
		src.URL = urls[0]
		src.Key = docid.CanonicalKey(src.URL, "")
	}
	src.FinalURL = src.URL
	if src.Chars < loopstate.MinSourceChars {
		return []PageOutcome{{Source: src, Status: fetch.StatusTooShort, Reason: fmt.Sprintf(
			"the pasted text has %d characters; under %d it is not a source", src.Chars, loopstate.MinSourceChars)}}, nil
	}
	src.SHA256 = hash
	out := []PageOutcome{{Source: src, Status: fetch.StatusRead, Text: text}}
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
