package source

import (
	"context"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

// pubMed searches PubMed through the E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25499/): esearch finds ids, esummary
// describes them. At most fifty ids are sent, far below the length at which the service answers 414.
type pubMed struct{ Recipe }

func (s pubMed) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	var ids []string
	// PubMed maps plain words to its own fields and headings, and ignores stop words.
	_, err := s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": "esearch.fcgi", "words": q.Text}, Read: func(body []byte) (_ []channels.Result, done bool, err error) {
		ids, err = s.readIDs(body)
		return nil, true, err
	}})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	ids = ids[:min(len(ids), channels.MaxLimit)]
	return s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": "esummary.fcgi", "ids": strings.Join(ids, ",")}})
}

// readIDs reads the answer of esearch. An error comes with status 200, and may come with an empty list.
func (s pubMed) readIDs(body []byte) (ids []string, err error) {
	answer, err := s.Decode(body)
	if err != nil {
		return nil, err
	}
	if !answer.Get("esearchresult.idlist").Exists() || normal.First(answer, "error", "esearchresult.ERROR", "esearchresult.error") != "" {
		return nil, s.NoList(body)
	}
	for _, id := range normal.Texts(answer, "[esearchresult.idlist,esearchresult.idlist.id]|@flatten") {
		if number, ok := strings.CutPrefix(normal.PMID(id), "pmid:"); ok {
			ids = append(ids, number)
		}
	}
	return ids, nil
}
