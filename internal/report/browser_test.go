package report

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// browse opens a page in a real browser and returns its document and what the
// browser had to complain of.
func browse(t *testing.T, page string) (dom, complaints string) {
	t.Helper()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("a browser is not started in short tests or on Windows")
	}
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium here: install it (apt-get install chromium) to test the page in a browser")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--enable-logging=stderr", "--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+file)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			complaints += line
		}
	}
	return string(out), complaints
}

func TestPageInBrowser(t *testing.T) {
	page := written(t, HTML, broken(document(shape{3, 4, 12})))
	dom, complaints := browse(t, page)
	if complaints != "" {
		t.Errorf("the browser complains:\n%s", complaints)
	}
	if !strings.Contains(dom, `<button type="button">Change</button>`) {
		t.Error("the page's script did not run")
	}
}

func TestSortInBrowser(t *testing.T) {
	page := written(t, HTML, document(shape{2, 5, 12}))
	// A click, let in by the page's policy as if it were its own script.
	click := `[...document.querySelector(".effects").tHead.rows[0].cells].find((c) => c.textContent === "Change").firstChild.click();`
	sum := sha256.Sum256([]byte(click))
	page = strings.Replace(page, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	page = strings.Replace(page, "</body>", "<script>"+click+"</script></body>", 1)
	dom, complaints := browse(t, page)
	if complaints != "" {
		t.Errorf("the browser complains:\n%s", complaints)
	}
	var order []string
	for _, m := range regexp.MustCompile(`<th scope="row">([^<]+)</th>`).FindAllStringSubmatch(dom[strings.Index(dom, `<table class="effects`):], 5) {
		order = append(order, m[1])
	}
	if want := []string{"arenas", "GOGC=400", "GOGC=200", "A/A control", "nogreenteagc"}; !slices.Equal(order, want) {
		t.Errorf("sorted by change: %v, want %v", order, want)
	}
}
