package html

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sourceJSONLD is the source of a fact, as a document names it.
const sourceJSONLD = "JSON-LD"

const (
	maxDescriptionBytes = 3_000
	minShownChars       = 200 // of kept text; a page with less is read from its structured data, if they hold its article
)

// addStructured writes what the structured data say and the text lacks: the price and the description of a product, and the article of a
// page that shows none and is free to read.
func (m *pageMeta) addStructured(w *blockWriter, x *document.Extraction) {
	shown := w.out.String()
	if article := plainValue(m.linked.article); len(shown) < minShownChars && len(article) > 2*minShownChars && !m.linked.notFree {
		w.node(articleNode(article))
		w.flush(0)
		x.Partial = "the page shows no article; the text is the one in its structured data (" + sourceJSONLD + ")"
		return
	}
	flat, list := document.Squeeze(shown), Element(atom.Ul)
	for _, f := range m.productFacts() {
		amount, _, _ := strings.Cut(strings.ReplaceAll(f.Value, "–", " "), " ")
		key := document.Squeeze(f.Value)
		if f.Name == "price" {
			key = document.Squeeze(strings.TrimSuffix(amount, ".00"))
		}
		if f.Value != "" && !strings.Contains(flat, key[:min(len(key), 60)]) {
			x.Facts = append(x.Facts, f)
			list.AppendChild(With(Element(atom.Li), TextNode(f.Name+": "+f.Value+" ("+f.Source+")")))
		}
	}
	if list.FirstChild == nil || shown == "" {
		return
	}
	w.due(2)
	w.node(With(Element(atom.Div), With(Element(atom.P), TextNode("From the page's structured data:")), list))
	w.flush(0)
}

// productFacts are the price and the description that the structured data of a page about one product have. A page with
// several is a list.
func (m *pageMeta) productFacts() []document.Fact {
	if len(m.linked.products) != 1 {
		return nil
	}
	o := m.linked.products[0]
	description := text(o["description"])
	if len(description) > maxDescriptionBytes {
		description = ""
	}
	return []document.Fact{{Name: "price", Value: sanitize.Line(priceOf(firstObject(o["offers"]))), Source: sourceJSONLD},
		{Name: "description", Value: sanitize.Line(plainValue(description)), Source: sourceJSONLD}}
}

// priceOf is the price of an offer with its currency, or the range of several.
func priceOf(offer map[string]any) string {
	if nested := firstObject(offer["priceSpecification"]); scalar(offer["price"]) == "" && scalar(offer["lowPrice"]) == "" && nested != nil {
		offer = nested
	}
	price := scalar(offer["price"])
	if low, high := scalar(offer["lowPrice"]), scalar(offer["highPrice"]); price == "" && low != "" {
		if price = low; high != "" && high != low {
			price += "–" + high
		}
	}
	if price == "" {
		return ""
	}
	return strings.TrimSpace(price + " " + text(offer["priceCurrency"]))
}

// firstObject is an object, or the first of a list.
func firstObject(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case []any:
		if len(v) > 0 {
			o, _ := v[0].(map[string]any)
			return o
		}
	}
	return nil
}

// scalar is a number or a string as text.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strings.TrimSuffix(fmt.Sprintf("%.2f", v), ".00")
	}
	return ""
}

// plainValue is a value without the tags that some write into it.
func plainValue(s string) string {
	if strings.ContainsAny(s, "<&") {
		return Text(s)
	}
	return s
}

// articleNode is the article that the structured data hold, as paragraphs.
func articleNode(article string) *html.Node {
	n := Element(atom.Div)
	for line := range strings.Lines(article) {
		if strings.TrimSpace(line) != "" {
			n.AppendChild(With(Element(atom.P), TextNode(line)))
		}
	}
	return n
}
