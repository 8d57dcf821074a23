package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/loops"
)

// streamCheckEvery is how often the token of an open event stream is looked up again. All other requests end
// within tools.CallTimeout.
const streamCheckEvery = 10 * time.Second

// authenticate lets requests with a token through, on behalf of its owner.
func authenticate(tokens *Tokens, logger *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, problem := bearer(r.Header)
		if problem != "" {
			refuse(w, http.StatusUnauthorized, `Bearer realm="citeloop"`, "unauthorized", problem)
			return
		}
		owner, ok, err := tokens.owner(token)
		switch {
		case err != nil: // the log has why
			w.Header().Set("Retry-After", "5")
			refuse(w, http.StatusServiceUnavailable, "", "unavailable", "the server cannot tell at the moment who is let in; its log says why")
			return
		case !ok:
			refuse(w, http.StatusUnauthorized, `Bearer realm="citeloop", error="invalid_token"`, "unauthorized", "this token is not known; ask for a new one")
			return
		}
		ctx := loops.WithOwner(r.Context(), owner)
		if longLived(r) {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			go endWithToken(ctx, cancel, tokens, token, owner, logger)
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// token68 is what RFC 6750 lets a bearer token be made of.
var token68 = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// bearer reads the token of a request, or says what is wrong with it.
func bearer(h http.Header) (token, problem string) {
	values := h.Values("Authorization")
	switch len(values) {
	case 0:
		return "", "a token is needed: send the header Authorization: Bearer TOKEN"
	case 1:
	default:
		return "", "there is more than one Authorization header; send one"
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimLeft(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || len(token) > maxTokenChars || !token68.MatchString(token) {
		return "", "the Authorization header is not of the form Bearer TOKEN"
	}
	return token, ""
}

// refuse answers with a short JSON body. challenge is the WWW-Authenticate header, or empty.
func refuse(w http.ResponseWriter, status int, challenge, code, message string) {
	if challenge != "" {
		w.Header().Set("WWW-Authenticate", challenge)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A client that is gone does not read why it was refused.
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "message": message})
}

// longLived requests stay open: the event stream of the older era, and the subscription of the newer one,
// whose header the library holds against the body.
func longLived(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get(mcp.HeaderMethod) == string(mcp.MethodSubscriptionsListen)
}

// endWithToken ends a request when its token is no longer its owner's.
func endWithToken(ctx context.Context, end context.CancelFunc, tokens *Tokens, token, owner string, logger *slog.Logger) {
	ticker := time.NewTicker(streamCheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if now, ok, err := tokens.owner(token); err != nil || !ok || now != owner {
				logger.Info("an event stream ends with its token", "owner", owner)
				end()
				return
			}
		}
	}
}
