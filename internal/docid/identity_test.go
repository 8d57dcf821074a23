package docid

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCanonicalKey(t *testing.T) {
	tests := []struct {
		name, url, doi, want string
	}{
		// DOIs
		{"the page's own DOI wins over the address", "https://example.org/a", "10.1000/ABC", "doi:10.1000/abc"},
		{"doi.org", "https://doi.org/10.1145/3292500.3330701", "", "doi:10.1145/3292500.3330701"},
		{"dx.doi.org over http", "http://dx.doi.org/10.1145/3292500.3330701", "", "doi:10.1145/3292500.3330701"},
		{"doi: prefix", "DOI:10.1145/3292500.3330701", "", "doi:10.1145/3292500.3330701"},
		{"doi: prefix and a space", "doi: 10.1145/3292500.3330701", "", "doi:10.1145/3292500.3330701"},
		{"publisher path", "https://dl.acm.org/doi/pdf/10.1145/3292500.3330701?download=true", "", "doi:10.1145/3292500.3330701"},
		{"/full behind it", "https://www.frontiersin.org/articles/10.3389/fpsyg.2015.01234/full", "", "doi:10.3389/fpsyg.2015.01234"},
		{".pdf behind it", "https://link.springer.com/content/pdf/10.1007/s11192-020-03690-4.pdf", "", "doi:10.1007/s11192-020-03690-4"},
		{"id parameter", "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000308", "",
			"doi:10.1371/journal.pone.0000308"},
		{"id parameter among others", "https://journals.plos.org/plosone/article/file?type=printable&id=10.1371/journal.pone.0000308", "",
			"doi:10.1371/journal.pone.0000308"},
		{"doi parameter with an address in it", "https://www.tandfonline.com/view?doi=https%3A%2F%2Fdoi.org%2F10.1080%2Fx", "",
			"doi:10.1080/x"},
		{"DOI parameter in capitals, after an id that is none", "https://www.tandfonline.com/view?id=10.5&DOI=10.1080/x", "",
			"doi:10.1080/x"},
		{"a DOI in the path of any host is no identity", "https://evil.example/doi/10.1038/s41586-020-2649-2", "",
			"url:evil.example/doi/10.1038/s41586-020-2649-2"},
		{"a DOI in the query of any host is no identity", "https://evil.example/?doi=10.1038/s41586-020-2649-2", "",
			"url:evil.example?doi=10.1038%2Fs41586-020-2649-2"},
		{"a publisher has only its own prefixes", "https://www.nature.com/articles/10.1126/science.1", "",
			"url:nature.com/articles/10.1126/science.1"},
		{"a host that ends like a publisher's", "https://notnature.com/10.1038/x", "", "url:notnature.com/10.1038/x"},
		{"a publisher's name before another host", "https://nature.com.evil.example/10.1038/x", "",
			"url:nature.com.evil.example/10.1038/x"},
		{"a port of a publisher's host", "https://nature.com:8443/10.1038/x", "", "url:nature.com:8443/10.1038/x"},
		{"percent-encoded in the path", "https://doi.org/10.1000%2F182", "", "doi:10.1000/182"},
		{"percent-encoded twice", "https://doi.org/10.1002%252Fasi.24000", "", "doi:10.1002/asi.24000"},
		{"the page in angle brackets", "https://journals.ametsoc.org/doi/10.1175/1520-0442(2000)013%3C0001:TDOTRF%3E2.0.CO;2", "",
			"doi:10.1175/1520-0442(2000)013<0001:tdotrf>2.0.co;2"},
		{"bioRxiv version", "https://www.biorxiv.org/content/10.1101/2020.03.22.002386v3", "", "doi:10.1101/2020.03.22.002386"},
		{"bioRxiv full text", "https://www.biorxiv.org/content/10.1101/2020.03.22.002386v1.full-text", "", "doi:10.1101/2020.03.22.002386"},
		{"bioRxiv PDF in a frame", "https://www.biorxiv.org/content/10.1101/2020.03.22.002386v1.full.pdf+html", "",
			"doi:10.1101/2020.03.22.002386"},
		{"a DOI that is searched for is no identity", "https://www.google.com/search?q=10.1000/x", "",
			"url:google.com/search?q=10.1000%2Fx"},
		{"a number behind id= is no DOI", "https://example.org/view?id=10", "", "url:example.org/view?id=10"},

		// arXiv
		{"arXiv abstract", "https://arxiv.org/abs/1706.03762", "", "arxiv:1706.03762"},
		{"arXiv version", "https://arxiv.org/abs/1706.03762v7", "", "arxiv:1706.03762"},
		{"arXiv PDF", "http://www.arxiv.org/pdf/1706.03762v1.pdf", "", "arxiv:1706.03762"},
		{"arXiv HTML", "https://arxiv.org/html/1706.03762v7/", "", "arxiv:1706.03762"},
		{"arXiv with a doubled slash", "https://arxiv.org//abs/1706.03762", "", "arxiv:1706.03762"},
		{"arXiv mirror", "https://ar5iv.labs.arxiv.org/html/1706.03762", "", "arxiv:1706.03762"},
		{"arXiv listing parameter", "https://export.arxiv.org/abs/1706.03762?context=cs.CL", "", "arxiv:1706.03762"},
		{"arXiv old style", "https://arxiv.org/abs/hep-th/9711200v3", "", "arxiv:hep-th/9711200"},
		{"arXiv old style with its subject class", "https://arxiv.org/pdf/math.GT/0309136", "", "arxiv:math/0309136"},
		{"arXiv id", "arXiv:1706.03762v2", "", "arxiv:1706.03762"},
		{"arXiv DOI", "https://doi.org/10.48550/arXiv.1706.03762", "", "arxiv:1706.03762"},
		{"arXiv DOI from metadata", "https://example.org/", "10.48550/arXiv.1706.03762v2", "arxiv:1706.03762"},
		{"arXiv listing is no paper", "https://arxiv.org/list/cs.CL/recent", "", "url:arxiv.org/list/cs.CL/recent"},

		{"arXiv rendered by ar5iv", "https://ar5iv.org/abs/1706.03762v2", "", "arxiv:1706.03762"},
		{"arXiv read at alphaXiv", "https://www.alphaxiv.org/abs/1706.03762", "", "arxiv:1706.03762"},
		{"alphaXiv's own summary is no paper", "https://www.alphaxiv.org/overview/1706.03762", "", "url:alphaxiv.org/overview/1706.03762"},

		// Publishers with ids of their own
		{"Nature", "https://www.nature.com/articles/s41586-021-03819-2", "", "doi:10.1038/s41586-021-03819-2"},
		{"Nature, PDF", "https://nature.com/articles/Nature12373.pdf?origin=x", "", "doi:10.1038/nature12373"},
		{"Nature, reference PDF", "https://www.nature.com/articles/s41586-021-03819-2_reference.pdf", "", "doi:10.1038/s41586-021-03819-2"},
		{"Nature, a figure", "https://www.nature.com/articles/nature12373/figures/1", "", "url:nature.com/articles/nature12373/figures/1"},
		{"Nature's path elsewhere", "https://nature.example/articles/nature12373", "", "url:nature.example/articles/nature12373"},
		{"OpenReview", "https://openreview.net/forum?id=aBcD12&noteId=x", "", "url:openreview.net/forum?id=aBcD12"},
		{"OpenReview, PDF", "https://openreview.net/pdf?id=aBcD12", "", "url:openreview.net/forum?id=aBcD12"},
		{"a video", "https://m.youtube.com/watch?t=42s&v=aB-1_cD2eF3&list=PL1", "", "url:youtube.com/watch?v=aB-1_cD2eF3"},
		{"a video, short", "https://youtu.be/aB-1_cD2eF3?si=x", "", "url:youtube.com/watch?v=aB-1_cD2eF3"},
		{"a repository", "https://github.com/o/r.git", "", "url:github.com/o/r"},
		{"its branch", "https://github.com/o/r/tree/main", "", "url:github.com/o/r"},
		{"its tab", "https://github.com/o/r?tab=readme-ov-file#usage", "", "url:github.com/o/r"},
		{"another branch", "https://github.com/o/r/tree/v2", "", "url:github.com/o/r/tree/v2"},
		{"a file", "https://github.com/o/r/blob/main/a/b.md?plain=1#L3", "", "url:github.com/o/r/blob/main/a/b.md"},
		{"a raw file", "https://raw.githubusercontent.com/o/r/refs/heads/main/a/b.md", "", "url:github.com/o/r/blob/main/a/b.md"},
		{"an issue", "https://github.com/o/r/issues/1", "", "url:github.com/o/r/issues/1"},
		{"OpenReview, a group", "https://openreview.net/group?id=Conf.org", "", "url:openreview.net/group?id=Conf.org"},
		{"ACL", "https://aclanthology.org/2020.acl-main.1/", "", "acl:2020.acl-main.1"},
		{"ACL, earlier id and a version", "https://aclanthology.org/P19-1001v2.pdf", "", "acl:p19-1001"},
		{"ACL, earlier host", "https://www.aclweb.org/anthology/P19-1001", "", "acl:p19-1001"},
		{"ACL, earliest path", "http://aclweb.org/anthology/P/P14/P14-1001.pdf", "", "acl:p14-1001"},
		{"ACL, DOI", "https://doi.org/10.18653/v1/P19-1001", "", "acl:p19-1001"},
		{"ACL, earlier DOI", "https://example.org/", "10.3115/v1/P14-1001", "acl:p14-1001"},
		{"ACL, a volume", "https://aclanthology.org/volumes/P19-1/", "", "url:aclanthology.org/volumes/P19-1"},

		// PubMed
		{"PubMed", "https://pubmed.ncbi.nlm.nih.gov/19008416/", "", "pmid:19008416"},
		{"PubMed, old host", "https://www.ncbi.nlm.nih.gov/pubmed/19008416", "", "pmid:19008416"},
		{"Europe PMC, MEDLINE", "https://europepmc.org/article/MED/19008416", "", "pmid:19008416"},
		{"PubMed search", "https://pubmed.ncbi.nlm.nih.gov/?term=aspirin", "", "url:pubmed.ncbi.nlm.nih.gov?term=aspirin"},
		{"PMC", "https://pmc.ncbi.nlm.nih.gov/articles/PMC2613574/", "", "pmcid:PMC2613574"},
		{"PMC, old host and a PDF", "https://www.ncbi.nlm.nih.gov/pmc/articles/pmc2613574/pdf/nihms.pdf", "", "pmcid:PMC2613574"},
		{"Europe PMC", "https://europepmc.org/article/PMC/PMC2613574", "", "pmcid:PMC2613574"},
		{"Europe PMC, short", "https://europepmc.org/articles/PMC2613574", "", "pmcid:PMC2613574"},

		// Addresses
		{"scheme, www., case of the host, fragment", "HTTP://WWW.Example.COM/Path#part", "", "url:example.com/Path"},
		{"no scheme", "www.example.com/a?utm_source=x", "", "url:example.com/a"},
		{"no scheme, but a port", "example.com:8080/a", "", "url:example.com:8080/a"},
		{"mobile host", "https://m.example.com/a", "", "url:example.com/a"},
		{"www. before m.", "https://www.m.example.com/a", "", "url:example.com/a"},
		{"mobile Wikipedia", "https://en.m.wikipedia.org/wiki/Go", "", "url:en.wikipedia.org/wiki/Go"},
		{"m.com is a site", "https://m.com/", "", "url:m.com"},
		{"the five of the seed", "https://example.com/a?utm_source=1&utm_medium=2&utm_campaign=3&ref=4&fbclid=5", "", "url:example.com/a"},
		{"tracking between others", "https://example.com/a?b=2&GCLID=x&a=1", "", "url:example.com/a?a=1&b=2"},
		{"repeated parameters", "https://example.com/a?t=2&t=1", "", "url:example.com/a?t=1&t=2"},
		{"a parameter without a value", "https://example.com/a?print=&b", "", "url:example.com/a?b&print"},
		{"empty parameters", "https://example.com/a?&&=", "", "url:example.com/a"},
		{"a badly escaped parameter stays", "https://example.com/a?v=%zz", "", "url:example.com/a?v=%25zz"},
		{"semicolons stay", "https://example.com/?p=x.git;a=commit;h=1f2e", "", "url:example.com?p=x.git%3Ba%3Dcommit%3Bh%3D1f2e"},
		{"trailing slash", "https://example.com/a/", "", "url:example.com/a"},
		{"root", "https://example.com/", "", "url:example.com"},
		{"dots in the path", "https://example.com/a/./b/../c", "", "url:example.com/a/c"},
		{"default port", "https://example.com:443/a", "", "url:example.com/a"},
		{"another port", "https://example.com:8443/a", "", "url:example.com:8443/a"},
		{"dot behind the host", "https://example.com./a", "", "url:example.com/a"},
		{"name and password", "https://me:secret@example.com/a", "", "url:example.com/a"},
		{"international name", "https://Bücher.example/ä", "", "url:xn--bcher-kva.example/%C3%A4"},
		{"underscore in the host", "https://my_blog.example.com/a", "", "url:my_blog.example.com/a"},
		{"IPv6", "http://[2001:DB8::1]:8080/a", "", "url:[2001:db8::1]:8080/a"},
		{"IPv6 with a zone", "http://[fe80::1%25eth0]/a", "", "url:[fe80::1]/a"},

		// Files
		{"file", "file:///home/me/notes.md", "", "file:/home/me/notes.md"},
		{"file with spaces", "file:///home/me/my%20notes.md", "", "file:/home/me/my%20notes.md"},
		{"file with bare spaces", "file:///home/me/my notes.md", "", "file:/home/me/my%20notes.md"},
		{"file on localhost", "FILE://localhost/home/me/notes.md", "", "file:/home/me/notes.md"},
		{"file on a server", "file://NAS/share/notes.md", "", "file://nas/share/notes.md"},
		{"file under a folder called amp", "file:///home/me/amp", "", "file:/home/me/amp"},
		{"file under a folder named like a DOI", "file:///docs/release-10.2024/notes.md", "", "file:/docs/release-10.2024/notes.md"},

		// No addresses
		{"nothing", "", "", ""},
		{"white space", " \t\n", "", ""},
		{"a DOI field without a DOI", "https://example.com/a", "n/a", "url:example.com/a"},
		{"a word", "Notes", "", "raw:notes"},
		{"a sentence", "see Smith et al., 2020", "", "raw:see smith et al., 2020"},
		{"no host", "http:///a", "", "raw:http:///a"},
		{"a host of dots", "http://./a", "", "raw:http://./a"},
		{"colons without brackets", "http://a:b:80/c", "", "raw:http://a:b:80/c"},
		{"a bad escape", "http://example.com/%zz", "", "raw:http://example.com/%zz"},
		{"a control character", "http://example.com/\x7f", "", "raw:http://example.com/\x7f"},
		{"mail", "mailto:me@example.com", "", "raw:mailto:me@example.com"},
		{"a name that is no place", "urn:isbn:9780000000000", "", "raw:urn:isbn:9780000000000"},
		{"file without a path", "file:notes.md", "", "raw:file:notes.md"},
		{"doi: without a DOI", "doi:unknown", "", "raw:doi:unknown"},
		{"arxiv: without an id", "arxiv:unknown", "", "raw:arxiv:unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, CanonicalKey(tt.url, tt.doi)); diff != "" {
				t.Errorf("CanonicalKey(%q, %q) (-want +got):\n%s", tt.url, tt.doi, diff)
			}
		})
	}
}

