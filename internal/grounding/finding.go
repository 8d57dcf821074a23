package grounding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// finding is what came of comparing a claim with the documents that it cites.
type finding struct {
	m        *comparison
	k        *comparer
	support  float64     // for ranking
	verbatim *Evidence   // where a document has the claim letter for letter
	best     *account    // the passage that accounts for most; nil where none has a word of it
	alone    []*document // that ground the claim by themselves
	foreign  bool        // wording cannot decide: another language than the source's, or one without word lists
}

// assess compares a claim with documents: all together for the ranking, each alone for the verdict.
func (c *Checker) assess(claim Claim, r reading, docs []*document, mem *memory) finding {
	f := finding{m: c.compare(r, docs)}
	f.verbatim = f.m.verbatim()
	f.support = verbatimSupport
	if f.verbatim == nil {
		f.support = f.m.support()
	}
	language := claimLanguage(r.text, docs[0].language())
	f.foreign = docs[0].language() != "" && docs[0].language() != language
	f.k = newComparer(claim, mem.reader(language), docs)
	for _, d := range docs {
		m := f.m
		if len(docs) > 1 {
			m = c.compare(r, []*document{d})
		}
		x := f.k.closest(m)
		if x == nil {
			continue
		}
		x.judge()
		if e := m.verbatim(); e != nil {
			if v := f.k.around(d, e); len(v.unsaid) > 0 || len(v.below) > 0 { // "it is not true that …"
				x, f.verbatim = v, nil
			}
		}
		if f.best == nil || x.badness() < f.best.badness() {
			f.best = x
			f.foreign = f.k.claims.lexicon == nil || d.language() != "" && d.language() != language
		}
		if f.verbatim != nil && m.verbatim() != nil || x.grounds() && f.k.claims.lexicon != nil {
			f.alone = append(f.alone, d)
		}
	}
	return f
}

// around accounts for a claim that is in a document letter for letter: only what the sentence says besides counts,
// or the next one says against it.
func (k *comparer) around(d *document, e *Evidence) *account {
	first, last := 0, len(d.sentences)-1
	for n, s := range d.sentences {
		if s.End <= e.Start {
			first = n + 1
		}
		if s.Start < e.End {
			last = n
		}
	}
	x := k.account(d, min(first, last), k.withRefutation(d, last)) // "This is a myth"
	x.judge()
	x.unsaid = slices.DeleteFunc(x.unsaid, func(n int) bool {
		t := x.passage.tokens[x.passage.operators[n].first]
		s := d.sentences[t.sentence]
		at := s.Start + utf8.RuneCountInString(s.Text[:t.start])
		return e.Start <= at && at < e.End
	})
	return x
}

// verbatim finds a claim that is in a document letter for letter.
func (m *comparison) verbatim() *Evidence {
	w := m.claim.workings
	if len(w.letters) < minVerbatimLetters {
		return nil
	}
	for i, d := range m.docs {
		if e := w.verbatimIn(m.coverages[i], d); e != nil {
			found := *e
			return &found
		}
	}
	return nil
}

// notFound is the share of a claim, without the words of the source's title, below which the best passage is about
// something else (chosen).
const (
	notFound    = 0.2
	notFoundAll = 0.33 // of the whole claim, at most
)

// aboutSomethingElse reports whether the passage shares next to nothing with the claim. Words of the title prove
// nothing, the text has them everywhere. A short text may say it in words of its own: there, one word is enough.
func (x *account) aboutSomethingElse(short bool) bool {
	all, there := 0.0, 0.0
	for i, t := range x.claim.tokens {
		w := t.weightOf()
		if x.k.known(x.doc, t) {
			continue
		}
		all += w
		if x.at[i] >= 0 || t.operator > 0 && x.operatorAt[t.operator-1] >= 0 {
			there += w
		}
	}
	if all < 2 {
		all, there = x.weight, x.covered
	}
	if short {
		return there == 0
	}
	return there < notFound*all && x.covered < notFoundAll*x.weight
}

// notFound reports whether nothing in the cited texts is about the claim.
func (f finding) notFound() bool {
	return f.best == nil || f.best.aboutSomethingElse(f.m.short())
}

