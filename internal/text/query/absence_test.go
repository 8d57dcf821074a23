package query

import (
	"strings"
	"testing"
)

func TestAdmitsAbsence(t *testing.T) {
	admit := []string{
		"We could not find any data on the founding date.", "No information is available about the team.",
		"The number of employees remains unclear.",
		"We couldn't verify the claim.", "The founders are unknown.", "No reliable figures exist for 2025.",
		"The price was not publicly disclosed.",
		"没有找到该公司的成立日期。", "未能核实这一说法。", "暂无相关数据", "融资情况尚不清楚。",
		"無法确认", "找不到任何报道",
	}
	for _, s := range admit {
		if !admits(s) {
			t.Errorf("%q is not recognised", s)
		}
	}
	say := []string{
		"The company was founded in 2015 by three engineers.", "It has 400 employees.", "The team found a new method.",
		"Researchers identified four causes.",
		"There is no doubt that output rose by 8 percent.", "The tax is not due until March.", "A well-known author wrote it.",
		"该公司成立于2015年。", "研究发现产出提高了百分之八。", "Das Unternehmen wurde 2015 gegründet.",
	}
	for _, s := range say {
		if admits(s) {
			t.Errorf("%q is taken for an admission", s)
		}
	}
}

// Every phrase of results without information, in both languages and in capitals (mechanism 166). What has other content is none.
func TestNoInformation(t *testing.T) {
	phrases := []string{
		"Unfortunately, I cannot access the page you asked for.", "The tool was unable to retrieve the document.",
		"NETWORK CONNECTION ERROR (5)",
		"Sorry, I couldn't find that.", "There is no information available here.", "No results found for this search.",
		"不幸的是，我无法访问该网页。", "无法连接到服务器", "网络连接错误，请重试",
		"没有找到相关内容", "未找到该页面",
	}
	if len(phrases) != len(noInformation) {
		t.Errorf("%d phrases are known, %d are tried", len(noInformation), len(phrases))
	}
	for _, snippet := range phrases {
		if !NoInformation("A page", snippet) {
			t.Errorf("%q passes for information", snippet)
		}
	}
	const text = "It happens to everybody, and the reasons are as many as the people it happens to. Begin by looking where you are."
	for _, tt := range []struct {
		title, snippet string
		want           bool
	}{
		{"No results found", "Search again", true}, {"未找到", "", true}, {"A page", "", false},
		{"A page", "The study found results for 61 companies.", false},
		{"A page", "No results found in group A, but " + strings.Repeat("group B rose. ", 40), false},
		{"How to fix a network connection error in Git", text, false}, {"Why I couldn't find my keys", text, false},
		{"What to do when no results found", text, false},
	} {
		if got := NoInformation(tt.title, tt.snippet); got != tt.want {
			t.Errorf("%q, %.60q: %v, want %v", tt.title, tt.snippet, got, tt.want)
		}
	}
}
