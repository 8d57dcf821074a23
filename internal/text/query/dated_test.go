package query

import "testing"

func TestDated(t *testing.T) {
	tests := []struct{ query, want string }{
		{"latest battery prices", "latest battery prices 2026"},
		{"What is the current CEO of Acme", "What is the current CEO of Acme 2026"},
		{"recent trials of semaglutide", "recent trials of semaglutide 2026"},
		{"who leads the polls today", "who leads the polls today 2026"},
		{"up-to-date guidelines", "up-to-date guidelines 2026"},
		{"目前的电池价格", "目前的电池价格 2026"},
		{"最新の電池価格", "最新の電池価格 2026"},
		{"최신 배터리 가격", "최신 배터리 가격 2026"},
		{"aktuelle Batteriepreise", "aktuelle Batteriepreise 2026"},
		{"prix actuel du lithium", "prix actuel du lithium 2026"},
		{"precio actual del litio", "precio actual del litio 2026"},
		{"последние новости", "последние новости 2026"},
		{"latest battery prices 2024", "latest battery prices 2024"},
		{"最新2025年数据", "最新2025年数据"},
		{"history of the lighthouse", "history of the lighthouse"},
		{"alternating current motors", "alternating current motors"},
		{"latest alternating current motors", "latest alternating current motors 2026"},
		{"current density of a cell", "current density of a cell"},
		{"currents of the Atlantic", "currents of the Atlantic"},
		{"nowhere to go", "nowhere to go"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Dated(tt.query, "2026-03-01"); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.query, got, tt.want)
		}
		if again := Dated(tt.want, "2026-03-01"); again != tt.want {
			t.Errorf("%q became %q the second time", tt.want, again)
		}
		if got := Dated(tt.query, "soon"); got != tt.query {
			t.Errorf("%q without a date: %q", tt.query, got)
		}
	}
}
