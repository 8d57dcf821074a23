package hooks

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Never lists the names of files that are never recorded. A pattern that ends in "/" names a folder anywhere in a path, one
// with another "/" the end of a path, and any other a file. "*" and "?" have their usual meaning. Case does not count.
type Never []string

// DefaultNever returns the list before the user changes it: keys, passwords, and the clients' own folders, which hold
// conversations and instructions.
func DefaultNever() Never {
	return Never{
		".env*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.gpg", "*.asc", "*.tfstate", "*.tfvars",
		"id_*", "credentials*", "*credentials.json", "secret*", "*.secret", "*.secrets", "*service-account*.json", "*service_account*.json",
		".netrc", "_netrc", ".git-credentials", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd", "*_history", "master.key", "shadow", "kubeconfig*", ".docker/config.json", ".config/gh/hosts.yml",
		".ssh/", ".aws/", ".azure/", ".gnupg/", ".kube/", ".gcloud/", "gcloud/", ".password-store/", "secrets/", "keychains/",
		".git/", ".claude/", ".codex/", ".gemini/", ".citeloop/",
	}
}

// Names returns the pattern of the list that names a path, if one does.
func (n Never) Names(name string) (pattern string, ok bool) {
	slashed := strings.ToLower(strings.ReplaceAll(filepath.ToSlash(name), `\`, "/"))
	parts := strings.Split(strings.Trim(slashed, "/"), "/")
	for _, pattern := range n {
		p := strings.ToLower(pattern)
		folder, isFolder := strings.CutSuffix(p, "/")
		switch {
		case isFolder:
			ok = slices.ContainsFunc(parts[:len(parts)-1], func(part string) bool { return matches(folder, part) })
		case strings.Contains(p, "/"):
			n := strings.Count(p, "/") + 1
			ok = len(parts) >= n && matches(p, strings.Join(parts[len(parts)-n:], "/"))
		default:
			ok = matches(p, parts[len(parts)-1])
		}
		if ok {
			return pattern, true
		}
	}
	return "", false
}

// CheckPattern reports whether a pattern can be matched.
func CheckPattern(pattern string) bool {
	_, err := path.Match(strings.TrimSuffix(pattern, "/"), "x")
	return err == nil && strings.Trim(pattern, "/ ") != "" && len(pattern) <= maxPatternBytes && !strings.ContainsAny(pattern, "\n\r\x00")
}

const maxPatternBytes = 200

// matches is path.Match, which is false for an invalid pattern.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

// secretWords are words that a rule of a .gitignore uses for secrets.
func secretWords() []string {
	return []string{"secret", "credential", "passw", "passphrase", "token", "apikey", "api_key", "api-key", "private", ".env", ".key", ".pem", "keys", "id_rsa", "vault", "auth"}
}

// maxRules bounds the rules of a .gitignore that are read (chosen).
const maxRules = 2000

// Ignored returns the rule of a .gitignore that names a secret and excludes a path, if one does. rel is the path below the
// folder of the .gitignore. A later rule with "!" includes it again.
func Ignored(gitignore, rel string) (rule string, ok bool) {
	rel = strings.ToLower(strings.ReplaceAll(filepath.ToSlash(rel), `\`, "/"))
	parts := strings.Split(rel, "/")
	left := maxRules
	for line := range strings.Lines(gitignore) {
		line = strings.TrimSpace(line)
		p := strings.ToLower(line)
		if p == "" || p[0] == '#' || !slices.ContainsFunc(secretWords(), func(w string) bool { return strings.Contains(p, w) }) {
			continue
		}
		if left--; left < 0 {
			break
		}
		p, included := strings.CutPrefix(p, "!")
		if excludes(p, parts) {
			rule, ok = line, !included
		}
	}
	return rule, ok
}

// excludes reports whether a rule of a .gitignore matches a path or a folder above it.
func excludes(rule string, parts []string) bool {
	folder := strings.HasSuffix(rule, "/")
	rule = strings.TrimSuffix(rule, "/")
	anchored := strings.Contains(rule, "/")
	segments := strings.Split(strings.TrimPrefix(rule, "/"), "/")
	for n := 1; n <= len(parts); n++ {
		if folder && n == len(parts) {
			return false // a rule for folders, and this is the file
		}
		if !anchored && matches(rule, parts[n-1]) || anchored && matchAll(segments, parts[:n]) {
			return true
		}
	}
	return false
}

// matchAll matches segments of a path; "**" stands for any number of them.
func matchAll(pattern, parts []string) bool {
	// reach[i] is whether the pattern so far matches the first i parts.
	reach := make([]bool, len(parts)+1)
	reach[0] = true
	for _, segment := range pattern {
		next := make([]bool, len(parts)+1)
		for i, ok := range reach {
			if !ok {
				continue
			}
			if segment == "**" {
				for j := i; j <= len(parts); j++ {
					next[j] = true
				}
			} else if i < len(parts) && matches(segment, parts[i]) {
				next[i+1] = true
			}
		}
		reach = next
	}
	return reach[len(parts)]
}
