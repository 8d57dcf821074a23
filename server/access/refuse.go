package access

import (
	"encoding/json"
	"fmt"
	"net/http"
)

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

// RefuseSize answers a request that is too large at any time.
func RefuseSize(w http.ResponseWriter, problem string, args ...any) {
	refuse(w, http.StatusRequestEntityTooLarge, "", "too_large", fmt.Sprintf(problem, args...))
}

// clip shortens untrusted text in an error.
func clip(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}
