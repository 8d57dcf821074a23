package index

import (
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// conditions are the conditions that a document of a part must meet.
type conditions struct {
	left    *Bits        // documents; nil = all
	phrases []*condition // checked for candidate documents
}

type condition struct {
	*phrase
	without bool
}

// fits reports whether a document meets the precomputed conditions.
func (c *conditions) fits(document int) bool { return c.left == nil || c.left.Has(document) }

// meets reports whether a document meets all conditions. Calls must pass documents in ascending order.
func (c *conditions) meets(document int) (bool, error) {
	if !c.fits(document) {
		return false, nil
	}
	for _, p := range c.phrases {
		if in, err := p.in(document); err != nil || in == p.without {
			return false, err
		}
	}
	return true, nil
}

// rewind restarts at the first document.
func (c *conditions) rewind() {
	for _, p := range c.phrases {
		p.rewind()
	}
}

// allowed returns the conditions of the query, including that a document is not deleted.
func (s *scorer) allowed() (*conditions, error) {
	q := s.asked.Query
	c := &conditions{}
	if len(q.Phrases) == 0 && len(q.Fields) == 0 && len(q.Without) == 0 && s.Deleted.Count() == 0 && s.only == nil {
		return c, nil
	}
	n := s.sum.documents
	c.left = NewBits(n)
	for d := range n {
		if !s.Deleted.Has(int(s.fileOf[d])) && (s.only == nil || s.only.Has(d)) {
			c.left.Set(d)
		}
	}
	for i, f := range q.conditions() {
		if err := s.restrict(c, f, i >= len(q.Phrases)+len(q.Fields)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// restrict adds a condition.
func (s *scorer) restrict(c *conditions, f Field, without bool) error {
	var fit *Bits
	var err error
	switch f.Name {
	case FieldPath:
		fit, err = s.fitsPath(f.Value)
	case FieldTitle:
		fit, err = s.haveAll(fieldTitle, s.asked.conditions[f])
	case FieldAuthor:
		fit, err = s.haveAll(fieldAuthor, s.asked.conditions[f])
	case FieldType:
		fit, err = s.haveAll(fieldType, s.asked.conditions[f])
	default:
		p, err := s.newPhrase(s.asked.conditions[f])
		if err != nil {
			return err
		}
		if p.common() {
			c.phrases = append(c.phrases, &condition{p, without})
			return nil
		}
		if fit, err = p.all(c.left); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	for i, word := range fit.words {
		if without {
			word = ^word
		}
		c.left.words[i] &= word
	}
	return nil
}

func plainForms(a *words.Analyzer, text string) (out [][]string) {
	a.Tokens(text, func(t words.Token) { out = append(out, []string{t.Term}) })
	return out
}

// haveAll returns the documents that have every word in a field with lists of documents.
func (s *scorer) haveAll(field byte, words [][]string) (*Bits, error) {
	left := NewBits(s.sum.documents)
	for i, terms := range words {
		have := NewBits(s.sum.documents)
		for _, name := range terms {
			l, _, err := s.list(field, name)
			if err != nil {
				return nil, err
			}
			for l != nil && l.next() {
				have.Set(int(l.id))
			}
			if l != nil && l.broken {
				return nil, ErrDamaged
			}
		}
		if i == 0 {
			left = have
			continue
		}
		for w := range left.words {
			left.words[w] &= have.words[w]
		}
	}
	return left, nil
}

// fitsPath returns the documents whose absolute path contains a string.
func (s *scorer) fitsPath(value string) (*Bits, error) {
	want := words.Fold(strings.TrimPrefix(strings.ReplaceAll(value, `\`, "/"), "//"))
	fit := NewBits(s.sum.documents)
	for _, f := range s.EachFile() {
		if !strings.Contains(words.Fold(s.Folder+"/"+f.Path), want) {
			continue
		}
		for d := f.first; d < f.first+f.documents; d++ {
			fit.Set(d)
		}
	}
	return fit, nil
}
