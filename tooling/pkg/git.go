package pkg

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Repositories are those of packages, each fetched when it is first asked for. Close removes them.
type Repositories struct {
	// Log, if set, hears what is done.
	Log     func(text string)
	dir     string
	fetched map[string]string
	found   map[string][]Version
}

// Close removes what was fetched.
func (r *Repositories) Close() error {
	if r.dir == "" {
		return nil
	}
	return os.RemoveAll(r.dir)
}

func (r *Repositories) log(format string, args ...any) {
	if r.Log != nil {
		r.Log(fmt.Sprintf(format, args...))
	}
}

// git runs git and returns what it prints.
func (r *Repositories) git(ctx context.Context, args ...string) ([]byte, error) {
	r.log("git %s", strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, "git", args...)
	// It asks nobody for a password.
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	// Git ends its own children when it is asked to end; it is killed if that takes long.
	group(cmd)
	cmd.WaitDelay = 5 * time.Second
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("the program git is not there; packages are fetched with it")
	case err != nil:
		return nil, fmt.Errorf("git %s: %s", args[0], lastLine(said.String(), err))
	}
	return out.Bytes(), nil
}

// lastLine is what git says last, which is what is wrong.
func lastLine(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for _, line := range slices.Backward(lines) {
		if strings.HasPrefix(line, "fatal: ") || strings.HasPrefix(line, "error: ") {
			return line
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}

// repository fetches the repository of a package, once.
func (r *Repositories) repository(ctx context.Context, name string) (dir string, err error) {
	address, _ := split(name)
	if dir, ok := r.fetched[address]; ok {
		return dir, nil
	}
	if r.dir == "" {
		if r.dir, err = os.MkdirTemp("", "skald-pkg-"); err != nil {
			return "", err
		}
		r.fetched, r.found = map[string]string{}, map[string][]Version{}
	}
	dir = filepath.Join(r.dir, fmt.Sprint(len(r.fetched)))
	if _, err := r.git(ctx, "clone", "--quiet", "--bare", "https://"+address, dir); err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "", fmt.Errorf("cannot fetch the package %s from https://%s: %w", name, address, err)
	}
	r.fetched[address] = dir
	return dir, nil
}

// Versions are all versions of a package, the lowest first.
func (r *Repositories) Versions(ctx context.Context, name string) ([]Version, error) {
	dir, err := r.repository(ctx, name)
	if err != nil {
		return nil, err
	}
	if out, ok := r.found[name]; ok {
		return out, nil
	}
	tags, err := r.git(ctx, "-C", dir, "tag", "--list", "v*")
	if err != nil {
		return nil, err
	}
	_, majors := split(name)
	var out []Version
	for _, tag := range strings.Fields(string(tags)) {
		v, err := ParseVersion(strings.TrimPrefix(tag, "v"))
		if err == nil && slices.Contains(majors, v.major()) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b Version) int {
		switch {
		case a.Less(b):
			return -1
		case b.Less(a):
			return 1
		default:
			return 0
		}
	})
	r.found[name] = out
	return out, nil
}

// Newest is the highest version of a package; of one without versions, the latest commit.
func (r *Repositories) Newest(ctx context.Context, name string) (Version, error) {
	list, err := r.Versions(ctx, name)
	if err != nil {
		return "", err
	}
	if len(list) > 0 {
		return list[len(list)-1], nil
	}
	if _, majors := split(name); majors[0] > 1 {
		return "", fmt.Errorf("the package %s has no version %d.x.y", name, majors[0])
	}
	out, err := r.git(ctx, "-C", r.fetched[addressOf(name)], "log", "-1", "--format=%H %ct", "HEAD")
	if err != nil {
		return "", fmt.Errorf("the package %s has neither versions nor commits: %w", name, err)
	}
	var hash string
	var seconds int64
	if _, err := fmt.Sscan(string(out), &hash, &seconds); err != nil {
		return "", fmt.Errorf("git log: %w", err)
	}
	return Version("0.0.0-" + time.Unix(seconds, 0).UTC().Format("20060102150405") + "+" + hash), nil
}

func addressOf(name string) string {
	address, _ := split(name)
	return address
}

// Commit is the commit of a version.
func (r *Repositories) Commit(ctx context.Context, name string, v Version) (string, error) {
	dir, err := r.repository(ctx, name)
	if err != nil {
		return "", err
	}
	ref := v.commit()
	if ref == "" {
		list, err := r.Versions(ctx, name)
		if err != nil {
			return "", err
		}
		if !slices.Contains(list, v) {
			return "", fmt.Errorf("the package %s has no version %s; %s", name, v, have(list))
		}
		ref = "refs/tags/v" + string(v)
	}
	out, err := r.git(ctx, "-C", dir, "rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("the package %s has no version %s: %w", name, v, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// have lists versions, for a message.
func have(list []Version) string {
	if len(list) == 0 {
		return "it has none"
	}
	var names []string
	for _, v := range list[max(len(list)-5, 0):] {
		names = append(names, string(v))
	}
	if len(list) > 5 {
		return "its latest are " + strings.Join(names, ", ")
	}
	return "it has " + strings.Join(names, ", ")
}

// Manifest reads the manifest of a package at a commit.
func (r *Repositories) Manifest(ctx context.Context, name string, v Version, commit string) (*Manifest, error) {
	dir, err := r.repository(ctx, name)
	if err != nil {
		return nil, err
	}
	text, err := r.git(ctx, "-C", dir, "show", commit+":"+ManifestName)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, fmt.Errorf("version %s of %s is no package: it has no file %s", v, name, ManifestName)
	}
	return ParseManifest(fmt.Sprintf("%s of %s %s", ManifestName, name, v), string(text))
}

// Extract writes the files of a package at a commit to a folder.
func (r *Repositories) Extract(ctx context.Context, name string, v Version, to string) error {
	commit, err := r.Commit(ctx, name, v)
	if err != nil {
		return err
	}
	m, err := r.Manifest(ctx, name, v, commit)
	if err != nil {
		return err
	}
	if m.Path == "" {
		return fmt.Errorf("version %s of %s does not say its name in %s", v, name, ManifestName)
	}
	folder := "lib/" + m.Path
	archive, err := r.git(ctx, "-C", r.fetched[addressOf(name)], "archive", "--format=tar", commit, folder)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("version %s of %s has no folder %s", v, name, folder)
	}
	return unpack(bytes.NewReader(archive), folder, to)
}

// unpack writes the ordinary files of an archive that lie in a folder.
func unpack(archive io.Reader, folder, to string) error {
	r := tar.NewReader(archive)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("git archive: %w", err)
		}
		inside, ok := strings.CutPrefix(path.Clean(h.Name), folder+"/")
		if !ok || h.Typeflag == tar.TypeDir {
			continue
		}
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(filepath.FromSlash(inside)) {
			return fmt.Errorf("%s is not an ordinary file, as those of packages are", h.Name)
		}
		file := filepath.Join(to, filepath.FromSlash(inside))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
		if err != nil {
			return err
		}
	}
}
