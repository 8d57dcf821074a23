// Package audit looks up the entries of reference lists at bibliographic services and says of each whether it exists as
// listed. Package references reads the lists and compares; this package asks the channels, and writes the result.
//
// An entry that no service has is "not_found", with what was asked where: no service has all works, so it is never called
// fake. An entry that could not be looked up, because a service that was needed did not answer, is told apart from it.
package audit
