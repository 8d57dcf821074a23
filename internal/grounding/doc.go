// Package grounding says whether a text supports a claim, and shows why. It is pure and deterministic: the
// same claim and the same sources give the same verdict, byte for byte, and no model is asked.
//
// # The verdicts
//
// A [Checker] reads the sources once. [Checker.Check] compares one claim with the sources that it cites:
//
//   - "grounded", basis "wording": one passage of at most three neighbouring sentences accounts for every word of the
//     claim that carries meaning, in an order that keeps who did what, and says nothing besides that changes it.
//   - "unsupported": the passage says otherwise, in a way that has a name ([Difference]), or nothing in the cited texts
//     is about the claim ([FlagNotFound]), or a quote is nowhere.
//   - "inferred": wording does not decide. Most honest paraphrases end here and wait for a reader.
//
// # How it works
//
// The sentences of each source are ranked by the words they share with the claim, weighted by how rare these words are.
// Around the best, the claim is aligned with the passage: each word is paired with the same word, another form of it,
// a synonym of the lexicon, or an equal number, so that neighbours stay neighbours. Negations, quantifiers, modals,
// conditions and rates are operators: each has to belong to the same word on both sides. What is left over of the
// claim is missing; what is left over of the passage, where it bears on words that the claim uses, is unsaid. Either
// keeps a claim from being grounded, and so does a word that the passage has only below another one that the claim
// leaves out ("ruled out raising"), or only for a part or a case ("the mayor's son", "in mice"). A frame of attribution is accounted for by the source's title, site, publisher,
// authors or host.
//
// A difference needs the rest of its clause to be accounted for: a passage about something else has other numbers and
// names, which prove nothing.
//
// English, German, French, Spanish, Chinese and Japanese have word lists. In another language, and where claim and
// source differ in language, only a claim that is in the source word for word is grounded. [Verdict.Language] says
// which language was taken.
//
// [Verdict.Support] is a score of shared words for ranking. It decides nothing.
//
// Numbers and dates are read, not matched ([GradeQuote] excepted): 1,234 is 1234, 1.2 million is 1,200,000,
// 12 % is 12 percent, twelve is 12 is 十二, 5 km is 5,000 metres, 3 March 2024 is 2024-03-03. A difference is
// forgiven only where the claim says "about", and by no more than rounding explains.
//
// # What it costs
//
// Reading a text of 30 kB takes about two milliseconds, a claim with three of them some five, on one core
// (bench/results/grounding.txt). Time and memory grow with the text and not faster, whatever the text is. A Checker
// keeps seven to ten times the bytes of its texts.
//
// # What it cannot do
//
// The checker compares wording. It does not calculate (growth from 10 to 15 is not read as 50 %), does not resolve who
// "she" is beyond neighbouring sentences, and knows few synonyms outside English. True claims in other words come out
// as inferred. [Verdict.Missing] names the words to look at.
package grounding
