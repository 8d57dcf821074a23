// Package review prepares what a second reader reads: claims beside the passages that may support them, mixed with
// planted errors and controls. It is pure: the same seed, claims and texts give the same batch, byte for byte.
//
// A planted error is a true sentence with one change that makes it false: another number or rate, a negation more or less,
// an opposite, a stronger quantifier or certainty, another name of the same passage, two names or numbers swapped.
// A control is a true sentence, reworded in ways that keep it true. Both start from claims that
// a believed reader supported or the wording check grounded, and where these are too few, from sentences of the texts, of
// about the shape of the claims that wait. Both are reworded in the same ways, so that nothing but their meaning tells
// the items of a batch apart.
//
// A reader who accepts planted errors or refuses controls is not believed: see loopstate's referee. The package
// knows English, German, French, Spanish, Chinese and Japanese; in other languages it can change numbers and names.
package review
