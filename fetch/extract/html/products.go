package html

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Sources of a fact, as a document names them.
const (
	sourceJSONLD    = "JSON-LD"
	sourceMicrodata = "microdata"
	sourceOpenGraph = "Open Graph"
)

const (
	maxFactBytes        = 200
	maxDescriptionBytes = 3_000
	minShownChars       = 200 // of kept text; a page with less is read from its structured data, if they hold its article
)

// productFacts are what the structured data of a page about one product say of it. A page with several is a list.
func (m *pageMeta) productFacts() []document.Fact {
	var facts []document.Fact
	add := func(name, value, source string) {
		value = strings.Join(strings.FieldsFunc(sanitize.Visible(value), document.IsSpace), " ")
		if value == "" || len(value) > maxFactBytes && name != "description" {
			return
		}
		for _, f := range facts {
			if f.Name == name {
				return
			}
		}
		facts = append(facts, document.Fact{Name: name, Value: value, Source: source})
	}
	if len(m.linked.products) == 1 {
		o := m.linked.products[0]
		add("name", text(o["name"]), sourceJSONLD)
		add("brand", text(o["brand"]), sourceJSONLD)
		add("sku", text(o["sku"]), sourceJSONLD)
		offer := firstObject(o["offers"])
		add("price", priceOf(offer), sourceJSONLD)
		add("availability", strings.TrimPrefix(strings.TrimPrefix(text(offer["availability"]), "https://schema.org/"), "http://schema.org/"), sourceJSONLD)
		if rating := firstObject(o["aggregateRating"]); scalar(rating["ratingValue"]) != "" {
			value := scalar(rating["ratingValue"])
			if count := document.First(scalar(rating["reviewCount"]), scalar(rating["ratingCount"])); count != "" {
				value += " (" + count + " ratings)"
			}
			add("rating", value, sourceJSONLD)
		}
		if description := text(o["description"]); len(description) <= maxDescriptionBytes {
			add("description", plainValue(description), sourceJSONLD)
		}
	}
	if len(m.linked.products) <= 1 {
		if price := m.product["price"]; price != "" {
			add("price", strings.TrimSpace(price+" "+m.product["pricecurrency"]), sourceMicrodata)
		}
		add("sku", m.product["sku"], sourceMicrodata)
		if strings.HasPrefix(m.first("og:type"), "product") || m.first("product:price:amount") != "" {
			if price := m.first("product:price:amount", "og:price:amount"); price != "" {
				add("price", strings.TrimSpace(price+" "+m.first("product:price:currency", "og:price:currency")), sourceOpenGraph)
			}
			add("brand", m.first("product:brand"), sourceOpenGraph)
		}
	}
	return facts
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

// lacking are the facts that a text does not say.
func lacking(facts []document.Fact, text string) []document.Fact {
	flat := squeezed(text)
	var out []document.Fact
	for _, f := range facts {
		value := f.Value
		if f.Name == "price" || f.Name == "rating" {
			value, _, _ = strings.Cut(value, " ")
			value, _, _ = strings.Cut(value, "–")
			value = strings.TrimSuffix(value, ".00")
		}
		if f.Name == "availability" {
			continue // it changes by the hour, and says nothing without the day
		}
		if key := squeezed(value); !strings.Contains(flat, key[:min(len(key), 60)]) {
			out = append(out, f)
		}
	}
	return out
}

// squeezed is a text in lower case with nothing but its letters and digits.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x80 || '0' <= r && r <= '9' || 'a' <= r && r <= 'z':
			return r
		case 'A' <= r && r <= 'Z':
			return r | 0x20
		}
		return -1
	}, s)
}

// addStructured writes what the structured data say and the text lacks: the facts of a product, and the article of a page
// that shows none and is free to read.
func (m *pageMeta) addStructured(w *blockWriter, x *document.Extraction) {
	shown := w.out.String()
	if article := plainValue(m.linked.article); len(shown) < minShownChars && len(article) > 2*minShownChars && !m.linked.notFree {
		w.node(articleNode(article))
		w.flush(0)
		x.Partial = "the page shows no article; the text is the one in its structured data (" + sourceJSONLD + ")"
		return
	}
	x.Facts = lacking(m.productFacts(), shown)
	if len(x.Facts) > 0 && shown != "" {
		w.due(2)
		w.node(factsNode(x.Facts))
		w.flush(0)
	}
}

// factsNode is the block by which facts are added to a text, marked as what they are.
func factsNode(facts []document.Fact) *html.Node {
	list := Element(atom.Ul)
	for _, f := range facts {
		list.AppendChild(With(Element(atom.Li), TextNode(f.Name+": "+f.Value+" ("+f.Source+")")))
	}
	return With(Element(atom.Div), With(Element(atom.P), TextNode("From the page's structured data:")), list)
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
