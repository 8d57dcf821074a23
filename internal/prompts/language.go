package prompts

import (
	"github.com/citeloop/citeloop/internal/text/words"
)

// Language is the language of the answer. Name is empty for languages with a shared alphabet; the prompt then refers to
// the language of the query.
type Language struct {
	Name string
	Say  string // the request to answer in it, in this language
	// Headings of the report, in this language.
	Summary, Findings, Limitations string
}

// languageOf identifies Chinese, Japanese and Korean by their scripts.
func languageOf(question string) Language {
	switch words.Script(question) {
	case "ko":
		return Language{"Korean", "질문과 같은 언어(한국어)로 답하십시오.", "요약", "상세 조사 결과",
			"한계와 불확실성"}
	case "ja":
		return Language{"Japanese", "質問と同じ言語（日本語）で回答してください。", "要旨", "詳細な調査結果",
			"限界と不確実性"}
	case "zh":
		return Language{"Chinese", "请使用与问题相同的语言（中文）作答。", "执行摘要", "详细发现",
			"局限与不确定性"}
	}
	return Language{Summary: "Executive Summary", Findings: "Detailed Findings", Limitations: "Limitations and Uncertainties"}
}
