#!/bin/sh
# Any other CI: checks texts, and keeps what was found as JSON and SARIF.
#   sh verify.sh               the texts that citeloop.toml includes
#   sh verify.sh docs notes    files or folders
# Exit codes are those of citeloop verify. Undecided (3) fails: sentences are not read yet, or sources could not be read.
# With ALLOW_UNDECIDED=1 it passes. docs/ci.md of citeloop explains it.
#
# Run it without secrets on the texts of strangers: in GitLab without variables for merge requests of forks.
set -u
code=0
citeloop verify ${ALLOW_UNDECIDED:+--allow-undecided} --format text --format json=citations.json --format sarif=citations.sarif -- "$@" || code=$?
case $code in
0) ;;
1) echo "citations: findings, see citations.json" >&2 ;;
3) echo "citations: undecided, see citations.json; have the sentences read and commit citeloop.lock, or set ALLOW_UNDECIDED=1" >&2 ;;
*) echo "citations: the check did not run" >&2 ;;
esac
exit "$code"
