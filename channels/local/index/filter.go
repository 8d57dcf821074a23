package index

import (
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// conditions returns the documents that meet the conditions of the query and are not deleted; nil = all.
func (s *search) conditions() (*Bits, error) {
	q := s.asked.Query
	if len(q.conditions()) == 0 && s.Deleted.Count() == 0 {
		return nil, nil
	}
	left := NewBits(s.sum.documents)
	for d, file := range s.fileOf {
		if !s.Deleted.Has(int(file)) {
			left.Set(d)
		}
	}
	for i, f := range q.conditions() {
		fit, err := s.fits(f, left)
		if err != nil {
			return nil, err
		}
		left.keep(fit, i >= len(q.Phrases)+len(q.Fields))
	}
	return left, nil
}

// fits returns the documents among some that meet one condition.
func (s *search) fits(f Field, among *Bits) (*Bits, error) {
	switch f.Name {
	case FieldPath:
		return s.fitsPath(f.Value), nil
	case FieldTitle:
		return s.haveAll(fieldTitle, s.asked.conditions[f])
	case FieldAuthor:
		return s.haveAll(fieldAuthor, s.asked.conditions[f])
	case FieldType:
		return s.haveAll(fieldType, s.asked.conditions[f])
	}
	return s.withPhrase(s.asked.conditions[f], among)
}

// haveAll returns the documents that have every word in a field with lists of documents.
func (s *search) haveAll(field byte, words [][]string) (*Bits, error) {
	left := NewBits(s.sum.documents)
	for i, terms := range words {
		have := NewBits(s.sum.documents)
		for _, name := range terms {
			list, err := s.list(field, name)
			if err != nil {
				return nil, err
			}
			for _, p := range list.all() {
				have.Set(int(p.id))
			}
		}
		if i == 0 {
			left = have
			continue
		}
		left.keep(have, false)
	}
	return left, nil
}

// fitsPath returns the documents whose absolute path contains a string.
func (s *search) fitsPath(value string) *Bits {
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
	return fit
}