func TestCanonicalKeyDistinguishesDocuments(t *testing.T) {
	tests := []struct{ name, a, b string }{
		{"videos", "https://www.youtube.com/watch?v=A", "https://www.youtube.com/watch?v=B"},
		{"badly escaped parameters", "https://example.com/a?v=%zz", "https://example.com/a?v=%yy"},
		{"parameters separated by semicolons", "https://example.com/?p=x.git;a=commit;h=1f2e",
			"https://example.com/?p=x.git;a=commit;h=3d4c"},
		{"articles of one issue", "https://doi.org/10.1175/1520-0442(2000)013%3C0001:TDOTRF%3E2.0.CO;2",
			"https://doi.org/10.1175/1520-0442(2000)013%3C0051:TWPIOO%3E2.0.CO;2"},
		{"articles of one issue, from metadata", "doi:10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
			"doi:10.1002/(SICI)1097-0258(19980815/30)17:15/16<1687::AID-SIM970>3.0.CO;2-2"},
		{"languages of Wikipedia", "https://en.wikipedia.org/wiki/Go", "https://de.m.wikipedia.org/wiki/Go"},
		{"case of a path", "https://example.com/a", "https://example.com/A"},
		{"ports", "http://localhost:8080/a", "http://localhost:9090/a"},
		{"hosts", "https://blog.example.com/a", "https://example.com/a"},
		{"arXiv papers", "https://arxiv.org/abs/1706.03762", "https://arxiv.org/abs/1706.03763"},
		{"PMID and PMCID of one number", "https://pubmed.ncbi.nlm.nih.gov/2613574/", "https://europepmc.org/articles/PMC2613574"},
		{"files of one name", "file:///a/10.2024/notes.md", "file:///b/10.2024/notes.md"},
		{"machines", "file://one/notes.md", "file://two/notes.md"},
		{"searches for a DOI", "https://example.org/s?q=10.1000/x", "https://doi.org/10.1000/x"},
		{"file and web", "file:///example.com/a", "https://example.com/a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if a, b := CanonicalKey(tt.a, ""), CanonicalKey(tt.b, ""); a == b {
				t.Errorf("%s and %s are both %s", tt.a, tt.b, a)
			}
		})
	}
}

