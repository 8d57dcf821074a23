package channels

import (
	"context"
	"net/url"
	"strconv"

	"github.com/tidwall/gjson"
)

// youTube searches videos (https://developers.google.com/youtube/v3/docs/search/list).
var youTube = channel{
	Description: Description{
		Name:          "youtube",
		Description:   "YouTube: talks, lectures and demonstrations, by title and description; spoken words are not searched.",
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

var parseYouTube = records{
	of: "videos", explain: explainGoogle,
	paths: paths{List: "items", Title: "snippet.title", Snippet: "snippet.description", Date: "snippet.publishedAt", Authors: "snippet.channelTitle", Language: "snippet.defaultAudioLanguage"},
	more: func(r gjson.Result, e *Result) {
		video := first(r, "id.videoId", "id") // an object in the answer of a search, a text in a list of videos
		playlist, channel := text(r, "id.playlistId"), text(r, "id.channelId")
		switch {
		case video != "":
			e.URL = "https://www.youtube.com/watch?v=" + url.QueryEscape(video)
		case playlist != "":
			e.URL = "https://www.youtube.com/playlist?list=" + url.QueryEscape(playlist)
		case channel != "":
			e.URL = "https://www.youtube.com/channel/" + url.PathEscape(channel)
		}
	},
}.read

// explainGoogle maps the reasons of https://developers.google.com/youtube/v3/docs/errors; other reasons keep the status
// of the code.
func explainGoogle(_ int, body []byte) (Status, string) {
	words := messageIn(body, "error.message")
	for _, reason := range gjson.GetBytes(body, "error.errors.#.reason").Array() {
		switch reason.Str {
		case "quotaExceeded", "rateLimitExceeded", "dailyLimitExceeded", "userRateLimitExceeded":
			return StatusRateLimited, words
		case "keyInvalid", "keyExpired", "accessNotConfigured", "authError", "required":
			return StatusAuthRequired, words
		}
	}
	return "", words
}
