package draft

// Parse reads a draft. Headings, code blocks, formulas, comments and the heads of tables are left out. A row is one sentence.
func Parse(markdown string) Draft {
	r := newReader(markdown)
	blocks := r.blocks()
	r.entries = indexEntries(r.references)
	for _, b := range blocks {
		r.readBlock(b)
	}
	return Draft{Sentences: r.finished(), References: r.references, Strays: r.strays}
}

// finished decides what each sentence is, now that all its citations are known.
func (r *reader) finished() []Sentence {
	var out []Sentence
	for _, s := range r.said {
		rest := r.splitOwn(&s)
		switch cited := len(s.Markers) > 0; {
		case !cited && s.inferred > 0:
			s.Own = OwnInference
		case !r.isClaim(s):
		case !cited && s.own != "":
			s.Own = s.own
		default:
			s.IsClaim = true
		}
		if out = append(out, s.Sentence); s.Split {
			out = append(out, rest)
		}
	}
	return out
}
