package source

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// addressInText matches an address as people write it: with a scheme, or a domain name without punctuation at its end.
var addressInText = lazyregexp.New(`(?i)^(?:https?://\S+|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,24}(?::\d+)?(?:[/?]\S*)?)$`)

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
	channels.Set(params, "from", strings.ReplaceAll(normal.FirstDay(q.Since), "-", ""))
	channels.Set(params, "to", channels.Around("", strings.ReplaceAll(normal.LastDay(q.Until), "-", ""), "235959"))
	// The index answers in lines of text; without captures, the answer is empty.
	return channels.Ask(ctx, c, channels.Request{Params: params, Path: []string{"cdx", "search", "cdx"}, Want: channels.WantText, Explain: explainWayback}, parseWayback)
}

// parseWayback reads the index in text or JSON, or the availability API's one capture; newest first.
func parseWayback(body []byte) ([]channels.Result, error) {
	body = bytes.TrimSpace(body)
	var rows [][]string
	switch {
	case len(body) == 0:
		return nil, nil
	case body[0] == '{':
		return parseAvailable(body)
	case body[0] == '[':
		all, err := channels.ReadJSON(body)
		if err != nil {
			return nil, err
		}
		for i, row := range all.Array() {
			if i == 0 {
				continue // the names of the fields
			}
			var fields []string
			for _, field := range row.Array() {
				fields = append(fields, field.String())
			}
			rows = append(rows, fields)
		}
	default:
		for line := range strings.Lines(string(body)) {
			fields := strings.Fields(line)
			if len(fields) == 0 { // a resume key follows, not a capture
				break
			}
			rows = append(rows, fields)
		}
		if !captureTime.MatchString(slices.Concat(rows[0], []string{"", ""})[1]) {
			return nil, channels.Fail(channels.StatusMalformed, "the answer is not the documented index")
		}
	}
	slices.Reverse(rows)
	var found []channels.Result
	for _, row := range rows {
		if len(row) < 3 || !captureTime.MatchString(row[1]) {
			found = append(found, channels.Result{})
			continue
		}
		e := capture(row[1], row[2])
		if len(row) > 4 {
			e.Snippet = normal.Join(row[3], "status "+row[4])
		}
		found = append(found, e)
	}
	return found, nil
}

var captureTime = lazyregexp.New(`^\d{14}$`)

// capture returns the result for an address captured at a time, YYYYMMDDhhmmss in UTC.
func capture(at, original string) channels.Result {
	when := fmt.Sprintf("%s-%s-%s %s:%s", at[:4], at[4:6], at[6:8], at[8:10], at[10:12])
	return channels.Result{Evidence: channels.Evidence{
		Title: original + " as archived on " + when, URL: "https://web.archive.org/web/" + at + "/" + original,
		PublishedAt: when, SourceType: normal.TypeOfSite(original),
	}}
}

func parseAvailable(body []byte) ([]channels.Result, error) {
	answer, err := channels.ReadJSON(body)
	if err != nil {
		return nil, err
	}
	closest := answer.Get("archived_snapshots.closest")
	switch at := normal.Text(closest, "timestamp"); {
	case !answer.Get("archived_snapshots").Exists():
		return nil, channels.NoList(normal.Text(answer, "message"), "captures")
	case !closest.IsObject():
		return nil, nil // {}: no capture
	case !captureTime.MatchString(at):
		return nil, channels.Fail(channels.StatusMalformed, "its capture has no time")
	default:
		original := normal.Text(answer, "url")
		if _, rest, ok := strings.Cut(normal.Text(closest, "url"), "/"+at+"/"); ok {
			original = rest
		}
		e := capture(at, original)
		e.Snippet = "status " + normal.Text(closest, "status")
		return []channels.Result{e}, nil
	}
}

// explainWayback reads a line such as "org.archive.…Exception: Blocked Site Error".
func explainWayback(_ int, body []byte) (channels.Status, string) {
	line, _, _ := strings.Cut(string(body[:min(len(body), 1_000)]), "\n")
	if i := strings.LastIndex(line, ": "); i >= 0 {
		line = line[i+2:]
	}
	return "", line
}
