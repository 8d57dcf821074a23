package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// keysFresh is how long keys are used without asking again: one that was taken back works no longer.
	keysFresh = 15 * time.Minute
	// keysPause is the shortest time between two requests for keys. Without it, tokens with made-up key ids
	// would make this server knock at the authorization server's door as often as they come.
	keysPause = 10 * time.Second
	// keysStale is how long known keys are used while the authorization server does not answer.
	keysStale = 24 * time.Hour
	// keysTimeout of one request, and maxKeysBytes and maxKeys of its answer. Sets of the large providers have
	// up to ten keys in 10 kB.
	keysTimeout  = 5 * time.Second
	maxKeysBytes = 1 << 20
	maxKeys      = 100
)

// keySet is the public keys at an address, kept for a while.
type keySet struct {
	address string
	client  *http.Client
	now     func() time.Time

	mu     sync.Mutex // held while keys are fetched: those who wait need the same answer
	keys   []jose.JSONWebKey
	got    time.Time // when keys were received; zero: never
	asked  time.Time // when they were last asked for
	failed error     // of the last request
}

// find returns the keys that may have signed a token with this key id; a token without one may be signed by
// any. It fails when there are no keys to tell by.
func (k *keySet) find(ctx context.Context, kid string) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	known := k.of(kid)
	if fresh := !k.got.IsZero() && now.Sub(k.got) < keysFresh; fresh && len(known) > 0 {
		return known, nil
	}
	if k.asked.IsZero() || now.Sub(k.asked) >= keysPause {
		k.asked = now
		keys, err := k.fetch(ctx)
		if k.failed = err; err == nil {
			k.keys, k.got = keys, now
		}
	}
	if k.got.IsZero() || now.Sub(k.got) >= keysStale {
		if k.failed == nil {
			return nil, errors.New("there are none")
		}
		return nil, k.failed
	}
	return k.of(kid), nil
}

func (k *keySet) of(kid string) []jose.JSONWebKey {
	if kid == "" {
		return k.keys
	}
	var found []jose.JSONWebKey
	for _, key := range k.keys {
		if key.KeyID == kid {
			found = append(found, key)
		}
	}
	return found
}

func (k *keySet) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	// Whoever waits behind this request wants its answer even when its first caller has gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTimeout)
	defer cancel()
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
		return nil, fmt.Errorf("%s answers %s", k.address, resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxKeysBytes+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxKeysBytes {
		return nil, fmt.Errorf("%s answers more than %d bytes", k.address, maxKeysBytes)
	}
	return parseKeys(body)
}

// parseKeys reads a JWK set. Keys of kinds that are not known, or not for signatures, are passed over, as
// RFC 7517 (5) asks; secret keys are as well, since nobody may sign with what is published.
func parseKeys(body []byte) ([]jose.JSONWebKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, fmt.Errorf("not a set of keys: %w", err)
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
		return nil, errors.New("the set has no public key for signatures")
	}
	return keys, nil
}
