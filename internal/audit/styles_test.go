package audit

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/references"
)

// library answers as a service with all of its works does: by identifiers, and by half of the words of a title.
type library []channels.Ranked

func (l library) Search(_ context.Context, names []string, q channels.Query, _ func(channels.Outcome)) (out channels.Answer, err error) {
	out.Outcomes = []channels.Outcome{{Name: names[0], Status: channels.StatusEmpty}}
	for _, r := range l {
		n, words := 0, strings.Fields(strings.ToLower(r.Title))
		for _, w := range words {
			if strings.Contains(strings.ToLower(q.Text), strings.Trim(w, ":?")) {
				n++
			}
		}
		if names[0] == "crossref" && (r.DOI == q.Text || slices.Contains(r.IDs, "arxiv:"+q.Text) || 2*n >= len(words)) {
			out.Evidence, out.Outcomes[0].Status = append(out.Evidence, r), channels.StatusOK
		}
	}
	return out, nil
}

// styles are entries as people write them in lists, true ones and such with one planted fault: the field that differs.
const styles = `true | Kowalczyk, M., Dubois, J.-L., & Ågård, S. (2014). Sediment in alpine rivers. *Geomorphology*, 224.
year | Kowalczyk, M., Dubois, J.-L., & Ågård, S. (2016). Sediment in alpine rivers. *Geomorphology*, 224.
authors | Kowalczyk, M., Dubois, J.-L., Ågård, S., & Rossi, P. (2014). Sediment in alpine rivers. Geomorphology.
title | Kowalczyk, M., Dubois, J.-L., & Ågård, S. (2014). Sediment in glacial rivers. https://doi.org/10.1000/sed
true | Kowalczyk, Marta; Dubois, Jean-Luc; Aagaard, Soren (2014): Sediment in alpine rivers. In: Geomorphology.
year | Kowalczyk, M., Dubois, J.-L. & Ågård, S. Sediment in alpine rivers. Geomorphology 224, 12–25 (2015).
true | [Sediment in alpine rivers](https://doi.org/10.1000/sed), 2014
authors | [Sediment in alpine rivers](https://doi.org/10.1000/sed), Dubois et al., 2014
true | W. Zhang, L. Zhang, P. Raman, and T. O'Brien, "Deep networks for lake ice," in Proc. CVPR, Jun. 2019, pp. 1-10.
authors | P. Raman et al., “Deep networks for lake ice,” in CVPR, 2019.
true | Wei Zhang, Li Zhang, Priya Raman, and Tomás O'Brien. 2019. Deep networks for lake ice. In Proceedings of CVPR '19.
authors | Wei Zhang, Priya Raman, Li Zhang, and Tomás O'Brien. 2019. Deep networks for lake ice. In Proceedings of CVPR.
authors | [ZZR+19] W. Zhang, L. Zhang, P. Raman, T. O'Brien, and N. Bohr. Deep networks for lake ice. In CVPR, 2019.
true | El-Sayed, N., & Tanaka, H. (2021, March). Attention and glacier records. arXiv:2103.06789v2
arxiv | N. El-Sayed and H. Tanaka. Attention and glacier records. arXiv preprint arXiv:2103.99999, 2021.
true | Ferreira da Silva J, Müller KP, Nowak A, et al. Salt and thyroid nodules. N Engl J Med. 2008;359:22.
authors | Müller, K.-P. et al. 2008. Salt and thyroid nodules. NEJM 359, 2201.
true | Kowalczyk M, Dubois JL, Ågård S. Sediment in alpine rivers. Geomorphology. 2014;224:12-25.
year | Kowalczyk M, Dubois JL, Ågård S. Sediment in alpine rivers. Geomorphology. 2011;224:12-25.
title | Kowalczyk M, Dubois JL, Ågård S. Sediment in glacial rivers. Geomorphology. 2014;224:12-25. doi:10.1000/sed
true | KOWALCZYK M, DUBOIS J L, ÅGÅRD S. Sediment in alpine rivers[J]. Geomorphology, 2014, 224: 12-25.
true | KOWALCZYK, Marta; DUBOIS, Jean-Luc; ÅGÅRD, Søren: Sediment in alpine rivers. In: Geomorphology 224 (2014), S. 12.
true | Kowalczyk, M.; Dubois, J.-L.; Ågård, S. Sediment in alpine rivers. Geomorphology 2014, 224, 12–25.
true | Ferreira da Silva, J. F., Müller, K. P., Nowak, A., & Carter, B. (2008). Salt and thyroid nodules. *N Engl J Med*, *1*, 1–2.
true | Hughes, A. P. (2003b). What is a weir? Definitions and disputes. *Area*, 35.
year | Hughes, A. P. (2005b). What is a weir? Definitions and disputes. *Area*, 35.
true | Hughes, A. P. What is a weir? Definitions and disputes. *Area* **35**, 23–31 (2003).
true | Hughes, A. P., Jr. (2003). What is a weir? Definitions and disputes. *Area*, 35.
true | Kowalczyk M. Sediment in alpine rivers / M. Kowalczyk, J.-L. Dubois, S. Ågård // Geomorphology. 2014. № 3. С. 1–9.
authors | Kowalczyk M. Sediment in alpine rivers / M. Kowalczyk, P. Rossi, S. Ågård // Geomorphology. 2014. № 3. С. 1–9.
true | World Health Organization (WHO). (2017). Guideline on water reservoirs (2nd ed.). https://doi.org/10.1000/who
true | World Health Organization. (n.d.). Guideline on water reservoirs. Retrieved March 5, 2024, from https://who.example
true | World Health Organization. Guideline on water reservoirs. https://who.example. Accessed: Mar. 5, 2024.
true | @misc{a, author={王, 伟 and 李, 娜}, title={城市河流沉积物中重金属的分布特征}}
true | @misc{a, author={王伟、李娜}, title={城市河流沉积物中重金属的分布特征}}
authors | @misc{a, author={王, 伟 and 李, 明}, title={城市河流沉积物中重金属的分布特征}}
true | [{"title":"城市河流沉积物中重金属的分布特征","author":[{"family":"王","given":"伟"},{"name":"李娜"}]}]
true | @misc{a,author={family=Stein, given=G, prefix=von and U. van der Meer},title={The \href{https://e.org}{economics of small harbours}}}
true | @misc{a, author={Gross, Joerg}, title={Gates of the noerdlichen Seas}}
true | @misc{a, author={{Kowalczyk, M., Dubois, J.-L., \& Ågård, S.}}, title={Sediment in <i>alpine</i> rivers}}
true | @misc{a, author={{Marta Kowalczyk, Jean-Luc Dubois, and Søren Ågård}}, title={Sediment in alpine rivers}}
true | @misc{a, author={Marta Kowalczyk, Jean-Luc Dubois, and Søren Ågård}, title={Sediment in alpine rivers}}
true | @misc{a, author={Kowalczyk, M.; Dubois, J.-L.; Ågård, S.}, title={Sediment in alpine rivers}}
true | @misc{a, author={Kowalczyk, M., Dubois, J.-L., and Ågård, S.}, title={Sediment in alpine rivers}}
authors | @misc{a, author={Marta Kowalczyk, Paolo Rossi, and Søren Ågård}, title={Sediment in alpine rivers}}
authors | @misc{a, author={{Kowalczyk M, Rossi P, Ågård S}}, title={Sediment in alpine rivers}}
true | @misc{a, author={Kowalczyk, M. and u. a.}, title={Sediment in alpine rivers}}
true | @misc{a, author={{World Health Organization (WHO)}}, title={Guideline on water reservoirs}}
true | TY  - JOUR\nAU  - Kowalczyk M, Dubois JL, Ågård S\nTI  - Sediment in alpine rivers
true | @misc{a, title={What is a weir? Definitions \& disputes}}
true | {"title": ["What is a <i>weir</i>?"], "DOI": "10.1000/weir", "author": [{"family": "Hughes"}]}
true | WHO (2017). Guideline on water reservoirs. https://doi.org/10.1000/who
authors | Food and Agriculture Organization (2017). Guideline on water reservoirs. https://doi.org/10.1000/who
true | 王伟, 李娜. 城市河流沉积物中重金属的分布特征[J]. 环境科学, 2016, 37(5): 1234.
year | 王伟, 李娜. 城市河流沉积物中重金属的分布特征[J]. 环境科学, 2012, 37(5): 1234.
true | Hughes, A.P. (Ed.). 2003. What is a weir? Definitions and disputes. Area 35: 23-31.
year | [Hug03] A. Hughes. What is a weir? Definitions and disputes. Area, 35, 2005.
true | von Stein, G. and van der Meer, U. (1998) 'The economics of small harbours', Journal of Economic History, 58(2).
title | von Stein, G. and van der Meer, U. (1998) 'The economics of large harbours', Journal of Economic History, 58(2).
true | "The economics of small harbours". Gregor von Stein and Ursula van der Meer. Journal of Economic History, 1998.
authors | Hughes, A. P. (1998). The economics of small harbours. Area, 35(1), 23-31.
true | @misc{a, author={Grobol, Lo\"ic and M. Regnault}, title={Contextual Embeddings of {O}ld French}, booktitle={LREC}}
venue | @misc{a, author={L. Grobol and M. Regnault}, title={Contextual embeddings of Old French}, booktitle={ICML}}
true | @misc{a, author={Ferreira da Silva, J. and others}, title={Salt and thyroid nodules}, journal={N. Engl. J. Med.}}
true | @misc{a, author={WHO}, title={Guideline on Water Reservoirs}, date={2017-05}}
true | TY  - CONF\nA1  - Zhang, W.\nA1  - Zhang, L.\nA1  - Raman, P.\nA1  - O’Brien, T.\nT1  - Deep networks for lake ice\nT2  - CVPR
true | TY  - JOUR\nAU  - Hughes, Alan\nTI  - What is a weir?\nPY  - 2003\nJO  - Area\nDO  - https://doi.org/10.1000/weir`

