package quote

import (
	"strings"
	"testing"
)

// The work is linear in the text: ten times the text takes about ten times as long, hostile or not.
func BenchmarkNew(b *testing.B) {
	for name, unit := range map[string]string{"prose": text, "marks": "< - . [ ² ^ ", "numbers": "-5 <5 1.5 5% "} {
		hostile := strings.Repeat(unit, 1_000_000/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(hostile)))
			for b.Loop() {
				New(hostile).Find("a quote of ten words that is not in this text at all … and [more] 5 %")
			}
		})
	}
}
