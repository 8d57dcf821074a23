package archive

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"strconv"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// SearchTable lists the searches as CSV, one line for each channel.
func SearchTable(searches []loopstate.Search) []byte {
	rows := [][]string{{"channel", "query", "date", "hits", "outcome", "angle", "since", "until", "language"}}
	for _, q := range searches {
		for _, o := range q.Channels {
			rows = append(rows, []string{o.Channel, cmp.Or(q.Sent, q.Query), q.At.UTC().Format(time.RFC3339), strconv.Itoa(o.Count), o.Status, q.Angle, q.Since, q.Until, q.Language})
		}
	}
	var out bytes.Buffer
	_ = csv.NewWriter(&out).WriteAll(rows) // a buffer takes everything
	return out.Bytes()
}
