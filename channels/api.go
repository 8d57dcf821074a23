package channels

import "slices"

// Names lists the built-in channels in their fixed order, then the user's own.
func Names(own ...Custom) []string {
	names := namesOf(catalog())
	for _, o := range own {
		names = append(names, o.Name)
	}
	return names
}

// ReadCustom reads the channels that a file describes (docs/own-channel.md). env looks up secrets, which the file refers to by
// variable. Errors are [*CustomError].
func ReadCustom(file string, content []byte, env func(string) (string, bool)) ([]Custom, error) {
	return readCustom(file, content, env, func(name string) bool { return slices.Contains(Names(), name) })
}
