package access

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
)

// Bearer requires a bearer token, and calls next for its owner. metadata is the address of the OAuth metadata of this server, which
// refusals name together with the scope that a client has to ask for (RFC 9728, 5.1), or empty.
func Bearer(auth Authenticator, metadata string, logger *slog.Logger, next http.Handler) http.Handler {
	challenge := func(params string) string {
		if metadata != "" {
			params += fmt.Sprintf(", scope=%q, resource_metadata=%q", Scope, metadata)
		}
		return `Bearer realm="citeloop"` + params
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := bearer(r.Header)
		if token == "" {
			refuse(w, http.StatusUnauthorized, challenge(""), "unauthorized", "missing token; send one header Authorization: Bearer TOKEN")
			return
		}
		owner, err := auth.Authenticate(r.Context(), token)
		switch {
		case errors.Is(err, ErrUnknownToken):
			refuse(w, http.StatusUnauthorized, challenge(`, error="invalid_token"`), "unauthorized", "unknown or expired token")
		case err != nil:
			logger.ErrorContext(r.Context(), "authentication failed", "error", err)
			w.Header().Set("Retry-After", "5")
			refuse(w, http.StatusServiceUnavailable, "", "unavailable", "authentication is temporarily unavailable; see the server log")
		default:
			next.ServeHTTP(w, r.WithContext(loops.WithOwner(r.Context(), owner)))
		}
	})
}

// bearer returns the token of a request, or "". Of several headers it takes none: a proxy may have looked at another one.
func bearer(h http.Header) string {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// refuse answers with a short JSON body. challenge is the WWW-Authenticate header, or empty.
func refuse(w http.ResponseWriter, status int, challenge, code, message string) {
	if challenge != "" {
		w.Header().Set("WWW-Authenticate", challenge)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "message": message})
}
