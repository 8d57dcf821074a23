package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// keysFresh is how long keys are used without a new request. A revoked key stops working after it.
	keysFresh = 15 * time.Minute
	// keysPause is the shortest time between two requests for keys. It keeps tokens with invented key ids from
	// turning this server into a source of load for the authorization server.
	keysPause = 10 * time.Second
	// keysStale is how long known keys are used while the authorization server does not answer.
	keysStale = 24 * time.Hour
	// keysTimeout bounds one request, maxKeysBytes and maxKeys its answer. Sets of the large providers have
	// up to ten keys in 10 kB.
	keysTimeout  = 5 * time.Second
	maxKeysBytes = 1 << 20
	maxKeys      = 100
)

// keySet caches the public keys at an address. go-oidc's set of remote keys was not taken: it asks the authorization server for
// every token with an unknown key id, keeps a revoked key until a token fails with it, reads an answer of any size, and quotes it
// whole in its error.
type keySet struct {
	address string
	client  *http.Client
	now     func() time.Time

	mu       sync.Mutex // never held during a request
	keys     []jose.JSONWebKey
	got      time.Time     // when keys were last received; zero, ages ago: never
	asked    time.Time     // when they were last requested
	failed   error         // of the last request
	fetching chan struct{} // closed when the running request ends; nil: none runs
}

// find returns the keys that may have signed a token with this key id. A token without a key id may be signed by any.
// One request at a time runs for all callers. A caller waits for it only if it started the request or its key is
// unknown; known keys, even stale ones, are returned meanwhile. find fails if no keys are available.
func (k *keySet) find(ctx context.Context, kid string) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	now := k.now()
	known, age := k.of(kid), now.Sub(k.got)
	if len(known) > 0 && (age < keysFresh || k.fetching != nil && age < keysStale) {
		k.mu.Unlock()
		return known, nil
	}
	if k.fetching == nil && now.Sub(k.asked) >= keysPause {
		k.asked, k.fetching = now, make(chan struct{})
		go k.refresh(context.WithoutCancel(ctx), now) // others may wait for the answer after this caller has gone
	}
	fetching := k.fetching
	k.mu.Unlock()
	if fetching != nil {
		select {
		case <-fetching:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if now.Sub(k.got) < keysStale {
		return k.of(kid), nil
	}
	if k.failed != nil {
		return nil, k.failed
	}
	return nil, errors.New("no signing keys available")
}

// refresh requests the keys and wakes the callers that wait for them.
func (k *keySet) refresh(ctx context.Context, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, keysTimeout)
	defer cancel()
	keys, err := k.fetch(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed = err; err == nil {
		k.keys, k.got = keys, now
	}
	close(k.fetching)
	k.fetching = nil
}

func (k *keySet) of(kid string) []jose.JSONWebKey {
	return slices.DeleteFunc(slices.Clone(k.keys), func(key jose.JSONWebKey) bool { return kid != "" && key.KeyID != kid })
}

func (k *keySet) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	resp, err := k.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", k.address, resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxKeysBytes+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxKeysBytes {
		return nil, fmt.Errorf("key set of %s exceeds %d bytes", k.address, maxKeysBytes)
	}
	return parseKeys(body)
}

// parseKeys reads a JWK set. It ignores keys of unknown kinds and keys not for signatures, as RFC 7517 (5) requires.
// It ignores symmetric keys too: anybody could sign with a published one.
func parseKeys(body []byte) ([]jose.JSONWebKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, fmt.Errorf("invalid key set: %w", err)
	}
	var keys []jose.JSONWebKey
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(raw) != nil || !key.Valid() || !key.IsPublic() || key.Use != "" && key.Use != "sig" {
			continue
		}
		if keys = append(keys, key); len(keys) == maxKeys {
			break
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("the key set has no public signing key")
	}
	return keys, nil
}
