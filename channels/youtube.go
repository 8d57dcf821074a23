package channels

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/citeloop/citeloop/loopstate"
)

// youTube searches videos (https://developers.google.com/youtube/v3/docs/search/list).
var youTube = channel{
	Description: Description{
		Name:          "youtube",
		Description:   "YouTube: talks, lectures and demonstrations, by title and description; what is said in them is not searched.",
		GoodFor:       []string{"talks and lectures", "demonstrations", "who spoke when"},
		For:           []Kind{KindPractice},
		NeedsKey:      true,
		KeyFrom:       "https://console.cloud.google.com/apis/credentials (YouTube Data API v3)",
		RatePerSecond: 1, // a search costs 100 of 10,000 units a day; chosen
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "recorded answers of the service",
	},
	url:    "https://www.googleapis.com/youtube/v3/search",
	search: searchYouTube,
}

func searchYouTube(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"part": {"snippet"}, "type": {"video"}, "q": {q.Text}, "maxResults": {strconv.Itoa(q.Limit)}}
	set(params, "publishedAfter", around("", firstDay(q.Since), "T00:00:00Z"))
	set(params, "publishedBefore", around("", lastDay(q.Until), "T23:59:59Z"))
	set(params, "relevanceLanguage", primaryLanguage(q.Language)) // a preference, not a filter
	return ask(ctx, c, request{params: params, explain: explainGoogle, header: c.keyIn("X-Goog-Api-Key", "")}, parseYouTube)
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
	list, err := listIn(body, "videos", explainGoogle, "items")
	if err != nil {
		return nil, err
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
	}](list) {
		s := item.Snippet
		e := Result{Evidence: loopstate.Evidence{Title: s.Title, URL: item.ID.url(), Snippet: s.Description, PublishedAt: s.Published, Language: bcp47(s.Language)}}
		e.Authors = distinct(s.Channel)
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
