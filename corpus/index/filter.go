package index

import (
	"strings"

	"github.com/citeloop/citeloop/passages"
)

// allowed are the documents that the query's conditions and deletions leave; nil = all.
func (s *scorer) allowed() (*Bits, error) {
	q := s.asked.Query
	if len(q.Phrases) == 0 && len(q.Fields) == 0 && len(q.Without) == 0 && s.Deleted.Count() == 0 {
		return nil, nil
	}
	n := s.sum.documents
	left := NewBits(n)
	for d := range n {
		if !s.Deleted.Has(int(s.fileOf[d])) {
			left.Set(d)
		}
	}
	fields := q.Fields
	for _, p := range q.Phrases {
		fields = append(fields[:len(fields):len(fields)], Field{FieldText, p})
	}
	for _, f := range fields {
		fits, err := s.fits(f, left)
		if err != nil {
			return nil, err
		}
		for i := range left.words {
			left.words[i] &= fits.words[i]
		}
	}
	for _, f := range q.Without {
		fits, err := s.fits(f, left)
		if err != nil {
			return nil, err
		}
		for i := range left.words {
			left.words[i] &^= fits.words[i]
		}
	}
	return left, nil
}

// fits are the documents that meet one condition; others than those of among do not matter.
func (s *scorer) fits(f Field, among *Bits) (*Bits, error) {
	switch f.Name {
	case FieldPath:
		return s.fitsPath(f.Value)
	case FieldTitle:
		return s.haveAll(fieldTitle, s.asked.conditions[f])
	case FieldAuthor:
		return s.haveAll(fieldAuthor, s.asked.conditions[f])
	case FieldType:
		return s.haveAll(fieldType, s.asked.conditions[f])
	}
	return s.havePhrase(s.asked.conditions[f], among)
}

func plainForms(a *passages.Analyzer, text string) (out [][]string) {
	a.Tokens(text, func(t passages.Token) { out = append(out, []string{t.Term}) })
	return out
}

// haveAll are the documents that have every word in a field whose lists are of documents.
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

// fitsPath are the documents whose path, from the root of the system on, has this stretch.
func (s *scorer) fitsPath(value string) (*Bits, error) {
	want := passages.Fold(strings.TrimPrefix(strings.ReplaceAll(value, `\`, "/"), "//"))
	fit := NewBits(s.sum.documents)
	for _, f := range s.EachFile() {
		if !strings.Contains(passages.Fold(s.Folder+"/"+f.Path), want) {
			continue
		}
		for d := f.first; d < f.first+f.documents; d++ {
			fit.Set(d)
		}
	}
	return fit, nil
}
