package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// synthetic are readers that do not read. The referee must reject them in every batch.
var synthetic = []struct {
	name    string
	guesses bool // a batch may count by chance
	answer  func(random *rand.Rand, it sheetItem) (answer, quote string)
}{
	{"supports everything, with a real quote", false, func(_ *rand.Rand, it sheetItem) (string, string) {
		return loopstate.AnswerSupported, firstWords(it)
	}},
	{"denies everything, with a real quote", false, func(_ *rand.Rand, it sheetItem) (string, string) {
		return loopstate.AnswerContradicted, firstWords(it)
	}},
	{"finds nothing stated", false, func(*rand.Rand, sheetItem) (string, string) { return loopstate.AnswerNotStated, "" }},
	{"tosses a coin, with a real quote", true, func(random *rand.Rand, it sheetItem) (string, string) {
		if random.IntN(2) == 0 {
			return loopstate.AnswerSupported, firstWords(it)
		}
		return loopstate.AnswerContradicted, firstWords(it)
	}},
	{"supports everything, with an invented quote", false, func(_ *rand.Rand, it sheetItem) (string, string) {
		return loopstate.AnswerSupported, "as the committee has confirmed beyond any doubt"
	}},
}

// firstWords copies the beginning of an item's first passage.
func firstWords(it sheetItem) string {
	if len(it.Passages) == 0 {
		return ""
	}
	text := []rune(it.Passages[0].Text)
	if len(text) <= 60 {
		return string(text)
	}
	quote := string(text[:60])
	if i := strings.LastIndex(quote, " "); i > 0 {
		quote = quote[:i]
	}
	return quote
}

// readSynthetic answers all batches with a synthetic reader.
func readSynthetic(s set, k key, answer func(*rand.Rand, sheetItem) (string, string), seed uint64) []answerFile {
	random := rand.New(rand.NewPCG(seed, 2))
	var files []answerFile
	for _, b := range k.Batches {
		f := answerFile{Batch: b.Batch}
		for _, it := range b.sheet(s).Items {
			a := loopstate.ReviewAnswer{Item: it.Item}
			a.Answer, a.Quote = answer(random, it)
			f.Answers = append(f.Answers, a)
		}
		files = append(files, f)
	}
	return files
}

// writeSynthetic prints how the referee judges the synthetic readers.
func writeSynthetic(w io.Writer, s set, k key) error {
	fmt.Fprint(w, "\n| reader that does not read | planted errors caught | controls passed | void batches |\n| --- | --- | --- | --- |\n")
	for _, reader := range synthetic {
		given, err := k.accept(s, readSynthetic(s, k, reader.answer, 1))
		if err != nil {
			return err
		}
		var planted, controls loopstate.Tally
		void := 0
		out := k.judge(s, given)
		for _, b := range out.batches {
			planted, controls = sum(planted, b.planted), sum(controls, b.controls)
			if b.status == loopstate.BatchVoid {
				void++
			}
		}
		fmt.Fprintf(w, "| %s | %d of %d | %d of %d | %d of %d |\n", reader.name, planted.Good, planted.N, controls.Good, controls.N, void, len(out.batches))
	}
	return nil
}
