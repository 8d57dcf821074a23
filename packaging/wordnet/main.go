// Command wordnet writes the part of WordNet that internal/grounding/lexicon embeds: synonyms of frequent senses,
// antonyms, derived words and irregular forms. It reads the database files of WordNet 3.0, for example of Debian's
// package wordnet-base:
//
//	go run ./packaging/wordnet -in /usr/share/wordnet -out internal/grounding/lexicon/wordnet/wordnet.bin
//
// The same input gives the same bytes. Package lexicon documents the format beside its reader.
package main

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	in := flag.String("in", "/usr/share/wordnet", "directory of the WordNet database files")
	out := flag.String("out", "internal/grounding/lexicon/wordnet/wordnet.bin", "file to write")
	flag.Parse()
	d, err := read(*in)
	if err == nil {
		data := d.encode()
		fmt.Printf("%d words, %d bytes\n", len(d.words()), len(data))
		err = os.WriteFile(*out, data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "wordnet:", err)
		os.Exit(1)
	}
}

// The relations of a word, in the order of the file.
const (
	strict  = iota // says the same in most contexts
	loose          // says the same in some contexts, without the strict ones
	antonym        // opposite in a frequent sense
	related        // derived from it, or it from the word
	base           // base forms of an irregular inflection
	relations
)

// The minimum share of a word's uses in the sense that two words have in common. Chosen so that at least 85 of 100 sampled
// strict pairs mean the same in most contexts.
const (
	strictShare  = 0.5
	looseShare   = 0.15
	antonymShare = 0.1
	relatedShare = 0.02
)

type dictionary struct {
	uses  map[string]float64           // by lemma: counted uses, all senses and parts of speech
	count map[string]float64           // by lemma, part of speech and sense number
	links [relations]map[string]strSet // by relation: word -> words
}

type strSet map[string]bool

var parts = []struct{ file, letters string }{{"noun", "n"}, {"verb", "v"}, {"adj", "as"}, {"adv", "r"}}

// unseen is the count of a sense that the tagged texts lack.
const unseen = 0.5

