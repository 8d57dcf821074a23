package channels

import (
	"context"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

// kiwixURL is where kiwix-serve listens where it is told port 8080. The channel asks only at a configured address.
const kiwixURL = "http://127.0.0.1:8080/search"

// kiwix searches the books of a kiwix-serve of the user's own: Wikipedia and the like without a network
// (https://kiwix-tools.readthedocs.io/en/latest/kiwix-serve.html#search). Parameters in the configured address, such
// as books.name=wikipedia_en, choose the books.
type kiwix struct{ door *door }

func newKiwix(d *door) Channel { return &kiwix{d} }

func (c *kiwix) Describe() Description {
	return Description{
		Name:          "kiwix",
		Description:   "Offline encyclopedias and manuals of a kiwix-serve of your own: Wikipedia, Wiktionary, Stack Exchange, documentation.",
		GoodFor:       []string{"background without a network", "manuals kept on the machine"},
		For:           []Kind{KindBackground, KindPrivate},
		Configured:    c.door.base != "",
		Missing:       "set CITELOOP_KIWIX_URL to the address of a kiwix-serve, such as http://127.0.0.1:8080/search?books.name=NAME (kiwix-serve --port 8080 FILE.zim starts one)",
		RatePerSecond: 5, // the user's own server; chosen
		Parallel:      2,
		Hosts:         []string{"CITELOOP_KIWIX_URL"},
		Tested:        "answers of kiwix-serve 3.3.0 with Debian's reference manual",
	}
}

func (c *kiwix) Search(ctx context.Context, q Query) ([]Result, error) {
	u, err := c.door.address(kiwixURL, "", url.Values{"pattern": {q.Text}, "format": {"xml"}, "pageLength": {strconv.Itoa(q.Limit)}})
	if err != nil {
		return nil, err
	}
	return ask(ctx, c.door, request{url: u, want: wantXML, explain: explainXML}, func(a answer) ([]Result, error) { return parseKiwix(a.body, u) })
}

// parseKiwix reads the answer of the server at an address: its links are relative to it.
func parseKiwix(body []byte, at *url.URL) ([]Result, error) {
	reply, err := decodeXML[struct {
		Channel *struct {
			Title string `xml:"title"`
			Items []struct {
				Title   string `xml:"title"`
				Link    string `xml:"link"`
				Snippet struct {
					Inner string `xml:",innerxml"` // with <b> around what was found
				} `xml:"description"`
				Book struct {
					Title string `xml:"title"`
				} `xml:"book"`
			} `xml:"item"`
		} `xml:"channel"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Channel == nil:
		if words := saidInXML(body); words != "" {
			return nil, failure(StatusError, "the source says: %s", clip(plainText(words), maxWords))
		}
		return nil, failure(StatusMalformed, "the answer has no list of articles")
	}
	var found []Result
	for _, item := range reply.Channel.Items {
		e := Result{Evidence: loopstate.Evidence{Title: item.Title, Snippet: joinSaid([]string{plainText(item.Snippet.Inner), item.Book.Title})}}
		if link, err := url.Parse(item.Link); err == nil && item.Link != "" {
			e.URL = at.ResolveReference(link).String()
		}
		found = append(found, e)
	}
	return found, nil
}
