package html

import (
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/google/go-cmp/cmp"
)

func TestLeftOut(t *testing.T) {
	t.Parallel()
	src := `<html><head><title>Tides</title><script>var x = 1</script></head><body>
<nav class="menu"><a href="/a">Harbour</a></nav><div class="cookie-consent"><p>We use cookies.</p></div>
<article><h1>Tides of the harbour</h1>` + prosePieces(4) + `<p hidden>Nobody sees this text.</p></article>
<div class="advert"><p>Buy a boat today.</p></div><div class="related-articles"><a href="/b">More on locks</a></div><footer>Imprint</footer>`
	x, err := Read(t.Context(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []document.LeftOut{
		{Reason: reasonHidden, Chars: len("Nobodyseesthistext.")},
		{Reason: reasonAdvertisement, Blocks: 1, Chars: len("Buy a boat today.")},
		{Reason: reasonNotice, Blocks: 1, Chars: len("We use cookies.")},
		{Reason: reasonRelated, Blocks: 1, Chars: len("More on locks")},
		{Reason: reasonScript, Chars: len("var x = 1")},
		{Reason: reasonFooter, Blocks: 1, Chars: len("Imprint")},
		{Reason: reasonNavigation, Blocks: 1, Chars: len("Harbour")},
	}
	if diff := cmp.Diff(want, x.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}