// Whatever style a list has, faults are found and true entries are not taken for wrong.
func TestStylesOfLists(t *testing.T) {
	t.Parallel()
	ranked := func(id, doi, year, venue, title string, authors ...string) channels.Ranked {
		return channels.Ranked{IDs: []string{id}, Evidence: channels.Evidence{Title: title, Authors: authors, PublishedAt: year, DOI: doi,
			URL: "https://works.example/" + doi, Container: venue}}
	}
	works := library{
		ranked("", "10.1000/sed", "2014", "Geomorphology", "Sediment in alpine rivers", "Marta Kowalczyk", "Jean-Luc Dubois",
			"Søren Ågård"),
		ranked("", "10.1000/ice", "2019", "2019 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)",
			"Deep networks for lake ice", "Wei Zhang", "Li Zhang", "Priya Raman", "Tomás O'Brien"),
		ranked("arxiv:2103.06789", "10.48550/arxiv.2103.06789", "2021", "arXiv", "Attention and glacier records", "Nadia El-Sayed",
			"Hiroshi Tanaka"),
		ranked("", "10.1000/salt", "2008", "New England Journal of Medicine", "Salt and thyroid nodules: a controlled trial",
			"Joana Ferreira da Silva", "Klaus-Peter Müller", "Anna Nowak", "Ben Carter"),
		ranked("", "10.1000/who", "2017", "", "Guideline on water reservoirs", "World Health Organization"),
		ranked("", "10.1000/gates", "2001", "", "Gates of the nördlichen Seas", "Jörg Groß"),
		ranked("", "10.1000/zh", "2016", "环境科学", "城市河流沉积物中重金属的分布特征", "王伟", "李娜"),
		ranked("", "10.1000/weir", "2003", "Area", "What is a weir? Definitions and disputes", "Alan P. Hughes"),
		ranked("", "10.1000/ports", "1998", "The Journal of Economic History", "The economics of small harbours", "Gregor von Stein",
			"Ursula van der Meer"),
		ranked("", "10.1000/bert", "2022", "Proceedings of the Thirteenth Language Resources and Evaluation Conference",
			"Contextual embeddings of Old French", "Loïc Grobol", "Mathilde Regnault"),
	}
	for row := range strings.Lines(styles) {
		want, entry, _ := strings.Cut(strings.TrimSpace(row), " | ")
		entry, want = strings.ReplaceAll(entry, `\n`, "\n"), strings.TrimPrefix(want, "true")
		list, text := List{Name: "x"}, "## References\n\n1. "+entry
		if format := references.FormatIn(entry); format != references.Text || entry[0] == '[' && entry[1] != 'S' {
			text = entry
		}
		var err error
		if list.Entries, _, err = references.Parse(references.FormatIn(text), text); err != nil {
			t.Errorf("%s: %v", entry, err)
			continue
		}
		r, err := Run(t.Context(), Config{Search: works, Channels: []string{"crossref", "datacite", "arxiv"}, Now: time.Now}, []List{list})
		if err != nil {
			t.Fatal(err)
		}
		var fields []string
		for _, d := range r.Entries[0].Differences {
			fields = append(fields, d.Field)
		}
		e := r.Entries[0]
		if got := strings.Join(fields, " "); got != want || e.Status != map[bool]Status{true: Verified, false: Mismatch}[want == ""] {
			t.Errorf("%s\n\tis %s (%s) and differs in %q, want %q: %v", entry, e.Status, e.Because, got, want, e.Differences)
		}
	}
}
