package normal

import "testing"

func TestAskedLanguage(t *testing.T) {
	for said, want := range map[string]string{
		"": "", "any": "", "All": "", "en": "en", "EN": "en", "en_GB": "en-GB", "zh-hans": "zh-Hans", "eng": "en", "ger": "de",
		"simple": "simple", "be-tarask": "be-tarask", "no": "no",
	} {
		if got, ok := AskedLanguage(said); !ok || got != want {
			t.Errorf("%q: %q, %v; want %q", said, got, ok, want)
		}
	}
	for _, said := range []string{"evil.example/#", "Haitian Creole", "English", "中文", "*"} {
		if got, ok := AskedLanguage(said); ok {
			t.Errorf("%q: %q", said, got)
		}
	}
}
