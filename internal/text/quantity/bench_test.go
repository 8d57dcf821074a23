package quantity

import (
	"strings"
	"testing"
)

// The work is linear in the text: ten times the text takes about ten times as long, hostile or not.
func BenchmarkRead(b *testing.B) {
	for name, unit := range map[string]string{"prose": "In March 2024 the port of Oslo handled about 1.2 million tonnes, a third of it oil, and twelve per cent more than before. ", "numbers": "5 1.5 >5 2024-03-04 one 10^5 a half ", "marks": "[1- . /- [", "east": "一二十百分之三万5年月日", "words": "one hundred thousand and five "} {
		hostile := strings.Repeat(unit, 1_000_000/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(hostile)))
			for b.Loop() {
				Read("", hostile)
			}
		})
	}
}
