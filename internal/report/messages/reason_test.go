package messages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every format of a reason, a flag or a decision in the code that writes them has a key, so that a new one cannot stay
// English.
func TestReasonsHaveKeys(t *testing.T) {
	keys := reasonTables()["de"].Keys()
	const root = "../../../"
	for file, least := range map[string]int{
		"internal/verify/check.go": 6, "internal/verify/conflict.go": 1, "internal/verify/remark/*.go": 4, "internal/verdict/flags.go": 2, "internal/loops/suspicion.go": 3,
		"loopstate/decide.go": 37, "loopstate/tried.go": 2, "loopstate/round.go": 3,
	} {
		files, err := filepath.Glob(filepath.FromSlash(root + file))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", file, err)
		}
		found := 0
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				found += formatsWithKeys(t, file, keys)
			}
		}
		if found < least {
			t.Errorf("%s has %d formats, want at least %d", file, found, least)
		}
	}
}

// formatsWithKeys reports the formats of a file that have no key, and returns how many it has.
func formatsWithKeys(t *testing.T, file string, keys []string) int {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			return n.Name.Name != "Apply" // who read is said by report.ReadingWords
		case *ast.Field:
			return n.Tag == nil
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Errorf" || f.Sel.Name == "ErrorContext") {
				return false
			}
		case *ast.BasicLit:
			literal, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil {
				return true
			}
			_, explanation, isFlag := strings.Cut(literal, ": ") // "%s: the explanation of a flag"
			if isFlag && (strings.HasPrefix(literal, "%s: ") || strings.HasPrefix(literal, ": ") || strings.HasPrefix(literal, "imported_review")) {
				literal = explanation
			}
			if literal = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(literal), ";")); strings.Count(literal, " ") < 2 {
				return true
			}
			if found++; !slices.ContainsFunc(keys, func(key string) bool {
				return strings.Contains(strings.ReplaceAll(key, "%q", "%s"), strings.ReplaceAll(literal, "%q", "%s"))
			}) {
				t.Errorf("%s: no key has %q", file, literal)
			}
		}
		return true
	})
	return found
}

// Every key has all languages, with the arguments of the English format.
func TestReasonsAreTranslated(t *testing.T) {
	count := func(format string) []string {
		verbs := verb.FindAllString(format, -1)
		for i, v := range verbs {
			verbs[i] = regexp.MustCompile(`\[\d+\]`).ReplaceAllString(v, "")
		}
		slices.Sort(verbs)
		return verbs
	}
	for _, lang := range Languages()[1:] {
		for _, key := range reasonTables()["de"].Keys() {
			table := reasonTables()[lang]
			if !table.Has(key) || !slices.Equal(count(key), count(table.T(key))) {
				t.Errorf("%s: %q is %q", lang, key, table.T(key))
			}
		}
	}
}

func TestReason(t *testing.T) {
	for _, row := range []struct{ lang, text, want string }{
		{"en", "Nobody has read it yet.", "Nobody has read it yet."},
		{"de", "Nobody has read it yet.", "Noch hat es niemand gelesen."},
		{"de", "Something that no version wrote.", "Something that no version wrote."},
		{"fr", `331 is not in the cited lines; S1:40 has 311`, `331 n’est pas dans les lignes citées ; S1:40 a 311`},
		{"zh", `the claim has "fell" where S1:3 has "rose"`, `论断作 "fell"，S1:3 作 "rose"`},
		{"es", `S1:3 has "it \"rose\", which the claim leaves out", which the claim leaves out`, `S1:3 tiene "it \"rose\", which the claim leaves out", que la afirmación omite`},
		{"de", "2 material gaps are open; G1 is the first of them. Answered, it would leave the list.", "2 wesentliche Lücken sind offen; G1 ist die erste. Beantwortet fiele sie weg."},
		{"zh", "3 of 4 rounds are closed. With a larger budget, or more rounds confirmed by the user, another round would be allowed. 1 material gap stays open; write each into the report as an open question with why.",
			"4 轮中已结束 3 轮。预算更大或用户确认更多轮次时可再进行一轮。仍有 1 个重要缺口；请在报告中将其列为开放问题并说明原因。"},
		{"fr", "10 relevant hits were found, 3 of them by one angle only; about 2 more are probably still unseen (95 %: 0 to 7).", "10 résultats pertinents ont été trouvés, dont 3 par un seul angle ; environ 2 autres restent sans doute à voir (95 % : 0 à 7)."},
		{"de", "This round has made 2 searches and read nothing yet. A hit can be cited only after it was fetched.", "Diese Runde hat 2 Suchen gemacht und noch nichts gelesen. Ein Treffer ist erst zitierbar, wenn er abgerufen wurde."},
		{"de", "searched 2 channels 3 times: 2 blocked, 1 rate_limited; no channel could search, so sources may still exist", "in 2 Kanälen 3-mal gesucht: 2 blockiert, 1 zu viele Anfragen; kein Kanal konnte suchen, es kann also noch Quellen geben"},
		{"de", "3 sentences are the author's own (2 inferences, 1 of what the sources do not say); they are not checked and count neither way",
			"3 Sätze sind eigene Aussagen (2 Folgerungen, 1 über das, was die Quellen nicht sagen); sie werden nicht geprüft und zählen nicht mit"},
		{"fr", "2 inferences state figures; cite the source of those that are facts (lines 3, 5)", "2 déductions donnent des chiffres ; citez la source de celles qui sont des faits (lignes 3, 5)"},
	} {
		if got := Reason(For(row.lang), row.text); got != row.want {
			t.Errorf("%s: %q, want %q", row.lang, got, row.want)
		}
	}
}
