package channels

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Info is what List says of a channel.
type Info struct {
	Description
	Health    string    // "untried", "ok", "not configured: …", "circuit open until …" or the last outcome
	Last      *Last     // how its last search ended; nil = none since the process began
	OpenUntil time.Time // until then the channel is not asked, after failures here or in a process over the same store; zero = it is
	RateLimit string    // "1 request per 3 s"
	Remaining string    // what is left of the rate now, by the service's word ("12 requests for 40s") or by our own pace; "" = nothing known
	Proxy     string    // host and port of the proxy that its requests go through; "" = none
}

// Last is how a search ended, and when.
type Last struct {
	Outcome
	At time.Time
}

// Words are such as "ok, 3 results at 10:47:48 UTC"; "" for none.
func (l *Last) Words() string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%s, %d results at %s", l.Status, l.Count, clockTime(l.At))
}

// List describes the channels and how they are, in a fixed order. It asks no service.
func (r *Registry) List() []Info {
	infos := make([]Info, len(r.clients))
	ctx, cancel := context.WithTimeout(context.Background(), ledgerTimeout) // for all of them together
	defer cancel()
	now := r.cfg.Now()
	for i, s := range r.clients {
		info := Info{Description: s.Description, RateLimit: rateWords(s.Description), Remaining: s.remaining(now), Proxy: s.proxy(), Last: s.last.Load()}
		if info.OpenUntil = s.circuit.OpenUntil(); info.OpenUntil.IsZero() && s.Configured {
			if left, _ := r.heldOpen(ctx, s); left > 0 {
				info.OpenUntil = now.Add(left)
			}
		}
		info.Health = info.health()
		infos[i] = info
	}
	return infos
}

// circuitHealth is how the health of a channel begins that is not asked for now.
const circuitHealth = "circuit open until "

func (i Info) health() string {
	switch {
	case !i.Configured:
		return "not configured: " + i.Missing
	case !i.OpenUntil.IsZero():
		return circuitHealth + clockTime(i.OpenUntil)
	case i.Last == nil:
		return "untried"
	case i.Last.Status == StatusOK || i.Last.Status == StatusEmpty:
		return "ok"
	case i.Last.Message == "":
		return string(i.Last.Status)
	}
	return string(i.Last.Status) + ": " + clip(i.Last.Message, maxWords)
}

// remaining is what is left of the rate: by the service's last word while that holds, else by our own pace where it
// makes the next request wait.
func (d *client) remaining(now time.Time) string {
	if words := d.left.Load().words(now); words != "" {
		return words
	}
	if p := d.paced.Load(); p != nil {
		p.mu.Lock()
		wait := p.wait()
		p.mu.Unlock()
		if wait > 0 {
			return "0 requests for " + roundUp(wait).String() + ", by our own pace"
		}
	}
	return ""
}

// proxy is the proxy of the channel's requests, without its user.
func (d *client) proxy() string {
	at := d.base
	if at == "" && len(d.Hosts) > 0 && strings.Contains(d.Hosts[0], ".") {
		at = "https://" + strings.ReplaceAll(d.Hosts[0], "*", "en")
	}
	u, err := url.Parse(strings.ReplaceAll(at, "{lang}", "en"))
	if err != nil || u.Host == "" {
		return ""
	}
	if p, err := d.cfg.Proxy(u); err == nil && p != nil {
		return p.Host
	}
	return ""
}

// rateWords says a rate as people do: "5 requests per second", "1 request per 3 s".
func rateWords(d Description) string {
	var words string
	switch rate := d.RatePerSecond; {
	case rate == 0:
		return "none: nothing leaves the machine"
	case rate == 1:
		words = "1 request per second"
	case rate > 1:
		words = strconv.FormatFloat(rate, 'g', 3, 64) + " requests per second"
	default:
		words = "1 request per " + strconv.FormatFloat(1/rate, 'g', 3, 64) + " s"
	}
	if d.Parallel > 0 {
		words += ", " + strconv.Itoa(d.Parallel) + " at once"
	}
	return words
}
