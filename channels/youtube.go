package channels

import (
	"context"
	"net/url"
	"strconv"

	"github.com/tidwall/gjson"
)

// searchYouTube searches videos (https://developers.google.com/youtube/v3/docs/search/list).
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
