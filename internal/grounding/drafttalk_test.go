package grounding

import (
	"strings"
	"testing"
)

func TestTalkIsNoClaim(t *testing.T) {
	talk := []string{
		"Let me search for more about the otters of the northern rivers.",
		"Now let me look at what was written about herons since 2020:",
		"Next, I'll search for recent counts of otters in the fens.",
		"I’ll now look into how herons and otters share a river.",
		"First, I need to gather some background on wetlands.",
		"I need more specific information about the winter diet of otters.",
		"To answer this question, I'll need to find current data on herons.",
		"Great, I found several useful reports on the fens.",
		"Now I have enough information to write the report on otters.",
		"I have gathered sufficient information about herons and will now write.",
		"I should also check whether the numbers were revised later.",
		"Based on my research, I will now write a report on otters.",
		"I couldn't find any figures for the eastern fens in these results.",
		"Let's look for more recent numbers on the herons of the coast.",
		"The search results do not provide figures for the eastern fens.",
		"Finally, let me do one more search about the mink in the fens.",
		"We will now explore how otters and herons share the river.",
		"In this report, we'll examine the otters of the northern rivers.",
		"This report examines how otters and herons share the rivers of the north.",
		"This comprehensive analysis explores the wetlands and their animals.",
		"Here is a comprehensive report on the otters of the northern rivers.",
		"The report concludes with recommendations for the managers of wetlands.",
		"让我搜索更多关于水獭的资料和数据。",
		"接下来，让我们查找北方河流的最新调查。",
		"我需要更多关于苍鹭越冬地的具体信息。",
		"现在我将搜索湿地保护的相关政策文件。",
		"首先，我会查找水獭数量的最新统计数据。",
		"我已经收集了足够的信息，现在开始撰写报告。",
		"为了回答您的问题，我将从多个方面进行调研。",
		"基于搜索到的资料，下面为您提供一份完整的报告。",
		"目前的搜索结果没有给出苍鹭的具体数量。",
		"继续搜索有关水獭食物构成的更多研究。",
		"还需要查询最近几年的湿地面积变化情况。",
		"本报告将从多个角度分析水獭与苍鹭的关系。",
		"本文旨在探讨湿地保护对水鸟数量的影响。",
		"我们将继续查找关于鱼类资源的研究资料。",
		"下面将从三个方面介绍水獭的生活习性。",
	}
	for _, text := range talk {
		for _, s := range ParseDraft(text).Sentences {
			if s.IsClaim {
				t.Errorf("taken for a claim: %s", s.Text)
			}
		}
	}
	claims := []string{
		"We need to cut the catch of fish by 40 percent to save the otters.",
		"World War I will be remembered in the fens for its drained ditches.",
		"In phase I needs of the herons were measured over three winters.",
		"\"I will search every ditch until I find an otter,\" the warden said.",
		"The warden said that \"I need to find more otters before the winter\" was her motto.",
		"Searching for food, otters dive for up to four minutes.",
		"Otters search the banks for frogs when the fish have gone.",
		"The search results of the coast guard covered 300 square kilometres.",
		"Let alone otters, even voles have left the drained fens.",
		"This study found 48 otters along the northern river.",
		"This analysis shows that herons follow the otters downstream.",
		"The researchers will explore how herons and otters share a river.",
		"Here the otters are hunted by eagles in the winter.",
		"我国湿地面积在过去十年中有所增加。",
		"研究人员将继续搜索北方河流中的水獭。",
		"我们需要在十年内把排放量减少一半才能保护湿地。",
		"本报告分析显示，水獭数量增加了一倍。",
		"搜索引擎的使用量在过去五年中翻了一番。",
		"该系统能够帮助您了解湿地水位的变化情况。",
		"调查收集了三百份关于水獭的记录资料。",
	}
	for _, text := range claims {
		found := ParseDraft(text).Sentences
		if len(found) == 0 || !found[0].IsClaim {
			t.Errorf("not taken for a claim: %s", text)
		}
	}
}

// What a paragraph of talk adds with "This is …" belongs to it; a fact or a figure in it does not.
func TestTalkOfAWholeParagraph(t *testing.T) {
	tests := []struct{ text, claim string }{
		{"I'll research the otters of the north. This is an important topic in ecology.", ""},
		{"I'll research the otters of the north. It is home to 48 otters now.", "It is home to 48 otters now."},
		{"I'll research the otters of the north. Otters have long been rare there.", "Otters have long been rare there."},
		{"I'll research the otters of the north. This is their last river [1].", "This is their last river."},
		{"I'll search the otters of the north [1].", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range ParseDraft(tt.text).Sentences {
			if s.IsClaim {
				got = append(got, s.Text)
			}
		}
		if strings.Join(got, "|") != tt.claim {
			t.Errorf("%q: claims %q, want %q", tt.text, got, tt.claim)
		}
	}
}