func read(dir string) (*dictionary, error) {
	d := &dictionary{uses: map[string]float64{}, count: map[string]float64{}}
	for i := range d.links {
		d.links[i] = map[string]strSet{}
	}
	if err := d.readCounts(filepath.Join(dir, "cntlist.rev")); err != nil {
		return nil, err
	}
	numbers := map[string]int{} // "lemma pos offset" -> sense number
	for _, p := range parts {
		if err := d.readIndex(filepath.Join(dir, "index."+p.file), p.letters[:1], numbers); err != nil {
			return nil, err
		}
	}
	synsets := map[string][]string{} // "pos offset" -> lemmas
	for _, p := range parts {
		if err := readSynsets(filepath.Join(dir, "data."+p.file), p.letters[:1], synsets); err != nil {
			return nil, err
		}
	}
	share := func(lemma, pos, offset string) float64 {
		n := numbers[lemma+" "+pos+" "+offset]
		if n == 0 || d.uses[lemma] == 0 {
			return 0
		}
		return max(d.count[key(lemma, pos, n)], unseen) / d.uses[lemma]
	}
	for _, id := range slices.Sorted(maps.Keys(synsets)) {
		pos, offset, _ := strings.Cut(id, " ")
		for i, a := range synsets[id] {
			for _, b := range synsets[id][i+1:] {
				least := min(share(a, pos, offset), share(b, pos, offset))
				alike := spellings(a, b)
				switch {
				case !(alike || d.common(a, pos) || d.common(b, pos)) || !useful(a, pos) || !useful(b, pos):
				case alike && least > 0, least >= strictShare && d.common(a, pos) && d.common(b, pos):
					d.link(strict, a, b)
				case least >= looseShare:
					d.link(loose, a, b)
				}
			}
		}
	}
	d.linkVerbs()
	for _, p := range parts {
		if err := d.readPointers(filepath.Join(dir, "data."+p.file), p.letters[:1], synsets, share); err != nil {
			return nil, err
		}
		if err := d.readIrregular(filepath.Join(dir, p.file+".exc")); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func key(lemma, pos string, sense int) string { return fmt.Sprintf("%s %s %d", lemma, pos, sense) }

// useful reports whether a lemma is kept: a lower-case word, or a verb with a particle.
func useful(lemma, pos string) bool {
	if n := strings.Count(lemma, "_"); len(lemma) < 2 || n > 1 || n == 1 && pos != "v" {
		return false
	}
	for _, r := range lemma {
		if !(r >= 'a' && r <= 'z' || r == '_') {
			return false
		}
	}
	return true
}

// common reports whether the tagged texts contain a lemma in a part of speech.
func (d *dictionary) common(lemma, pos string) bool { return d.count[key(lemma, pos, 1)] >= 1 }

// linkVerbs relates verbs in -en to their adjectives and nouns, such as weaken and weak, which WordNet does not.
func (d *dictionary) linkVerbs() {
	for sense := range d.count {
		f := strings.Fields(sense)
		for _, ending := range []string{"en", "n"} {
			stem, ok := strings.CutSuffix(f[0], ending)
			if ok && f[1] == "v" && useful(f[0], "v") && useful(stem, "n") && (d.common(stem, "a") || ending == "en" && d.common(stem, "n")) {
				d.link(related, f[0], stem)
			}
		}
	}
}

// spellings reports whether two words are likely spellings of one: realise and realize, tumour and tumor.
func spellings(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	i, j := 0, 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	for j < len(b)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	return len(a)-i-j <= 1 && i >= 3
}

func (d *dictionary) link(relation int, a, b string) {
	if a == b {
		return
	}
	d.add(relation, a, b)
	d.add(relation, b, a)
}

func (d *dictionary) add(relation int, from, to string) {
	if d.links[relation][from] == nil {
		d.links[relation][from] = strSet{}
	}
	d.links[relation][from][to] = true
}

func lines(name string, each func(fields []string) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if line := s.Text(); !strings.HasPrefix(line, " ") { // the licence is indented
			if err := each(strings.Fields(line)); err != nil {
				return fmt.Errorf("%s: %q: %w", name, line, err)
			}
		}
	}
	return s.Err()
}

// readCounts reads how often a sense was tagged: "lemma%type:… sense count".
func (d *dictionary) readCounts(name string) error {
	types := map[byte]string{'1': "n", '2': "v", '3': "a", '4': "r", '5': "a"}
	return lines(name, func(f []string) error {
		lemma, rest, ok := strings.Cut(f[0], "%")
		if !ok || rest == "" || len(f) != 3 {
			return fmt.Errorf("no sense key")
		}
		n, err := strconv.ParseFloat(f[2], 64)
		sense, err2 := strconv.Atoi(f[1])
		d.count[key(lemma, types[rest[0]], sense)] = n
		return cmp.Or(err, err2)
	})
}

// readIndex reads the order of a lemma's senses.
func (d *dictionary) readIndex(name, pos string, numbers map[string]int) error {
	return lines(name, func(f []string) error {
		senses, err := strconv.Atoi(f[2])
		if err != nil {
			return err
		}
		offsets := f[len(f)-senses:]
		for i, offset := range offsets {
			numbers[f[0]+" "+pos+" "+offset] = i + 1
			d.uses[f[0]] += max(d.count[key(f[0], pos, i+1)], unseen)
		}
		return nil
	})
}

// words of a line of a data file. An adjective may carry its position: "galore(ip)".
func lemmas(f []string) ([]string, []string, error) {
	n, err := strconv.ParseUint(f[3], 16, 8)
	if err != nil {
		return nil, nil, err
	}
	var out []string
	for i := range int(n) {
		w, _, _ := strings.Cut(f[4+2*i], "(")
		out = append(out, w)
	}
	return out, f[4+2*int(n):], nil
}

// offensive are words in definitions of offensive terms, which are excluded.
var offensive = []string{"offensive", "slur", "obscene", "disparag", "derogatory", "vulgar"}

func readSynsets(name, pos string, synsets map[string][]string) error {
	return lines(name, func(f []string) error {
		words, _, err := lemmas(f)
		gloss := strings.Join(f[slices.Index(f, "|"):], " ")
		for _, mark := range offensive {
			if strings.Contains(gloss, mark) {
				words = nil
			}
		}
		synsets[pos+" "+f[0]] = words
		return err
	})
}

// readPointers reads antonyms (!), derived words (+) and the adjectives of adverbs (\).
func (d *dictionary) readPointers(name, pos string, synsets map[string][]string, share func(lemma, pos, offset string) float64) error {
	return lines(name, func(f []string) error {
		words, rest, err := lemmas(f)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(rest[0])
		if err != nil {
			return err
		}
		for i := range n {
			p := rest[1+4*i:]
			symbol, offset, target, places := p[0], p[1], p[2], p[3]
			if target == "s" {
				target = "a"
			}
			relation, least := related, relatedShare
			switch symbol {
			case "!":
				relation, least = antonym, antonymShare
			case "+", "\\":
			default:
				continue
			}
			from, err := strconv.ParseUint(places[:2], 16, 8)
			to, err2 := strconv.ParseUint(places[2:], 16, 8)
			if err := cmp.Or(err, err2); err != nil {
				return err
			}
			there := synsets[target+" "+offset]
			if from == 0 || to == 0 || int(from) > len(words) || int(to) > len(there) {
				continue
			}
			a, b := words[from-1], there[to-1]
			if useful(a, pos) && useful(b, target) && (symbol == "!" || d.common(a, pos) || d.common(b, target)) && min(share(a, pos, f[0]), share(b, target, offset)) >= least {
				d.link(relation, a, b)
			}
		}
		return nil
	})
}

// readIrregular reads "rose rise".
func (d *dictionary) readIrregular(name string) error {
	return lines(name, func(f []string) error {
		for _, b := range f[1:] {
			if useful(f[0], "n") && useful(b, "n") && d.uses[b] >= 1 {
				d.add(base, f[0], b)
			}
		}
		return nil
	})
}

// words returns all words of the relations, sorted.
func (d *dictionary) words() []string {
	all := strSet{}
	for _, relation := range d.links {
		for w, set := range relation {
			all[w] = true
			for v := range set {
				all[v] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

const (
	magic = "wordnet1"
	block = 16 // words that share an entry of the index
)

func (d *dictionary) encode() []byte {
	words := d.words()
	ids := map[string]int{}
	for i, w := range words {
		ids[w] = i
	}
	var index, names, records []byte
	previous := ""
	for i, w := range words {
		if i%block == 0 {
			index = binary.LittleEndian.AppendUint32(index, uint32(len(names)))
			index = binary.LittleEndian.AppendUint32(index, uint32(len(records)))
			previous = ""
		}
		shared := 0
		for shared < len(w) && shared < len(previous) && w[shared] == previous[shared] {
			shared++
		}
		names = append(names, byte(shared), byte(len(w)-shared))
		names = append(names, w[shared:]...)
		previous = w
		record := d.record(w, ids)
		records = binary.AppendUvarint(records, uint64(len(record)))
		records = append(records, record...)
	}
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(words)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(names)))
	return slices.Concat(out, index, names, records)
}

// record has a list for each relation: its length, then the numbers of the words, each as the difference to the
// one before.
func (d *dictionary) record(w string, ids map[string]int) []byte {
	var out []byte
	for relation := range relations {
		var list []int
		for v := range d.links[relation][w] {
			list = append(list, ids[v])
		}
		slices.Sort(list)
		out = binary.AppendUvarint(out, uint64(len(list)))
		last := 0
		for _, id := range list {
			out = binary.AppendUvarint(out, uint64(id-last))
			last = id
		}
	}
	return out
}
