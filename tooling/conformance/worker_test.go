package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain makes the test's own executable a worker when it is told so, one that dies or falls silent for certain files.
func TestMain(m *testing.M) {
	if os.Getenv("SKALD_TEST_WORKER") == "" {
		os.Exit(m.Run())
	}
	if os.Getenv("SKALD_TEST_WORKER") == losingWorker {
		if err := serveLosing(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	in, files := io.Pipe()
	go func() {
		out := json.NewEncoder(files)
		for requests := json.NewDecoder(os.Stdin); ; {
			var r request
			if requests.Decode(&r) != nil {
				os.Exit(0)
			}
			switch name := filepath.Base(r.File); {
			case strings.HasPrefix(name, "crash"):
				fmt.Fprintln(os.Stderr, "the driver is gone")
				os.Exit(3)
			case strings.HasPrefix(name, "hang"):
				select {}
			default:
				_ = out.Encode(r) // the other end is not closed
			}
		}
	}()
	if err := Serve(in, os.Stdout, File, Options{Executor: Interpreter{}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

func TestWorkerSurvivesCrashesAndHangs(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	started := 0
	w := &Worker{
		Command: func() *exec.Cmd {
			started++
			cmd := exec.Command(exe) //nolint:gosec // this program itself
			cmd.Env = append(os.Environ(), "SKALD_TEST_WORKER=1")
			return cmd
		},
		Silence: time.Second, Others: &sync.RWMutex{},
	}
	defer w.Close()
	dir := t.TempDir()
	for _, c := range []struct {
		name, reason string
		started      int
	}{
		{"good", "", 1},
		{"crash", "crash: the driver is gone", 2}, // once more alone
		{"good again", "", 3},
		{"hang", "time-out: no result for 1s", 3},
		{"good at last", "", 4},
	} {
		path := filepath.Join(dir, c.name+".fut")
		text := "-- ==\n-- input { 2 } output { 3 }\nentry main (x: i32) = x + 1"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		results := w.File(path)
		if len(results) == 0 {
			t.Fatalf("%s: no result", c.name)
		}
		last := results[len(results)-1]
		if got := strings.TrimSpace(last.Reason); got != c.reason || (last.Status == Fail) != (c.reason != "") {
			t.Errorf("%s: %v %q, want reason %q", c.name, last.Status, got, c.reason)
		}
		if started != c.started {
			t.Errorf("%s: %d workers were started, want %d", c.name, started, c.started)
		}
	}
}
