package access

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// wellKnown is the path of the metadata of a protected resource (RFC 9728, 3).
const wellKnown = "/.well-known/oauth-protected-resource"

// Resource tells OAuth clients where to get a token for this server (RFC 9728).
type Resource struct {
	Address string   // this server's public address, with the path of its endpoint
	Issuers []string // authorization servers whose tokens it accepts
}

// MetadataURL returns the address of the metadata, or "" for a nil resource.
func (r *Resource) MetadataURL() string {
	if r == nil {
		return ""
	}
	u, err := url.Parse(r.Address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + wellKnown + strings.TrimSuffix(u.Path, "/")
}

// MetadataPaths returns the paths of the metadata: with the path of the endpoint, as the RFC requires, and without it
// for older clients.
func (r *Resource) MetadataPaths() []string {
	u, err := url.Parse(r.MetadataURL())
	if err != nil || u.Path == wellKnown {
		return []string{wellKnown}
	}
	return slices.Compact([]string{u.Path, wellKnown})
}

// ServeHTTP serves the metadata. It is public, also for pages of other sites: a client in a browser needs it to log in.
func (r *Resource) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	switch req.Method {
	case http.MethodOptions:
		w.Header().Set("Access-Control-Allow-Methods", "GET")
		w.Header().Set("Access-Control-Allow-Headers", "MCP-Protocol-Version")
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodGet, http.MethodHead:
	default:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		http.Error(w, "method not allowed; use GET", http.StatusMethodNotAllowed)
		return
	}
	var scopes []string
	for _, name := range scopeNames() {
		scopes = append(scopes, scopePrefix+name)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"resource": r.Address, "authorization_servers": r.Issuers, "scopes_supported": scopes,
		"bearer_methods_supported": []string{"header"}, "resource_name": "citeloop",
	})
}
