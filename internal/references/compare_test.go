package references

import "testing"

func TestCompare(t *testing.T) {
	t.Parallel()
	record := Record{From: "crossref", Title: "Write-ahead logging in the Sea: A Study of Łódź",
		Authors: []string{"Ana María García-Márquez", "Jan van der Berg", "Xi Wei"},
		Year:    2019, Venue: "Advances in Neural Information Processing Systems 32", DOI: "10.1000/9"}
	entry := func(change func(*Entry)) Entry {
		e := Entry{Title: "Write-Ahead Logging in the Sea: a study of Lodz",
			Authors: []Name{{"Garcia-Marquez", "A. M."}, {"van der Berg", "Jan"}, {"Wei", "Xi"}}, Year: 2019, Venue: "NeurIPS",
			DOI: "10.1000/9"}
		change(&e)
		return e
	}
	for _, tt := range []struct {
		name   string
		change func(*Entry)
		want   string // the only field that differs; "" = none
	}{
		{"initials, accents, capitals, an acronym", func(*Entry) {}, ""},
		{"without its subtitle", func(e *Entry) { e.Title = "Write-ahead logging in the sea" }, ""},
		{"et al.", func(e *Entry) { e.Authors, e.Others = e.Authors[:1], true }, ""},
		{"given and family name exchanged", func(e *Entry) { e.Authors[2] = Name{"Xi", "Wei"} }, ""},
		{"an abbreviated venue", func(e *Entry) { e.Venue = "Adv. Neural Inf. Process. Syst." }, ""},
		{"the preprint is cited", func(e *Entry) { e.Venue = "arXiv preprint arXiv:1901.00001" }, ""},
		{"a word of the title", func(e *Entry) { e.Title = "Write-ahead logging on the sea: a study of Lodz" }, FieldTitle},
		{"an author too few", func(e *Entry) { e.Authors = e.Authors[:2] }, FieldAuthors},
		{"authors in another order", func(e *Entry) { e.Authors[0], e.Authors[1] = e.Authors[1], e.Authors[0] }, FieldAuthors},
		{"another given name", func(e *Entry) { e.Authors[1].Given = "Piet" }, FieldAuthors},
		{"another year", func(e *Entry) { e.Year = 2017 }, FieldYear},
		{"another venue", func(e *Entry) { e.Venue = "ICML" }, FieldVenue},
		{"another DOI", func(e *Entry) { e.DOI = "10.1000/8" }, FieldDOI},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, d := range Compare(entry(tt.change), []Record{record}) {
				got += d.Field
			}
			if got != tt.want {
				t.Errorf("differs in %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPreprintsAndArticles(t *testing.T) {
	t.Parallel()
	preprint := Record{Title: "Tides and mills", Year: 2017, ArXiv: "1706.00001", Venue: "arXiv"}
	article := Record{Title: "Tides and mills", Year: 2019, Venue: "Harbours"}
	for _, tt := range []struct {
		name    string
		entry   Entry
		records []Record
		differs bool
	}{
		{"the preprint's year, both known", Entry{Venue: "Harbours", Year: 2017}, []Record{preprint, article}, false},
		{"between the two", Entry{Venue: "Harbours", Year: 2018}, []Record{preprint, article}, false},
		{"the preprint, whose article is known", Entry{Venue: "arXiv preprint", Year: 2017}, []Record{article}, false},
		{"the article, whose preprint is known", Entry{Venue: "Harbours", Year: 2019}, []Record{preprint}, false},
		{"the identifier says the year", Entry{Venue: "Harbours", Year: 2017, ArXiv: "1706.00001"}, []Record{article}, false},
		{"an article before itself", Entry{Venue: "Harbours", Year: 2017}, []Record{article}, true},
		{"an article before its preprint", Entry{Venue: "Harbours", Year: 2016}, []Record{preprint}, true},
		{"a preprint long before its article", Entry{Venue: "arXiv", Year: 2014}, []Record{article}, true},
		{"a preprint in another year", Entry{Venue: "arXiv", Year: 2018}, []Record{preprint}, true},
	} {
		tt.entry.Title = "Tides and mills"
		if got := Compare(tt.entry, tt.records); len(got) > 0 != tt.differs {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
