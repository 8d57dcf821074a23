package charset

import (
	"strings"
	"testing"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

func encode(t *testing.T, name, text string) []byte {
	t.Helper()
	enc, _ := charset.Lookup(name)
	if enc == nil {
		t.Fatal("unknown charset ", name)
	}
	b, _, err := transform.Bytes(enc.NewEncoder(), []byte(text))
	if err != nil {
		t.Fatalf("%s cannot write %q: %v", name, text, err)
	}
	return b
}

var charsetTexts = map[string]string{
	"shift_jis":   "港の潮の表は、毎年印刷されていましたが、印刷所が閉じてからは作られていません。",
	"euc-jp":      "この港では、月の形によって水の高さが変わることを、昔の人もよく知っていました。",
	"iso-2022-jp": "港の潮の表は、毎年印刷されていました。",
	"gb18030":     "这个港口的潮汐表每年都会印出来，一直到那家印刷厂关门为止，后来就没有人再做了。",
	"big5":        "這個港口的潮汐表每年都會印出來，一直到那家印刷廠關門為止，後來就沒有人再做了。",
	"euc-kr": "이 항구의 조석표는 해마다 인쇄되었으나 인쇄소가 문을 닫은 뒤로는 만들어지지 " +
		"않았습니다.",
	"windows-1251": "Таблицы приливов этой гавани печатали каждый год, пока не " +
		"закрылась " +
		"типография.",
	"koi8-r": "Высота воды в гавани зависит от луны, и об этом знали уже в " +
		"старину.",
	"windows-1250": "Żeglarze wiedzą, że wysokość wody zależy od księżyca; także przypływ się spóźnia każdego dnia.",
	"windows-1252": "Les marées du port étaient imprimées chaque année jusqu’à la fermeture de l’imprimerie – même après.",
	"windows-1253": "Οι παλίρροιες του λιμανιού τυπώνονταν κάθε χρόνο μέχρι που " +
		"έκλεισε το " +
		"τυπογραφείο.",
	"windows-1254": "Limanın gelgit çizelgeleri her yıl basılırdı, ta ki basımevi kapanıncaya kadar; şimdi değil, artık yok.",
	"windows-1255": "לוחות הגאות של הנמל הודפסו מדי שנה עד שבית הדפוס נסגר.",
	"windows-1256": "كانت جداول المد والجزر في الميناء تطبع كل عام حتى أغلقت المطبعة.",
	"utf-8":        "Les marées du port étaient imprimées — この港では。",
}

// An English paragraph does not outvote what a page declares.
func TestDeclaredBesideEnglish(t *testing.T) {
	english := "<p>" + strings.Repeat("The menu of this page has words of another language. ", 4)
	for _, name := range []string{"windows-1251", "koi8-r", "windows-1255", "windows-1256", "windows-1253", "windows-1254"} {
		body := append([]byte(`<meta charset="`+name+`"><p>`), encode(t, name, charsetTexts[name])...)
		got := Decode(append(body, english...), "text/html; charset=ISO-8859-1", document.TypeHTML)
		if !strings.Contains(got, charsetTexts[name]) {
			t.Errorf("%s: %.60q", name, got)
		}
	}
}

const rain = "Дождь шёл на гребне сорок лет, и сторож записывал " +
	"каждую цифру в книгу от руки каждое утро. Никто не считал его."

const polish = `<?xml version="1.0" encoding="ISO-8859-2"?><p>Tides of the harbour</p><p>Wóda źródło święto</p>`

const (
	tides    = "The tide tables of the harbour were printed every year until 1931, when the printer of the town closed. "
	thaiText = "ตารางน้ำขึ้นน้ำลง" +
		"ของท่าเรือถูกพิมพ์ทุกปี" +
		"จนกระทั่ง"
	mac = "Il écrivait l’œuvre qui coûtait 5 francs, après l’été."
)

const level = "Рівень води в гавані залежить від місяця, " +
	"і про це знали ще в давнину."

func TestCharsets(t *testing.T) {
	for name, text := range charsetTexts {
		t.Run(name, func(t *testing.T) {
			body := encode(t, name, text)
			check := func(how, got string) {
				t.Helper()
				if got != text {
					t.Errorf("%s: %q, want %q", how, got, text)
				}
			}
			check("declared by the header", Decode(body, "text/plain; charset="+name, document.TypePlain))
			html := append([]byte(`<meta charset="`+name+`"><p>`), body...)
			check("declared by the page", strings.TrimPrefix(Decode(html, "text/html", document.TypeHTML), `<meta charset="`+name+`"><p>`))
			check("not declared", Decode(body, "text/plain", document.TypePlain))
			for _, wrong := range []string{"utf-8", "iso-8859-1", "windows-1251", "koi8-r"} {
				if wrong != name && name != "iso-2022-jp" {
					check("declared as "+wrong, Decode(body, "text/plain; charset="+wrong, document.TypePlain))
					check("declared by the page, as "+wrong+" by the server",
						strings.TrimPrefix(Decode(html, "text/html; charset="+wrong, document.TypeHTML), `<meta charset="`+name+`"><p>`))
				}
			}
		})
	}
	for _, declared := range []string{"iso-8859-1", "windows-1251", "gb18030", "shift_jis", "euc-kr", "nonsense", "utf-16le"} {
		text := "Der Hafen führt täglich Buch über die Höhe des Wassers — この港では。"
		if got := Decode([]byte(text), "text/plain; charset="+declared, document.TypePlain); got != text {
			t.Errorf("UTF-8 that is declared %s: %q", declared, got)
		}
	}
	for _, name := range []string{"utf-16le", "utf-16be"} {
		want := "Уровень воды, in metres: 42"
		if got := string(Narrow(encode(t, name, want))); got != want {
			t.Errorf("%s without a mark: %q", name, got)
		}
	}
	for _, other := range []string{"plain", "a\x00\x01\x00b\x00\x02\x00", "\x00\x00\x01\x00"} {
		if got := string(Narrow([]byte(other))); got != other {
			t.Errorf("Narrow(%q) = %q", other, got)
		}
	}
	for name, tt := range map[string]struct{ body, contentType, want string }{
		"UTF-8 mark":           {"\xef\xbb\xbfa é", "text/plain; charset=iso-8859-1", "a é"},
		"UTF-16 mark, little":  {"\xff\xfea\x00\xe9\x00", "text/plain", "aé"},
		"UTF-16 mark, big":     {"\xfe\xff\x00a\x00\xe9", "text/plain; charset=utf-8", "aé"},
		"UTF-32 mark, little":  {"\xff\xfe\x00\x00a\x00\x00\x00\xe9\x00\x00\x00", "text/plain", "aé"},
		"UTF-32 mark, big":     {"\x00\x00\xfe\xff\x00\x00\x00a\x00\x00\x00\xe9", "text/plain; charset=utf-8", "aé"},
		"UTF-16 by the header": {"a\x00\xe9\x00", "text/plain; charset=utf-16le", "aé"},
		"UTF-16 that is ASCII": {"plain", "text/plain; charset=utf-16le", "plain"},
		"UTF-16 that is UTF-8": {"café", "text/plain; charset=utf-16le", "café"},
		"XML that says it":     {string(encode(t, "iso-8859-2", polish)), "text/xml", polish},
		"Thai":                 {string(encode(t, "windows-874", thaiText)), "text/plain", thaiText},
		"Thai beside English":  {tides + string(encode(t, "windows-874", thaiText)), "text/html; charset=tis-620", tides + thaiText},
		"an old Mac":           {string(encode(t, "macintosh", mac)), "text/html; charset=macintosh", mac},
		"Russian of DOS":       {string(encode(t, "ibm866", rain)), "text/plain", rain},
		"Ukrainian":            {string(encode(t, "koi8-u", level)), "text/plain", level},
		"one bad byte in UTF-8": {strings.Repeat("é", 50) + "\xff" + strings.Repeat("é", 50), "text/plain; charset=utf-8",
			strings.Repeat("é", 50) + "\uFFFD" + strings.Repeat("é", 50)},
		"UTF-8 behind 1,024 bytes":    {strings.Repeat("x", 2000) + "é", "text/plain", strings.Repeat("x", 2000) + "é"},
		"Windows-1252 by its quotes":  {"caf\xe9 \x93x\x94", "text/plain", "café “x”"},
		"cut in a character":          {"a\xc3", "text/plain; charset=utf-8", "a\uFFFD"},
		"meta in a plain text":        {"<meta charset=shift_jis>é", "text/plain", "<meta charset=shift_jis>é"},
		"letters that Hebrew has not": {string(encode(t, "koi8-r", rain)), "text/plain", rain},
		"a single letter beyond":      {"caf\xe9", "text/plain", "café"},
		"two bytes that are also GBK": {string(encode(t, "gbk", "联通")), "text/plain; charset=gbk", "联通"},
	} {
		if got := Decode([]byte(tt.body), tt.contentType, document.TypePlain); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if got := Decode([]byte("<meta charset=utf-8>\xd6\xd0"), "text/html; charset=gbk",
		document.TypeHTML); got != "<meta charset=utf-8>中" {
		t.Errorf("the header does not count before <meta>: %q", got)
	}
}
