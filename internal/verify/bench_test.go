package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// A draft of 400 kB over 100 texts of 33 kB, each cited by lines, with texts that nobody has prepared before.
func BenchmarkLongDraft(b *testing.B) {
	var sources []loopstate.Source
	texts := map[string]string{}
	for i := range 100 {
		var t strings.Builder
		for k := 0; t.Len() < 33_000; k++ {
			fmt.Fprintf(&t, "In %d the harbour board of town %d paid %d crowns for quay number %d and dredged the channel.\n\n", 1700+k, i, 300+7*k, k)
		}
		id := fmt.Sprintf("S%d", i+1)
		texts[id] = t.String()
		sources = append(sources, loopstate.Source{ID: id, Key: "url:example.org/" + id, SHA256: loopstate.HashText([]byte(texts[id])).String()})
	}
	var text strings.Builder
	for k := 0; text.Len() < 400_000; k++ {
		fmt.Fprintf(&text, "The harbour board of town %d paid %d crowns for its quay in %d, and dredged the channel [S%d:%d].\n\n", k%100, 300+7*(k%50), 1700+k%50, 1+k%100, 1+2*(k%50))
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		prepared := map[string]verify.Source{}
		for _, src := range sources {
			prepared[src.ID] = verify.Source{Source: src, Text: verify.NewText(texts[src.ID])}
		}
		said := verify.Library{InLoop: true, Sources: sources}.Indexed().Read(draft.Parse(text.String()))
		if err := verify.Check(b.Context(), said.Claims, prepared); err != nil || len(said.Claims) < 3_000 {
			b.Fatal(len(said.Claims), err)
		}
	}
}
