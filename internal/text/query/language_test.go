package query

import (
	"testing"

	"github.com/citeloop/citeloop/internal/text/words"
)

func TestScript(t *testing.T) {
	for text, want := range map[string]string{"": "", "does it work": "", "四天工作制有效吗": "zh", "週四日勤務は有効ですか": "ja", "주4일제 효과": "ko", "работает ли это": "ru", "هل يعمل": "ar", "क्या यह काम करता है": "hi",
		"ได้ผลไหม": "th", "האם זה עובד": "he", "λειτουργεί": "el", "what does 道 mean in classical texts": "", "2024 % !": "", "Acme 公司的产品": "zh"} {
		if got := words.Script(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
