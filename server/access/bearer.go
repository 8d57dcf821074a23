package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
)

// streamCheckEvery is how often the token of an open event stream is looked up again. All other requests end
// soon.
const streamCheckEvery = 10 * time.Second

// maxBearerBytes bounds what a client may send as a token: JSON web tokens with many claims have some 2 kB.
const maxBearerBytes = 8 << 10

// Bearer lets requests with a token of a auth through, on behalf of its owner and with its scopes. metadata is
// the address of this server's OAuth metadata, to which refusals point (RFC 9728, 5.1), or empty.
func Bearer(auth Authenticator, metadata string, longLived func(*http.Request) bool, logger *slog.Logger, next http.Handler) http.Handler {
	challenge := func(params string) string {
		if metadata != "" {
			params += fmt.Sprintf(", resource_metadata=%q", metadata)
		}
		return `Bearer realm="citeloop"` + params
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, problem := bearer(r.Header)
		if problem != "" {
			refuse(w, http.StatusUnauthorized, challenge(""), "unauthorized", problem)
			return
		}
		caller, err := auth.Authenticate(r.Context(), token)
		switch {
		case errors.Is(err, ErrUnknownToken):
			refuse(w, http.StatusUnauthorized, challenge(`, error="invalid_token"`), "unauthorized", "this token is not known, or not valid any more; ask for a new one")
			return
		case err != nil:
			logger.ErrorContext(r.Context(), "it cannot be told who is let in", "error", err)
			w.Header().Set("Retry-After", "5")
			refuse(w, http.StatusServiceUnavailable, "", "unavailable", "the server cannot tell at the moment who is let in; its log says why")
			return
		case caller.Scopes&Read == 0:
			refuse(w, http.StatusForbidden, challenge(fmt.Sprintf(`, error="insufficient_scope", scope=%q`, scopePrefix+Read.String())), "forbidden", "this token has none of the scopes citeloop:read, citeloop:write and citeloop:web")
			return
		}
		ctx := WithScopes(loops.WithOwner(r.Context(), caller.Owner), caller.Scopes)
		if longLived(r) {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			go endWithToken(ctx, cancel, auth, token, caller, logger)
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
	if !strings.EqualFold(scheme, "Bearer") || len(token) > maxBearerBytes || !token68.MatchString(token) {
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

// endWithToken ends a request when its token is no longer its owner's.
func endWithToken(ctx context.Context, end context.CancelFunc, auth Authenticator, token string, caller Caller, logger *slog.Logger) {
	ticker := time.NewTicker(streamCheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if now, err := auth.Authenticate(ctx, token); err != nil || now != caller {
				logger.InfoContext(ctx, "an event stream ends with its token", "owner", caller.Owner)
				end()
				return
			}
		}
	}
}
