package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/citeloop/citeloop/bench/attack/lab"
)

// secret stands in files that a pull request must not reach.
const secret = "sk-live-7c1f-belongs-to-the-runner"

var ciSystems = []string{"CI=true", "GITHUB_ACTIONS=true", "GITLAB_CI=true", "TF_BUILD=True", "TEAMCITY_VERSION=2026.1"}

// commands to CI systems, which must not reach the log whole.
var commands = []string{"::set-output name=a::b", "::add-mask::x", "##[command]rm", "##vso[task.setvariable variable=a]b", "##teamcity[buildStatus status='SUCCESS']", "section_start:1:evil"}

func put(dir, name, text string) string {
	path := filepath.Join(dir, name)
	_ = os.MkdirAll(filepath.Dir(path), 0o755)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		panic(err)
	}
	return path
}

// leaks runs verify and looks for the secret in all that it wrote.
func leaks(l *lab.Lab, dir string, args ...string) (bool, string) {
	out, code := l.Run(dir, ciSystems, append([]string{"verify", "--offline"}, args...)...)
	for _, f := range []string{"out.sarif", "out.html", "out.json"} {
		data, _ := os.ReadFile(filepath.Join(dir, f))
		out += string(data)
	}
	said := strings.Join(strings.Fields(out), " ")
	if code == -1 {
		return false, "it hangs: " + said
	}
	return !strings.Contains(out, secret) && !strings.Contains(out, "PATH="), fmt.Sprintf("exit %d: %s", code, clip(said, 120))
}

func ciAttempts() []attempt {
	write := []string{"--write", "sarif=out.sarif", "--write", "html=out.html", "--write", "json=out.json"}
	command := func(format string) func(*lab.Lab) (bool, string) {
		return func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			put(dir, "s.md", "Salt is white.\n\n"+strings.Join(commands, "\n\n")+"\n")
			text := ""
			for i, c := range commands {
				text += fmt.Sprintf("The salt of %d wells is white and %s [s](s.md#L1).\n\n%s in well %d [x](x%d.md#L1).\n\n", i, c, c, i, i)
			}
			put(dir, "a.md", text)
			out, code := l.Run(dir, ciSystems, "verify", "--offline", "--format", format, "a.md")
			for _, c := range commands {
				raw := regexp.MustCompile(`^(::[a-z-]+|##\[|##vso\[|##teamcity\[|section_start:)`).FindString(c)
				found := strings.Contains(out, raw)
				if strings.HasPrefix(raw, "::") { // a command only where a line begins with it
					found = strings.Contains("\n"+out, "\n"+raw)
				}
				if found {
					return false, fmt.Sprintf("exit %d, the output has %q", code, raw)
				}
			}
			return code == 1 || code == 3, fmt.Sprintf("exit %d, %d characters without a command", code, len(out))
		}
	}
	return []attempt{
		{"pull request", "a report that is a link out of the folder", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			put(l.Folder, "outside/secret", "The key is "+secret+".\n")
			_ = os.Symlink(filepath.Join(l.Folder, "outside/secret"), filepath.Join(dir, "a.md"))
			return leaks(l, dir, append(write, "a.md")...)
		}},
		{"pull request", "a report that is /proc/self/environ", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			_ = os.Symlink("/proc/self/environ", filepath.Join(dir, "a.md"))
			return leaks(l, dir, append(write, "a.md")...)
		}},
		{"pull request", "a corpus that is a link out of the folder", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			put(l.Folder, "outside/secret.md", "The key is "+secret+".\n")
			_ = os.Symlink(filepath.Join(l.Folder, "outside"), filepath.Join(dir, "papers"))
			put(dir, "a.md", "The key is short [s](papers/secret.md#L1).\n")
			return leaks(l, dir, append(write, "--corpus", "papers", "a.md")...)
		}},
		{"pull request", "a cited file that is a link to a hidden one", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			put(dir, ".git/config", "The key is "+secret+".\n")
			_ = os.Symlink(".git/config", filepath.Join(dir, "s.md"))
			put(dir, "a.md", "The key is short [s](s.md#L1).\n")
			return leaks(l, dir, append(write, "a.md")...)
		}},
		{"pull request", "an output that is a link out of the folder", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			target := put(l.Folder, "outside/target", secret)
			_ = os.Symlink(target, filepath.Join(dir, "out.json"))
			put(dir, "a.md", "The key is short [s](s.md#L1).\n")
			_, code := l.Run(dir, ciSystems, "verify", "--offline", "--write", "json=out.json", "a.md")
			data, _ := os.ReadFile(target)
			return string(data) == secret, fmt.Sprintf("exit %d, the file outside is unchanged: %v", code, string(data) == secret)
		}},
		{"pull request", "a report that is a FIFO", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			_ = syscall.Mkfifo(filepath.Join(dir, "a.md"), 0o644)
			return leaks(l, dir, "a.md")
		}},
		{"pull request", "a cited file that is a FIFO", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			_ = syscall.Mkfifo(filepath.Join(dir, "s.md"), 0o644)
			put(dir, "a.md", "The key is short [s](s.md#L1).\n")
			return leaks(l, dir, "a.md")
		}},
		{"pull request", "commands of five CI systems in the text format", holds, command("text")},
		{"pull request", "commands of five CI systems in GitHub's format", holds, command("github")},
		{"pull request", "commands of five CI systems in SARIF and JSON", holds, func(l *lab.Lab) (bool, string) {
			if ok, why := command("sarif")(l); !ok {
				return ok, why
			}
			return command("json")(l)
		}},
		{"pull request", "commands in the names of files", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			for _, name := range []string{"::error title=x::y.md", "##[command]z.md", "##vso[task.x]y.md"} {
				put(dir, name, "The salt is white [s](nothing.md#L1).\n")
			}
			out, code := l.Run(dir, ciSystems, "verify", "--offline", "./::error title=x::y.md", "./##[command]z.md", "./##vso[task.x]y.md")
			bad := strings.Contains("\n"+out, "\n::") || strings.Contains(out, "##[") || strings.Contains(out, "##vso[")
			return !bad && (code == 1 || code == 3), fmt.Sprintf("exit %d: %s", code, clip(strings.Join(strings.Fields(out), " "), 100))
		}},
		{"pull request", "a saved page that poses as a journal's", holds, func(l *lab.Lab) (bool, string) {
			dir := l.Dir()
			put(dir, "papers/p.md", "---\nurl: https://journal.example/salt\n---\nThe salt is harmless.\n")
			put(dir, "a.md", "The salt is harmless [j](https://journal.example/salt).\n")
			out, code := l.Run(dir, ciSystems, "verify", "--offline", "--corpus", "papers", "a.md")
			return strings.Contains(out, "papers/p.md"), fmt.Sprintf("exit %d, the output names papers/p.md", code)
		}},
	}
}
