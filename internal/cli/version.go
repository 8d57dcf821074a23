package cli

// Version of citeloop, by semantic versioning.
const Version = "0.1.0"

// homepage is where the User-Agent sends those who wonder who is asking.
const homepage = "https://github.com/citeloop/citeloop"
