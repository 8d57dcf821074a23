package lexicon

// Replacement is a word or phrase that fits where another stood and says something else.
type Replacement struct {
	Text     string
	From, To Entry
}

// Replacements returns words that change what a word or phrase says and fit in its place: opposites in the same
// inflection, other quantifiers, bounds, units of the same dimension, rates, months, levels of certainty on the same
// axis. They come in the order of the data. The first letter is small unless the data say otherwise.
func (l *Lexicon) Replacements(words string) []Replacement {
	var out []Replacement
	for _, e := range l.Lookup(words) {
		switch e.Kind {
		case Opposite:
			for _, w := range l.Opposites(words) {
				out = append(out, Replacement{w, e, Entry{Kind: Opposite, Class: e.Class}})
			}
		case Quantifier, Bound, Unit, Rate, Calendar, Certainty, Relation:
			out = append(out, l.others(words, e)...)
		}
	}
	return out
}

// others returns for each other meaning of an entry's kind the phrase that is at the same place in its list, so that a
// plural replaces a plural.
func (l *Lexicon) others(words string, e Entry) []Replacement {
	group := func(o Entry) string {
		if o.Kind == Rate || o.Kind == Relation {
			return string(o.Kind) // their meaning is the class
		}
		return o.Class
	}
	var order []Entry
	lists := map[Entry][]phrase{} // one line of each: the first, or of units the last, which is the language's own
	own, line, place := -1, 0, 0
	for _, p := range l.phrases[e.Kind] {
		if group(p.entry) != group(e) {
			continue
		}
		if p.line != line {
			line, place = p.line, 0
		}
		if p.entry == e && own < 0 && Fold(p.text) == Fold(words) {
			own = place
		}
		place++
		list := lists[p.entry]
		switch {
		case len(list) == 0:
			order = append(order, p.entry)
		case list[0].line != p.line && e.Kind == Unit:
			list = nil
		case list[0].line != p.line:
			continue
		}
		lists[p.entry] = append(list, p)
	}
	var out []Replacement
	for _, o := range order {
		if list := lists[o]; o != e {
			out = append(out, Replacement{list[min(max(own, 0), len(list)-1)].text, e, o})
		}
	}
	return out
}
