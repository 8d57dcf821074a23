package quantity

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Read returns the quantities of a text in order. The language is a primary subtag such as "de", "" when unknown: number words and
// names of units are read in English, German, French, Spanish, Chinese and Japanese, digits and symbols in every language. The
// work is linear in the text.
//
// The numbers of list items, citation marks such as [3], and digits inside names and identifiers (A320, COVID-19, 1.2.3, #7) are
// left out, and so is "one" unless it has a unit.
func Read(language, text string) []Quantity {
	s := plainFormulas(strings.Map(narrow, text))
	r := &reader{s: s, tokens: split(s, language), english: language == "en" || language == ""}
	if r.lexicon = lexicons()[language]; r.lexicon == nil {
		r.lexicon = lexicons()["other"]
	}
	for i := 0; i < len(r.tokens); {
		i = max(r.read(i), i+1)
	}
	at, chars, runes := 0, 0, []rune(text)
	for i := range r.out { // count code points instead of bytes
		q := &r.out[i]
		start, width := chars+utf8.RuneCountInString(s[at:q.Start]), utf8.RuneCountInString(s[q.Start:q.End])
		at, chars = q.Start, start
		q.Start, q.End, q.Text = start, start+width, string(runes[start:start+width])
	}
	return r.out
}

var (
	// formula matches one of TeX in a line: no amount in dollars has a sign right behind it, "$21$" and not "$20 or $30".
	formula = lazyregexp.New(`\$[^\s$][^$\n]{0,80}?\$`)
	prose   = lazyregexp.New(`\pL{3}|[ \p{Lu}]$`) // what no formula has once its commands are removed
	command = lazyregexp.New(`\^\{[-−+]?\d{1,2}\}|\\(?:[a-zA-Z]+\{?|[,;!: ])|[{}]`)
)

const blank = "\x01" // no sign that a formula has

// texSign is what a formula has for a command: the sign of a product, or nothing; a power stays.
func texSign(command string) string {
	if command[0] == '^' {
		return command
	}
	sign := map[string]string{`\times`: "×", `\cdot`: "·"}[command]
	return sign + strings.Repeat(blank, len(command)-utf8.RuneCountInString(sign))
}

// plainFormulas puts white space for the marks of TeX in formulas, a character for each.
func plainFormulas(s string) string {
	var out strings.Builder
	end := 0
	for _, at := range formula.FindAllStringIndex(s, -1) {
		inside := command.ReplaceAllStringFunc(s[at[0]+1:at[1]-1], texSign)
		if prose.MatchString(inside) || digitAt(s, at[1]) {
			continue
		}
		inside = strings.ReplaceAll(inside, blank, " ")
		out.WriteString(s[end:at[0]] + " " + strings.ReplaceAll(inside, "\\", " ") + " ")
		end = at[1]
	}
	out.WriteString(s[end:])
	return out.String()
}

// read reads what begins at token i, and returns the token after it.
func (r *reader) read(i int) int {
	t := r.tokens[i]
	if t.name {
		return i
	}
	if q, next, ok := r.date(i); ok {
		q.Kind = Date
		return r.add(q, i, next)
	}
	q, next, ok := r.number(i)
	if !ok {
		return i
	}
	first := r.signed(&q, i)
	if unit, before, ok := r.unitBefore(first); ok {
		q.setUnit(unit)
		first, next = r.signed(&q, before), r.per(&q, next)
	} else if unit, after, ok := r.unit(next, q); ok && q.Unit == "" {
		q.setUnit(unit)
		next = r.per(&q, after)
	}
	if q.Unit == "" && r.onlyLooksLike(i, next, q) {
		return next
	}
	if year(q.Value) {
		q.Year = int(q.Value)
	}
	q.Relation = r.relation(first, next)
	return r.add(q, first, next)
}

// add adds a quantity of the tokens from i to next.
func (r *reader) add(q Quantity, i, next int) int {
	q.Start, q.End = r.tokens[i].start, r.tokens[next-1].end
	if n := len(r.out); n == 0 || r.out[n-1].End <= q.Start {
		r.out = append(r.out, q)
	}
	return next
}

// onlyLooksLike reports whether the tokens from i to next are no amount: 3 in "3) Item", in 5G and in 第3, 三 in 三星.
func (r *reader) onlyLooksLike(i, next int, q Quantity) bool {
	t, after := r.tokens[i], r.token(next)
	ordinal := r.glued(i) && r.token(i-1).fold == "第"
	switch t.kind {
	case numberToken:
		lineStart := i == 0 || strings.Contains(r.s[r.tokens[i-1].end:t.start], "\n")
		list := lineStart && len(t.fold) < 4 && (after.fold == "." || after.fold == ")") && r.glued(next) && !r.glued(next+1)
		return ordinal || list || r.glued(next) && after.kind == wordToken
	case eastToken:
		_, _, counted := r.match("counter", next) // a few numerals alone are too often part of a word: 一起, 三星
		return ordinal || next-i < 4 && !counted
	}
	return q.Value == 1
}
