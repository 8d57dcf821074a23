package draft

// Parse reads a draft. Code, formulas and comments are left out; a row of a table is one sentence.
func Parse(markdown string) Draft {
	r := newReader(markdown)
	tree, ends := parseMarkdown(r.src)
	r.ends = ends
	r.read(tree)
	r.indexEntries()
	for i := range r.blocks {
		r.readBlock(&r.blocks[i])
	}
	d := Draft{Source: r.src, Tree: tree, References: r.references, Strays: r.strays}
	d.Sentences = r.finished()
	d.Skipped = r.skipped
	r.markTree(tree, d.Sentences)
	return d
}

// finished decides what each sentence is, now that all its citations are known.
func (r *reader) finished() []Sentence {
	var out []Sentence
	for i := range r.said {
		s := &r.said[i]
		s.index = len(out)
		rest := r.splitOwn(s)
		why := r.noClaim(*s)
		switch cited := len(s.Markers) > 0; {
		case !cited && s.inferred > 0:
			s.Own = OwnInference
		case why != "":
			r.skip(why, int(s.block.glyphs[s.from].start), s.Text)
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
