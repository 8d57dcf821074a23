#!/bin/sh
# Any other CI: checks the texts of a folder and keeps the page that shows what was found.
#   sh verify.sh docs
# Run it without secrets on the texts of strangers: in GitHub Actions never on pull_request_target, in GitLab without
# variables for merge requests of forks.
# Exit codes are those of citeloop verify, but that undecided (3) is reported and passed.
set -u
folder=${1:-docs}
code=0
citeloop verify --format html --output citations.html "$folder"/*.md || code=$?
case $code in
0) echo "citations: all checked" ;;
1) echo "citations: findings, see citations.html" >&2 ;;
3)
  echo "citations: not everything was read, see citations.html" >&2
  code=0
  ;;
esac
exit "$code"
