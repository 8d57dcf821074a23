package charset

import "testing"

func TestRepairDoubled(t *testing.T) {
	tests := []struct {
		name, in, want string
		repaired       int
	}{
		{"French", "<p>La marÃ©e du port Ã©tait imprimÃ©e Ã\u00a0 l’imprimerie", "<p>La marée du port était imprimée à l’imprimerie", 4},
		{"German", "<p>Die HÃ¶he des Wassers Ã¤ndert sich tÃ¤glich.</p>", "<p>Die Höhe des Wassers ändert sich täglich.</p>", 3},
		{"quotation marks and dashes", "<p>The keeperâ€™s book â€“ it is â€œlostâ€\u009d.</p>", "<p>The keeper’s book – it is “lost”.</p>", 4},
		{"Cyrillic", "<p>ÐŸÑ€Ð¸Ð»Ð¸Ð² Ð² Ð¿Ð¾Ñ€Ñ‚Ñƒ</p>", "<p>Прилив в порту</p>", 12},
		{"a template that is intact", "<nav>Über uns</nav><p>Die HÃ¶he Ã¤ndert sich tÃ¤glich.</p>", "<nav>Über uns</nav><p>Die Höhe ändert sich täglich.</p>", 3},
		{"French as it is written", "<p>« café\u00a0», LIBERTÉ», «\u00a0marée\u00a0», à\u00a0», « thé\u00a0»", "", 0},
		{"Portuguese capitals", "<p>IRMÃ» MANHÃ» SÃO JOÃO», NÃO É»", "", 0},
		{"one sequence alone", "<p>The letter was written as Ã©.</p>", "", 0},
		{"a page about it", "<p>Mojibake: Ã© for é, Ã¼ for ü, Ã¤ for ä</p><p>Ã¶ Ã¤</p>", "", 0},
		{"ASCII", "<p>plain</p>", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.in
			}
			got, n := RepairDoubled(tt.in)
			if got != want || n != tt.repaired {
				t.Errorf("RepairDoubled(%q) = %q, %d; want %q, %d", tt.in, got, n, want, tt.repaired)
			}
		})
	}
}
