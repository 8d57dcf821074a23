package draft

import (
	"strings"
	"testing"
)

// A citation by authors and year leads to the work with these authors, in any form in which people write them.
func TestDraftAuthors(t *testing.T) {
	t.Parallel()
	const list = `

## References

- Roer, I., Lind, B., & Moss, A. (2020). Three. https://a.example/three
- Roer, I., & Lind, B. (2020). Two. https://a.example/two
- Roer, I. (2020). One. https://a.example/one
- Roer, I., & Lind, B. (2021). Later. https://a.example/later
- Moss, B., Berg, A., & Vogel, C. (2019). Log. https://a.example/moss
- World Lock Council. (2018). Locks. https://a.example/council
- van 't Hoff, J. (2016). Water. https://a.example/hoff
- Roer, K. (2022). Doors. https://a.example/k
- Roer, I. (2022). Locks. https://a.example/i
- García-Márquez, G. (2018). Water. https://a.example/marquez
- Müller, G. (2020). Mills. https://a.example/mill
- 王伟、李明 (2021). 记录. https://a.example/wang
- 田中太郎 (2020). 記録. https://a.example/tanaka
- 鈴木一郎・佐藤花子 (2021). 記録. https://a.example/suzuki
- 伊藤花子「水門の記録」2019年、https://a.example/ito
- 김철수, 이영희 (2021). 기록. https://a.example/kim
- 와 이 (2021). 기록. https://a.example/wa
- Ben Moss, A. Berg, and C. Vogel. "Weir log of 1999." *Weirs*, 2017. https://a.example/ben
- C. Vogel and B. Lind, "Weir," *Weirs*, vol. 3, 2015. https://a.example/vogel
- Holt, J., & Ames, K. (2020). The lighthouse. https://a.example/holt
- Port Arden Council. (2021). The harbour. https://a.example/port
- Council of Port Arden. (2021). https://a.example/arden
- 王伟 (2012). *塔的记录*. [link](https://a.example/tower)
- 李明, 张华（2015）. 港口. https://a.example/li
- 田中太郎 (2012)「灯台」 https://a.example/lamp
- 김철수. (2012). 등대. https://a.example/chul
- حسن، ع. (2012). https://a.example/hassan
- van der Berg, J. (1999). Tower. https://a.example/berg
- ——— (2001). Lock. https://a.example/lock
- Lee, C. (1988/2001). Lamp. https://a.example/lee
- Ida Falk and B. Rust. Lock. 2013. https://a.example/falk
- P. Kern (2021). https://a.example/kern
`
	for marks, want := range map[string]string{
		"(Roer, 2020) (Roer, 2020, s. 5) (Roer, 2020, pág. 5) (Roer, 2020, с. 5) (Roer, 2020, Table 3)":             "one",
		"(Roer & Lind, 2020) (ROER; LIND, 2020) (Roer–Lind, 2020) (Roer i Lind, 2020) (Roer ve Lind, 2020)":         "two",
		"(Roer et al., 2020) (Roer, Lind, & Moss, 2020) (Roer и др., 2020) (Roer m.fl., 2020) (Roer y otros, 2020)": "three",
		"(Moss et al., 2019) (Moss i in., 2019) (Moss vd., 2019) (Moss and colleagues, 2019)":                       "moss",
		"(World Lock Council [WLC], 2018) (WLC, 2018) (data from World Lock Council, 2018)":                         "council",
		"(van 't Hoff, 2016) (see van 't Hoff, 2016, for details)":                                                  "hoff",
		"(I. Roer, 2022)":                "i",
		"(K. Roer, 2022)":                "k",
		"(García Márquez, 2018)":         "marquez",
		"(Mueller, 2020) (Müller, 2020)": "mill",
		"（王伟、李明，2021） (王伟和李明, 2021)":     "wang",
		"（伊藤、2019）":                      "ito",
		"（田中、2020） (田中, 2020)":           "tanaka",
		"（鈴木ほか、2021） (鈴木他, 2021) (鈴木・佐藤, 2021)":       "suzuki",
		"(김철수와 이영희, 2021) (김철수·이영희, 2021)":            "kim",
		"(Ben Moss et al., 2017) (Moss et al., 2017)": "ben",
		"(Vogel and Lind, 2015)":                      "vogel",
		"(Roer & Berg, 2021) (Roer and Moss, 2021)":   "", // the work has another second author
		"(Holt, 1999)": "",
		"（张伟，2012）":    "",
		"(Holt & Ames, 2020) (Holt et al., 2020) (see Holt 2020, p. 4) (A. Holt, 2020) (Ruiz, as cited in Holt, 2020)": "holt",
		"(Port Arden Council, 2021)":          "port",
		"(data from Roer, 2020, for details)": "one",
		"（王伟，2012）":                           "tower",
		"（李明、张华，2015）":                        "li",
		"（田中, 2012）":                          "lamp",
		"(김철수, 2012)":                         "chul",
		"(Van der Berg, 1999)":                "berg",
		"(Van der Berg, 2001)":                "lock", // the same author: a dash
		"(Lee, 1988/2001)":                    "lee",
		"(Falk and Rust, 2013)":               "falk",
		"(Kern, 2021)":                        "kern",
	} {
		for mark := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(marks, ") (", ")|("), "） (", "）|("), "|") {
			d := Parse("The lock at Tarn is long " + mark + "." + list)
			if len(d.Sentences[0].Markers) != 1 {
				t.Errorf("%s: %d citations", mark, len(d.Sentences[0].Markers))
				continue
			}
			if e, _ := d.Entry(d.Sentences[0].Markers[0]); strings.TrimPrefix(e.URL, "https://a.example/") != want {
				t.Errorf("%s leads to %q, want %q", mark, e.URL, want)
			}
		}
	}
	checkForms(t, list, []form{
		{"short notes", "Weirs are old[^1]. Locks are wide[^2]. Gates are red[^3]. Floats are blue[^4].\n\n[^1]: Moss et al. (2019), " +
			"p. 3." +
			"\n[^2]: See Vogel, *Weir*, p. 5.\n[^3]: *See* Vogel, *supra* note 2, at 7.\n[^4]: *Id.* at 116.\n", []string{
			"1 Weirs are old. {1>moss}", "1 Locks are wide. {2>vogel}", "1 Gates are red. {3>vogel}", "1 Floats are blue. {4>vogel}"}},
		{"other words in the bracket stay", "The lock is long (n = 40; Roer, 2022; Moss et al., 2019). The gate is old (data from " +
			"Berlin, 2020).",
			[]string{"1 The lock is long (n = 40). {roer 2022>k} {moss 2019>moss}", "1 The gate is old (data from Berlin, 2020)."}},
		{"other works behind a year", "As Roer and Lind (2021; see also Müller, 2020) say, it is long. " +
			"Müller (2020, p. 4; Moss et al. 2019) agrees.", []string{
			"1 As Roer and Lind say, it is long. {roer 2021>later} {muller 2020>mill}",
			"1 Müller agrees. {muller 2020>mill} {moss 2019>moss}"}},
		{"several works in a bracket", "It is old (Holt et al., 2020; Port Arden Council, 2021). It is red (Council of Port Arden, 2021; " +
			"Holt 12–14). It is tall (Holt, 1999; 2020). It is long (Roer i Lind, 2020, s. 5; Roer–Lind, 2020; ROER; LIND, 2020).",
			[]string{
				"1 It is old. {holt 2020>holt} {port 2021>port}", "1 It is red. {council 2021>arden} {holt 2020>holt}",
				"1 It is tall. {holt 1999!} {holt 2020>holt}", "1 It is long. {roer 2020>two} {roer 2020>two} {roer 2020>two}"}},
		{"in other languages", "Laut Holt/Ames (2020: 4) ist er alt. 它建于1874年（王伟等，2012；李明和张华，2015）。" +
			"据王伟（2012）指出，它建于1874年。1874年に建てられた（田中、2012）。" +
			"김철수(2012)에 따르면 1874년에 지어졌다. بني عام 1874 (حسن، 2012).", []string{
			"1 Laut Holt/Ames ist er alt. {holt 2020>holt}", "1 它建于1874年。 {王伟等 2012>tower} {李明和张华 2015>li}",
			"1 据王伟指出，它建于1874年。 {王伟 2012>tower}", "1 1874年に建てられた。 {田中 2012>lamp}",
			"1 김철수 에 따르면 1874년에 지어졌다. {김철수 2012>chul}", "1 بني عام 1874. {حسن 2012>hassan}"}},
		{"a date is no work", "It was built (in March 2020) on a hill.", []string{"1 It was built (in March 2020) on a hill."}},
	})
	checkForms(t, "", []form{
		{"without a list they are prose", "It is old (Holt & Ames, 2020).", []string{"1 It is old (Holt & Ames, 2020)."}},
	})
}
