// Command platforms looks whether the program and all that it rests on are sound Go on each platform of a release, with
// the types of every function checked. It makes no code, which takes minutes for each platform; a release does.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, platform := range os.Args[1:] {
		system, machine, _ := strings.Cut(platform, "/")
		list, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes | packages.NeedModule,
			Env:  append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine),
		}, "./...")
		if err != nil {
			fmt.Fprintln(os.Stderr, platform+":", err)
			os.Exit(1)
		}
		checked := 0
		packages.Visit(list, nil, func(p *packages.Package) {
			checked++
			for _, e := range p.Errors {
				fmt.Fprintf(os.Stderr, "%s: %v\n", platform, e)
				failed = true
			}
		})
		fmt.Printf("%s: %d packages\n", platform, checked)
	}
	if failed {
		os.Exit(1)
	}
}