func TestNormalizeDOI(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"bare", "10.1000/182", "10.1000/182"},
		{"upper case", "10.1000/ABC.Def", "10.1000/abc.def"},
		{"address", "https://doi.org/10.1000%2FX", "10.1000/x"},
		{"inside a sentence", "see doi:10.1000/x, and others", "10.1000/x"},
		{"sentence's end", "10.1000/x.", "10.1000/x"},
		{"semicolon", "10.1000/x;", "10.1000/x"},
		{"Chinese sentence's end", "10.1000/x。", "10.1000/x"},
		{"closing bracket", "(10.1000/x)", "10.1000/x"},
		{"balanced brackets", "10.1016/S0140-6736(97)11096-0", "10.1016/s0140-6736(97)11096-0"},
		{"balanced brackets at the end", "10.1000/x(2)", "10.1000/x(2)"},
		{"balanced brackets in brackets", "(10.1000/x(2))", "10.1000/x(2)"},
		{"square brackets that belong to it", "10.1890/1540-9295(2005)003[0001]", "10.1890/1540-9295(2005)003[0001]"},
		{"square bracket of a Markdown link", "10.1000/x](", "10.1000/x]("},
		{"angle brackets that belong to it", "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
			"10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"},
		{"angle bracket of a tag", "10.1000/x</a>", "10.1000/x"},
		{"suffixes, one behind the other", "10.1000/x/full.pdf.", "10.1000/x"},
		{"preprint's version and a bracket", "10.1101/2020.03.22.002386v1)", "10.1101/2020.03.22.002386"},
		{"a v elsewhere is no version", "10.1000/abcv2", "10.1000/abcv2"},
		{"parameter", "https://doi.org/10.1000/x?from=a", "10.1000/x"},
		{"escaped over and over", "10.1000/a%25252541", "10.1000/aa"},
		{"escape that appears by unescaping", "10.1000/a%%341", "10.1000/aa"},
		{"percent sign that escapes nothing", "10.1000/a%zz", "10.1000/a%zz"},
		{"prefix alone", "10.1000/", ""},
		{"prefix and punctuation", "10.1000/.,;)", ""},
		{"registrant too short", "10.1/x", ""},
		{"within a number", "110.1000/x", ""},
		{"none", "no identifier", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, NormalizeDOI(tt.in)); diff != "" {
				t.Errorf("NormalizeDOI(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func FuzzCanonicalKey(f *testing.F) {
	for _, seed := range []string{
		"https://www.m.example.com/a/amp/amp?b=2&utm_source=x&a=1#c", "http://[fe80::1%25\x81]:80/", "https://arxiv.org//abs/1706.03762v2",
		"https://m.google.com//amp/s/www.google.com/amp/s/a.b/c", "https://doi.org/10.1000%252Fx", "https://a.example/x?id=10.1000/a%zz",
		"file:///a%20b/10.2024/c", "http://./x", "http://ＷＷＷ.ａ_.example", "example.com:80/?;=&=;", "doi:10.1000/(a", "urn:x",
		"//a.b/c",
	} {
		f.Add(seed, "")
	}
	f.Add("https://example.org/", "10.1000/A(b).pdf")
	f.Fuzz(func(t *testing.T, rawURL, doi string) {
		key := CanonicalKey(rawURL, doi)
		if key == "" && strings.TrimSpace(rawURL) != "" {
			t.Errorf("CanonicalKey(%q, %q) is empty", rawURL, doi)
		}
		if rest, ok := strings.CutPrefix(key, "url:"); ok {
			if again := CanonicalKey("https://"+rest, ""); again != key {
				t.Errorf("CanonicalKey(%q, %q) is %q, but the key of that address is %q", rawURL, doi, key, again)
			}
		}
		if id, ok := strings.CutPrefix(key, "doi:"); ok {
			if again := CanonicalKey("", id); again != key {
				t.Errorf("CanonicalKey(%q, %q) is %q, but the key of that DOI is %q", rawURL, doi, key, again)
			}
		}
	})
}

func FuzzNormalizeDOI(f *testing.F) {
	for _, seed := range []string{"10.1000/x", "https://doi.org/10.1000%2FX", "10.1101/2020.01v2v3)", "10.1000/a%2541%zz",
		"10.1000/a<1:b>c</i>", "10.1000/x/full/pdf.pdf];", "10.1000/%%334%32\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := NormalizeDOI(s)
		if twice := NormalizeDOI(once); twice != once {
			t.Errorf("NormalizeDOI(%q) is %q, and of that %q", s, once, twice)
		}
		if once != "" && !strings.HasPrefix(once, "10.") {
			t.Errorf("NormalizeDOI(%q) is %q", s, once)
		}
	})
}
