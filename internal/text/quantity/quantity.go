package quantity

// Kind says what a quantity is.
type Kind byte

// The kinds of quantities.
const (
	Number Kind = iota // an amount: 12, 5 km, twelve per cent
	Date               // a day, a month, or a year that its text marks as one: 3 March 2024, 2024年
)

// Relation says how a text limits a value.
type Relation byte

// The relations of a value to the number beside it.
const (
	Equal   Relation = iota // 20
	AtLeast                 // at least 20, ≥ 20, 20 or more
	AtMost                  // at most 20, up to 20, ≤ 20
	More                    // more than 20, > 20
	Less                    // less than 20, < 20
	About                   // about 20, ~20, nearly 20
)

// Quantity is a number or a date as a text says it.
type Quantity struct {
	Start, End int    // code points, half open; with sign, currency and unit, without the words of Relation
	Text       string // the text between them
	Kind       Kind
	Value      float64 // in Unit, with its scale: 1.2 million is 1,200,000, and 12 % is 12
	Step       float64 // what one more in the last written digit would add: the precision
	Unit       string  // as its symbol: km, mW, MW, %, pp, $; "" for none or an unknown one
	Relation   Relation

	Year, Month, Day int // of a Date, and the year that a Number may be; 0 where not said

	dimension string  // what Unit measures; only amounts of one dimension compare
	factor    float64 // Value times factor is in the base of the dimension
	rounded   bool    // written as rounded figures are: with a scale word or decimals
	word      bool    // written in words
}
