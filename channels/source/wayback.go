package source

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// addressInText matches an address as people write it: with a scheme, or a domain name without punctuation at its end.
var addressInText = lazyregexp.New(`(?i)^(?:https?://\S+|` +
	`[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,24}(?::\d+)?(?:[/?]\S*)?)$`)

// searchWayback finds captures of an address in the Wayback Machine
// (https://github.com/internetarchive/wayback/tree/master/wayback-cdx-server).
func searchWayback(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	fields := strings.Fields(q.Text)
	i := slices.IndexFunc(fields, addressInText.MatchString)
	if i < 0 {
		return nil, channels.Fail(channels.StatusError, "it searches by address only: give it one, such as example.org/page")
	}
	params := url.Values{
		"url":      {fields[i]},
		"limit":    {strconv.Itoa(-q.Limit)}, // the newest
		"collapse": {"digest"},               // one of successive captures with the same content
		"filter":   {"!statuscode:[345].."},
	}
	if q.Since != "" {
		params.Set("from", strings.ReplaceAll(normal.FirstDay(q.Since), "-", ""))
	}
	if q.Until != "" {
		params.Set("to", strings.ReplaceAll(normal.LastDay(q.Until), "-", "")+"235959")
	}
	// The index answers in lines of text; without captures, the answer is empty.
	return channels.Ask(ctx, c, channels.Request{Params: params, Path: []string{"cdx", "search", "cdx"}, Want: channels.WantText,
		Explain: explainWayback}, parseWayback)
}

// parseWayback reads the lines of the index, newest first. A resume key after an empty line is not a capture.
func parseWayback(body []byte) ([]channels.Result, error) {
	lines, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n\n")
	if lines == "" {
		return nil, nil
	}
	var found []channels.Result
	for line := range strings.Lines(lines) {
		row := strings.Fields(line)
		switch {
		case len(row) > 2 && captureTime.MatchString(row[1]):
			found = append(found, capture(row))
		case len(found) == 0:
			return nil, channels.NoList(channels.ExplainMessage(http.StatusOK, body).Words, "captures")
		default:
			found = append(found, channels.Result{})
		}
	}
	slices.Reverse(found)
	return found, nil
}

var captureTime = lazyregexp.New(`^\d{14}$`)

// capture returns the result for a line: a key, the time as YYYYMMDDhhmmss in UTC, the address, the type and the status.
func capture(row []string) channels.Result {
	at, original := row[1], row[2]
	when := fmt.Sprintf("%s-%s-%s %s:%s", at[:4], at[4:6], at[6:8], at[8:10], at[10:12])
	e := channels.Result{Evidence: channels.Evidence{
		Title: original + " as archived on " + when, URL: "https://web.archive.org/web/" + at + "/" + original,
		PublishedAt: when, SourceType: normal.TypeOfSite(original),
	}}
	if len(row) > 4 {
		e.Snippet = normal.Join(row[3], "status "+row[4])
	}
	return e
}

// explainWayback reads a line such as "org.archive.…Exception: Blocked Site Error".
func explainWayback(_ int, body []byte) channels.Explained {
	line, _, _ := strings.Cut(string(body[:min(len(body), 1_000)]), "\n")
	if i := strings.LastIndex(line, ": "); i >= 0 {
		line = line[i+2:]
	}
	return channels.Explained{Words: line}
}
