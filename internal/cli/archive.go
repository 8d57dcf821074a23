package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/internal/archive"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
)

func newLoopsExport(p console.Process, opts *setup.Options) *cobra.Command {
	var out, key, texts string
	var crate bool
	var bundle loops.CrateInput
	cmd := &cobra.Command{
		Use:   "export ID [FILE]",
		Short: "Export a loop to one file",
		Long: `Export a loop to one zip file for 'citeloop loops import': the log, every text that was read, and, unless
CITELOOP_SNAPSHOTS=text, the responses they were taken from.

--sign signs it with an OpenSSH private key that has no passphrase, so that import can detect a forged one.
'ssh-keygen -Y verify -n citeloop-archive' checks manifest.json with manifest.json.sig as well.

Your own files are included with their paths, and so are pasted texts: check the export before you share it.

--ro-crate writes a bundle for people without citeloop instead, an RO-Crate 1.2: the report as Markdown, HTML and JSON with
receipts, the log, the searches, and check.py, which checks hashes, passages and citations with Python 3 alone. FILE is
a folder unless its name ends in .zip. The bundle cannot be imported. It has the hashes of the texts, but not the texts:
their licenses are unknown, and a bundle is made to be given away. --texts all includes them. The log has the paths of your
own files.

Without FILE it writes ID.zip in this folder. An existing file is not overwritten.`,
		Example: `  citeloop loops export 0199c1d2 research.zip
  citeloop loops export 0199c1d2 --ro-crate --out research
  citeloop loops export 0199c1d2 --sign ~/.ssh/id_ed25519`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return console.Usagef("missing or unexpected argument: export takes the id of a loop and optionally the file to write")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := out
			if len(args) == 2 {
				if out != "" {
					return console.Usagef("two files: give either FILE or --out")
				}
				name = args[1]
			}
			switch {
			case texts != "all" && texts != "hashes":
				return console.Usagef("unknown --texts %q: use all or hashes", texts)
			case !crate && (cmd.Flags().Changed("texts") || bundle.License != ""):
				return console.Usagef("--texts and --license describe a bundle: add --ro-crate")
			}
			return setup.WithLoop(cmd.Context(), p, opts, args[0], func(svc *loops.Service, id string) error {
				if name == "" {
					name = id + ".zip"
				}
				var signer ssh.Signer
				if key != "" {
					var err error
					if signer, err = archive.ReadSigner(key); err != nil {
						return err
					}
				}
				write := func(w io.Writer) error { return svc.Export(cmd.Context(), id, w, signer) }
				if crate {
					bundle.Loop, bundle.Texts = id, texts == "all"
					write = func(w io.Writer) error { return svc.ExportCrate(cmd.Context(), bundle, w, signer) }
				}
				if crate && !strings.HasSuffix(strings.ToLower(name), ".zip") {
					if err := writeFolder(name, write); err != nil {
						return err
					}
				} else if err := safefile.WriteNew(name, func(f *os.File) error { return write(f) }); err != nil {
					return err
				}
				fmt.Fprintln(p.Stdout, name+" written")
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file or folder to write, instead of FILE")
	cmd.Flags().BoolVar(&crate, "ro-crate", false, "write a bundle that can be checked without citeloop, as a folder or a .zip file")
	cmd.Flags().StringVar(&texts, "texts", "hashes", "with --ro-crate: all includes the stored texts, hashes leaves them out")
	cmd.Flags().StringVar(&bundle.License, "license", "", "with --ro-crate: `ADDRESS` of the report's license (default: none is stated)")
	cmd.Flags().StringVar(&key, "sign", "", "sign the archive with this OpenSSH private key")
	return cmd
}

// writeFolder writes the files of a zip file into a new folder.
func writeFolder(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	files, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return err
	}
	if err := os.Mkdir(name, 0o700); err != nil {
		return err
	}
	return os.CopyFS(name, files)
}

func newLoopsImport(p console.Process, opts *setup.Options) *cobra.Command {
	var signers string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Import an exported loop after checking every hash in it",
		Long: `Import an exported loop after checking every hash in it. After a crash, the loop is complete or absent.

Hashes show damage, not forgery: whoever changes an archive can compute them again. So the wording of every claim is
checked again against the texts in the archive. Reviews by models cannot be repeated; import says how many verdicts
rest on them and marks them as imported. Import archives only from people whom you trust.

An invalid signature is refused. --allowed-signers names a file in the ALLOWED SIGNERS format of ssh-keygen(1), with the
option namespaces at most; then an archive is imported only if one of its keys signed it. Without it, import prints
the key, which anyone could have made.`,
		Example: `  citeloop loops import research.zip --allowed-signers ~/.ssh/allowed_signers`,
		Args:    console.OneArgument("the file that export wrote"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				info, err := f.Stat()
				if err != nil {
					return err
				}
				var allowed archive.AllowedSigners
				if signers != "" {
					if allowed, err = archive.ReadAllowedSigners(signers); err != nil {
						return err
					}
				}
				got, err := svc.Import(cmd.Context(), f, info.Size(), allowed)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stdout, "loop %s: %d events and %s, all hashes valid\n", got.StateID, got.Events, console.Counted(got.Texts, "text", "texts"))
				switch {
				case got.Known != "":
					fmt.Fprintf(p.Stdout, "signed by %s (%s)\n", sanitize.Line(got.Known), got.Signer)
				case got.Signer != "":
					fmt.Fprintf(p.Stdout, "signed by an unknown key: %s; name the keys that you trust with --allowed-signers\n", got.Signer)
				default:
					fmt.Fprintln(p.Stdout, "not signed: nothing tells who wrote it")
				}
				if got.Changed > 0 {
					fmt.Fprintf(p.Stdout, "warning: %s had a verdict that the texts do not give; all claims were checked again and recorded\n", console.Counted(got.Changed, "claim", "claims"))
				}
				if got.Reviewed > 0 {
					fmt.Fprintf(p.Stdout, "note: the verdicts of %s rest on reviews in the archive, which were not repeated here\n", console.Counted(got.Reviewed, "claim", "claims"))
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&signers, "allowed-signers", "", "refuse an archive that no key in this file signed")
	return cmd
}
