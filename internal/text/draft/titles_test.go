package draft

import "testing"

func TestSameTitle(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, entry, title string
		same               bool
	}{
		{"the same", "Otters of the northern rivers", "Otters of the northern rivers", true},
		{"site behind", "Otters of the northern rivers | Fen Times", "Otters of the northern rivers", true},
		{"cut with dots", "Otters of the nort…", "Otters of the northern rivers: a survey", true},
		{"cut without", "Otters of the northern riv", "Otters of the northern rivers: a survey", true},
		{"a bibliography's entry", "Smith, J., & Jones, K. (2019). Otters of the northern rivers. Fen Review, 3(4), 1-20",
			"Otters of the northern rivers | Fen Review", true},
		{"entities", "Otters &amp; herons of the fens", "Otters & Herons of the Fens", true},
		{"a word spelt otherwise", "Analysing the otters of northern rivers", "Analyzing otters of the northern rivers", true},
		{"another language", "Les loutres des rivières du nord", "Les loutres des rivières du Nord – Le Marais", true},
		{"another script", "北方河流的水獭", "Otters of the northern rivers", true},
		{"Chinese with a site", "北方河流的水獭_湿地网", "北方河流的水獭 - 自然频道", true},
		{"only the site's name", "Fen Times", "Otters of the northern rivers", true},

		{"another work", "Herons of the southern lakes", "Otters of the northern rivers", false},
		{"another work of the site", "Herons of the southern lakes | Fen Times", "Otters of the northern rivers | Fen Times", false},
		{"on the same subject", "How otters raise their young in winter", "Otters and their winter food in northern rivers", false},
		{"another author's work", "Smith, J. (2019). Herons of the southern lakes. Fen Review, 3(4)", "Otters of the northern rivers",
			false},
		{"Chinese", "南方湖泊的苍鹭研究", "北方河流的水獭分布调查", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Reference{Title: tt.entry, URL: "https://www.fentimes.example/a"}
			if got := r.SameTitle(tt.title); got != tt.same {
				t.Errorf("%q and %q: same %v, want %v", tt.entry, tt.title, got, tt.same)
			}
		})
	}
}

func TestReferenceNames(t *testing.T) {
	t.Parallel()
	r := Reference{Title: "Smith, J., & Jones, K. (2019). Otters of the Northern Rivers. Fen Review, 3(4), 1-20"}
	for title, want := range map[string]bool{"Otters of the northern rivers | Fen Times": true, "Otters of the southern rivers": false,
		"Otters": false, "": false} {
		if got := r.Names(title); got != want {
			t.Errorf("Names(%q) = %v, want %v", title, got, want)
		}
	}
}

func FuzzSameTitle(f *testing.F) {
	f.Add("Otters | Fen Times", "Otters of the … fens")
	f.Add("水獭_湿地网", "\xff — |")
	f.Add("Smith, J. (2019). Otters: a. b", "&amp;#39; 2019 - - :: ")
	f.Fuzz(func(t *testing.T, entry, title string) {
		r := Reference{Title: entry, URL: title}
		r.Names(title)
		r.SameTitle(title)
		if r := (Reference{Title: entry}); !r.SameTitle(entry) {
			t.Errorf("%q is not itself", entry)
		}
	})
}
