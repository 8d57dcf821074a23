package words

import "testing"

func TestLanguage(t *testing.T) {
	tests := []struct{ text, want string }{
		{"The keeper of the light wrote that it was calm.", "en"},
		{"Der Wärter schrieb, dass das Meer ruhig ist.", "de"},
		{"Le gardien du phare est dans la tour.", "fr"},
		{"L’eau n’est pas froide aujourd’hui.", "fr"},
		{"El guardián del faro está en la torre.", "es"},
		{"Il guardiano del faro è nella torre.", "it"},
		{"O guarda do farol não está na torre.", "pt"},
		{"Het schip van de haven is niet groot.", "nl"},
		{"Vakten skrev att det är lugnt på havet.", "sv"},
		{"Vokteren skrev at det ikke er stille på havet.", "no"},
		{"Az őr azt írta, hogy a tenger nyugodt.", "hu"},
		{"Zbiornik mieści 12,5 tys. litrów wody i jest pełny.", "pl"},
		{"Wałęsa and Kwaśniewski met the mayor of Łódź.", "en"},
		{"Сторож маяка написал, что море спокойно", "ru"},
		{"灯塔看守人写道", "zh"},
		{"灯台守は海が静かだと書いた。", "ja"},
		{"등대지기는 바다가 잔잔하다고 썼다.", "ko"},
		{"Nginx 1.27 的默认值是 75 秒。", "zh"},
		{"It was called 東京 in the files of the office.", "en"},
		{"Ο φύλακας έγραψε", "el"},
		{"هل ينجح", "ar"},
		{"क्या यह काम करता है", "hi"},
		{"ได้ผลไหม", "th"},
		{"האם זה עובד", "he"},
		{"Acme 公司的产品", "zh"},
		{"heron 12 kestrel 14 osprey 9 kite 3 merlin 1 buzzard 7", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Language(tt.text); got != tt.want {
			t.Errorf("Language(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
