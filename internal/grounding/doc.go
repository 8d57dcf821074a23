// Package grounding says whether a text supports a claim, and shows why. It is pure and deterministic: the
// same claim and the same sources give the same verdict, byte for byte, and no model is asked.
//
// # The verdicts
//
// A [Checker] reads the sources once. [Checker.Check] compares one claim with the sources that it cites:
//
//   - "grounded": one passage, or neighbouring ones, says what the claim says, and nothing speaks against it.
//   - "inferred": the parts of the claim stand in the cited texts but in no single place, or only a part of
//     them does.
//   - "unsupported": the cited texts do not say it, or say something else.
//
// The order of work: quotes are looked up first ([GradeQuote]). Then the sentences of each source are ranked
// by the words they share with the claim, weighted by how rare these words are; windows of one to three
// sentences are scored by what they cover of the claim's words, numbers and names; a greedy choice adds
// sentences while they cover something new. The claim is laid over the best window: shared words and neighbouring
// words, other forms of a word, words of degree ("only", "most") that the text lacks. A logistic function of these
// few measures is [Verdict.Support]. Its weights were fitted on human judgements of real claims only, never on
// mechanically altered ones; TestFit fits them again where the data is. Chinese, and languages that write no
// spaces, are compared by pairs of characters; there, words of refutation in the text count against the claim.
//
// Contradicting evidence is not one more measure, it is a veto: a number of the claim that no passage has, or
// another number in its very place; a negation on one side only; a name that the text never mentions; a quote
// that is nowhere. Each veto is precise alone, is taken off the log odds and puts a flag into the verdict. A claim
// with a veto is never grounded.
//
// Numbers and dates are read, not matched ([GradeQuote] excepted): 1,234 is 1234, 1.2 million is 1,200,000,
// 12 % is 12 percent, twelve is 12 is 十二, 5 km is 5,000 metres, 3 March 2024 is 2024-03-03. A difference is
// forgiven only where the claim says "about", and by no more than rounding explains. A sentence that the text has
// word for word but for the form of its numbers is as good as verbatim.
//
// # How good it is
//
// Measured against the judgements of people, on the halves of the data that the weights and thresholds were chosen on
// (TestGold repeats it where the data is). AUROC is the chance that a supported claim gets more support than one that
// is not, .5 for a coin; balanced accuracy counts grounded against the rest, in percent:
//
//	claims of                               AUROC   balanced accuracy
//	WiCE, Wikipedia and its references      .833    73.0
//	AttributionBench, answers of models     .759    67.8
//	Factcheck-GPT, web pages                .790    71.4
//	BEGIN, dialogue                         .949    82.8
//	CHEF, Chinese news                      .834    80.5
//
// So one claim in three to six is judged otherwise than people would: read the passage. [Verdict.Support] is a
// probability with a mean error of .06 on WiCE and .18 on BEGIN.
//
// # What it costs
//
// Reading a text of 30 kB takes about two milliseconds, a claim with three of them less than half of one, on one core
// (bench/results/grounding.txt). Time and memory grow with the text and not faster, whatever the text is. A Checker
// keeps seven to ten times the bytes of its texts.
//
// # What it cannot do
//
// The checker compares wording. It does not know that a "physician" is a "doctor", does not calculate
// (growth from 10 to 15 is not read as 50 %), does not resolve who "she" is beyond neighbouring sentences,
// and cannot tell that two names of one sentence changed places. A claim that uses a source's words to say
// something slightly different may pass; a true claim in entirely different words comes out as inferred or
// unsupported. [Verdict.Missing] names the words to look at. Languages other than English and Chinese are
// compared by their words alone.
package grounding