func (f finding) verdict() Verdict {
	v := Verdict{Status: Inferred, Support: f.support, Language: f.k.claims.language}
	if f.foreign && f.best != nil {
		if other := f.best.doc.language(); other != v.Language {
			v.Language = strings.Trim(v.Language+", "+other, ", ")
		}
	}
	v.Passages = f.passages()
	if len(v.Passages) > 0 {
		first := v.Passages[0]
		v.Passage = &first
	}
	switch {
	case f.verbatim != nil:
		v.Status, v.Basis = Grounded, BasisWording
	case !f.foreign && f.notFound():
		v.Status = Unsupported
		v.Flags = append(v.Flags, FlagNotFound)
	case f.foreign || f.best == nil:
	case f.best.grounds():
		v.Status, v.Basis = Grounded, BasisWording
	default:
		v.Differences = f.best.differences()
		for _, d := range v.Differences {
			v.Status = Unsupported
			v.Flags = append(v.Flags, fmt.Sprintf("%s_mismatch: %s", d.Kind, d))
		}
		v.Missing = f.best.lacking()
	}
	if v.Status != Unsupported && v.Passage != nil {
		v.SourceID = v.Passage.SourceID
	}
	v.Confidence = confidence(v)
	if f.verbatim != nil {
		v.Confidence = verbatimSupport
	}
	return v
}

// passages lists what to show, the deciding passage first.
func (f finding) passages() []Evidence {
	var out []Evidence
	add := func(e Evidence) {
		overlaps := func(o Evidence) bool { return o.SourceID == e.SourceID && o.Start < e.End && e.Start < o.End }
		if len(out) < MaxPassages && !slices.ContainsFunc(out, overlaps) {
			out = append(out, e)
		}
	}
	if f.verbatim != nil {
		add(*f.verbatim)
	} else if f.best != nil {
		add(f.best.evidence())
	}
	for _, w := range f.m.chosen {
		add(f.m.docs[w.doc].evidence(w.first, w.last))
	}
	return out
}

// evidence is the sentences of the passage that have words of the claim.
func (x *account) evidence() Evidence {
	first, last := x.last+1, x.first-1
	for i, at := range x.at {
		if at >= 0 && !x.claim.tokens[i].function {
			n := x.passage.tokens[at].sentence
			first, last = min(first, n), max(last, n)
		}
	}
	if last < first {
		first, last = x.first, x.first
	}
	return x.doc.evidence(first, last)
}

// confidence says how sure a status is. Wording that accounts for all is right in about 19 of 20 cases, a named
// difference in about 9 of 10 (development data); of an inferred claim it only tells that it is not decided.
func confidence(v Verdict) float64 {
	switch {
	case v.Status == Grounded:
		return 0.95
	case v.Status == Unsupported && len(v.Differences) > 0:
		return 0.9
	case v.Status == Unsupported:
		return 0.7
	}
	return 0.5
}

// maxMissing bounds Verdict.Missing.
const maxMissing = 8

// lacking lists what of the claim the passage lacks, most telling first, neighbouring words together.
func (x *account) lacking() []string {
	type run struct {
		span
		weight float64
	}
	var runs []run
	t := x.claim.tokens
	for _, i := range x.missing {
		if n := len(runs) - 1; n >= 0 && runs[n].last+1 == i && t[i].tight {
			runs[n].last = i
			runs[n].weight += t[i].weightOf()
			continue
		}
		runs = append(runs, run{span{i, i}, t[i].weightOf()})
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(b.weight, a.weight) })
	var out []string
	for _, r := range runs[:min(len(runs), maxMissing)] {
		out = append(out, x.claim.text[t[r.first].start:t[r.last].end])
	}
	return out
}

// String says what the difference is, for a person.
func (d Difference) String() string {
	where := fmt.Sprintf("(%s, %d-%d)", d.SourceID, d.Start, d.End)
	if d.Kind == DifferentCondition || d.Kind == DifferentMyth {
		return fmt.Sprintf("the source says %q, which the claim leaves out %s", d.Source, where)
	}
	return fmt.Sprintf("the source says %q where the claim says %q %s", d.Source, d.Claim, where)
}

// sentence makes a sentence of words that begin in lower case.
func asSentence(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:] + "."
}
