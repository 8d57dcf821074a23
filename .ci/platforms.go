// Command platforms type-checks the program with all its dependencies for each platform of a release. It generates no code,
// which would take minutes for each platform.
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
			Mode: packages.NeedName |
				packages.NeedFiles |
				packages.NeedCompiledGoFiles |
				packages.NeedImports |
				packages.NeedDeps |
				packages.NeedTypes |
				packages.NeedSyntax |
				packages.NeedTypesSizes |
				packages.NeedModule,
			Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine),
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
