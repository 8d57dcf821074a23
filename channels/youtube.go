package channels

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

const youTubeURL = "https://www.googleapis.com/youtube/v3/search"

// youTube searches videos (https://developers.google.com/youtube/v3/docs/search/list).
type youTube struct{ door *door }

func newYouTube(d *door) Channel { return &youTube{d} }

func (c *youTube) Describe() Description {
	return Description{
		Name:          "youtube",
		Description:   "YouTube: talks, lectures and demonstrations, by title and description; what is said in them is not searched.",
		GoodFor:       []string{"talks and lectures", "demonstrations", "who spoke when"},
		For:           []Kind{KindPractice},
		NeedsKey:      true,
		KeyFrom:       "https://console.cloud.google.com/apis/credentials (YouTube Data API v3)",
		Configured:    true,
		RatePerSecond: 1, // a search costs 100 of 10,000 units a day; chosen
		Parallel:      1,
		Hosts:         []string{"www.googleapis.com"},
		Honours:       Filters{Dates: true},
		Tested:        "recorded answers of the service",
	}
}

func (c *youTube) Search(ctx context.Context, q Query) ([]Result, error) {
	params := url.Values{"part": {"snippet"}, "type": {"video"}, "q": {q.Text}, "maxResults": {strconv.Itoa(q.Limit)}}
	if q.Since != "" {
		params.Set("publishedAfter", firstDay(q.Since)+"T00:00:00Z")
	}
	if q.Until != "" {
		params.Set("publishedBefore", lastDay(q.Until)+"T23:59:59Z")
	}
	if q.Language != "" {
		params.Set("relevanceLanguage", primaryLanguage(q.Language)) // a preference, not a filter
	}
	u, err := c.door.address(youTubeURL, "", params)
	if err != nil {
		return nil, err
	}
	req := request{url: u, want: wantJSON, explain: explainGoogle, header: http.Header{}}
	if c.door.key != "" {
		req.header.Set("X-Goog-Api-Key", c.door.key)
	}
	return ask(ctx, c.door, req, func(a answer) ([]Result, error) { return parseYouTube(a.body) })
}

// youTubeID is a text in lists of videos, and an object in lists of what a search found.
type youTubeID struct{ video, playlist, channel string }

func (i *youTubeID) UnmarshalJSON(b []byte) error {
	*i = youTubeID{}
	var parts struct {
		Video    string `json:"videoId"`
		Playlist string `json:"playlistId"`
		Channel  string `json:"channelId"`
	}
	if json.Unmarshal(b, &i.video) == nil {
		return nil
	}
	if json.Unmarshal(b, &parts) == nil {
		*i = youTubeID{parts.Video, parts.Playlist, parts.Channel}
	}
	return nil
}

func (i youTubeID) url() string {
	switch {
	case i.video != "":
		return "https://www.youtube.com/watch?v=" + url.QueryEscape(i.video)
	case i.playlist != "":
		return "https://www.youtube.com/playlist?list=" + url.QueryEscape(i.playlist)
	case i.channel != "":
		return "https://www.youtube.com/channel/" + url.PathEscape(i.channel)
	}
	return ""
}

func parseYouTube(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Error *googleError       `json:"error"`
		Items *[]json.RawMessage `json:"items"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Error != nil:
		status := reply.Error.status()
		if status == "" {
			status = StatusError
		}
		return nil, failure(status, "the source says: %s", clip(plainText(reply.Error.Message), maxWords))
	case reply.Items == nil:
		return nil, failure(StatusMalformed, "the answer has no list of videos")
	}
	var found []Result
	for _, item := range each[struct {
		ID      youTubeID `json:"id"`
		Snippet struct {
			Title       string `json:"title"` // with entities
			Description string `json:"description"`
			Channel     string `json:"channelTitle"`
			Published   string `json:"publishedAt"`
			Language    string `json:"defaultAudioLanguage"`
		} `json:"snippet"`
	}](*reply.Items) {
		s := item.Snippet
		e := Result{Evidence: loopstate.Evidence{Title: s.Title, URL: item.ID.url(), Snippet: s.Description, PublishedAt: s.Published, Language: bcp47(s.Language)}}
		if s.Channel != "" {
			e.Authors = []string{s.Channel}
		}
		found = append(found, e)
	}
	return found, nil
}

type googleError struct {
	Message string `json:"message"`
	Errors  []struct {
		Reason string `json:"reason"`
	} `json:"errors"`
}

// status is by https://developers.google.com/youtube/v3/docs/errors; "" where a reason says no more than the code.
func (e googleError) status() Status {
	for _, one := range e.Errors {
		switch one.Reason {
		case "quotaExceeded", "rateLimitExceeded", "dailyLimitExceeded", "userRateLimitExceeded":
			return StatusRateLimited
		case "keyInvalid", "keyExpired", "accessNotConfigured", "authError", "required":
			return StatusAuthRequired
		}
	}
	return ""
}

func explainGoogle(_ int, body []byte) (Status, string) {
	reply, err := decodeJSON[struct {
		Error googleError `json:"error"`
	}](body)
	if err != nil {
		return "", ""
	}
	return reply.Error.status(), reply.Error.Message
}
