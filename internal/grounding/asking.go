package grounding

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

//go:embed asking.txt
var askingText string

// askingWords are the words of asking.txt by their folded form: "word", "order", "noun", "part", "number", "date", "form" or
// "sources".
var askingWords = sync.OnceValue(func() map[string]string {
	words := make(map[string]string)
	for line := range strings.Lines(askingText) {
		kind, list, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(kind, "#") {
			continue
		}
		for word := range strings.FieldsSeq(list) {
			words[passages.Fold(word)] = kind // the last line counts: "when" is a date
		}
	}
	return words
})

// wantedForms are the words of asking.txt with the kind "form", each with all words of its lines.
var wantedForms = sync.OnceValue(func() map[string][]string {
	forms := make(map[string][]string)
	for line := range strings.Lines(askingText) {
		if kind, list, _ := strings.Cut(strings.TrimSpace(line), "\t"); kind == "form" {
			for word := range strings.FieldsSeq(list) {
				forms[passages.Fold(word)] = append(forms[passages.Fold(word)], strings.Fields(list)...)
			}
		}
	}
	return forms
})

// listed matches the mark of an item in a list within a question.
var listed = lazyregexp.New(`(?:^|\s)\((?:\d|[a-h])\)\s`)

// QuestionParts cuts a question into the parts that ask for something of their own: its sentences, and what follows a
// comma, a semicolon or a conjunction and begins with a question word or an order such as "compare". A question of one
// part is returned as it is. Sentences that only tell the circumstances are left out beside parts that ask.
func QuestionParts(question string) []string {
	if items := listed.FindAllStringIndex(question, -1); len(items) > 1 { // "(1) the queue grows; (2) a password was stolen"
		parts := slices.DeleteFunc(QuestionParts(question[:items[0][0]]), func(part string) bool { return !asks(part) })
		for n, item := range items {
			end := len(question)
			if n+1 < len(items) {
				end = items[n+1][0]
			}
			text := strings.TrimSpace(question[item[1]:end])
			if first := passages.Sentences(text); n+1 == len(items) && len(first) > 1 { // the rest of the question follows the last one
				parts = append(parts, trimPart(first[0].Text))
				parts = append(parts, QuestionParts(strings.TrimSpace(text[len(first[0].Text):]))...)
				continue
			}
			if text = trimPart(text); text != "" {
				parts = append(parts, text)
			}
		}
		return parts
	}
	var parts, asking []string
	add := func(part string) {
		if part = trimPart(part); part == "" {
			return
		}
		parts = append(parts, part)
		if asks(part) {
			asking = append(asking, part)
		}
	}
	for _, s := range passages.Sentences(question) {
		start := 0
		words := strings.FieldsFunc(s.Text, unicode.IsSpace)
		at := 0
		for i, word := range words {
			place := at + strings.Index(s.Text[at:], word)
			at = place + len(word)
			if i == 0 || !opensPart(word) && !ordersAfter(words[i-1], word) || !partsQuestion(words[:i]) {
				continue
			}
			add(s.Text[start:place])
			start = place
		}
		add(s.Text[start:])
	}
	if len(asking) > 0 {
		return asking
	}
	return parts
}

// asks reports whether a part is a question or an order.
func asks(part string) bool {
	if question(part) || strings.ContainsFunc(part, cjkLetter) {
		return true
	}
	first, _, _ := strings.Cut(part, " ")
	return opensPart(first) || opensOrder(first)
}

func opensOrder(word string) bool { return orderKind(word) != "" }

// orderKind is "order" or "noun", or empty.
func orderKind(word string) string {
	kind := askingWords()[passages.Fold(strings.Trim(word, ",;:¡!()\"'"))]
	if kind == "order" || kind == "noun" {
		return kind
	}
	return ""
}

// ordersAfter reports whether a word within a sentence begins an order.
func ordersAfter(before, word string) bool {
	switch orderKind(word) {
	case "order":
		return strings.ContainsAny(before[len(before)-1:], ",;:")
	case "noun":
		return strings.ContainsAny(before[len(before)-1:], ";:")
	}
	return false
}

func opensPart(word string) bool {
	word = passages.Fold(strings.Trim(word, ",;:?¿!¡()\"'"))
	kind := askingWords()[word]
	return kind == "part" || (kind == "date" || kind == "number") && questionWords[word]
}

// questionWords ask for a number or a date and can open a part.
var questionWords = map[string]bool{"when": true, "wann": true, "quand": true, "cuando": true, "combien": true, "cuanto": true, "cuanta": true, "cuantos": true, "cuantas": true}

// partsQuestion reports whether the words before a question word end a part: in a comma or a conjunction.
func partsQuestion(before []string) bool {
	last := before[len(before)-1]
	if strings.ContainsAny(last[len(last)-1:], ",;") {
		return true
	}
	switch passages.Fold(last) {
	case "and", "or", "und", "oder", "et", "ou", "y", "e", "o":
		return true
	}
	return false
}

// trimPart removes the punctuation and the conjunctions around a part.
func trimPart(part string) string {
	part = strings.TrimSpace(part)
	for {
		before := part
		part = strings.TrimRight(part, " ,;")
		for _, conjunction := range []string{" and", " or", " und", " oder", " et", " ou", " y", " o"} {
			part = strings.TrimSuffix(part, conjunction)
		}
		if part == before {
			return part
		}
	}
}
