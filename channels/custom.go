package channels

// Custom is a channel that the user configured (docs/own-channel.md). [ReadCustom] reads them.
type Custom struct {
	name, description string
	goodFor           []string
	kinds             []Kind
	rate              float64
	recipe            recipe
	from              string // the file that configures it
	missing           string // missing environment variable; "" = none
}

// Name is the channel's name.
func (o Custom) Name() string { return o.name }

// Address is the channel's address without its parameters.
func (o Custom) Address() string { return o.recipe.address.raw }

func (o Custom) channel() channel {
	r := o.recipe
	return channel{search: r.search, Description: Description{
		Name: o.name, Description: o.description, GoodFor: o.goodFor, For: o.kinds, Missing: o.missing,
		SourceTypes: distinct(r.sourceType), RatePerSecond: o.rate, Parallel: 1, Hosts: []string{r.address.host},
		Honours: Filters{Dates: r.takes("since") && r.takes("until"), Language: r.takes("language")},
		Live:    true, Tested: "its user's own tests: it is configured in " + o.from,
	}}
}
