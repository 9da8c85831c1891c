# skald: see README.md. The two commands to begin with are `make run` and `make test`.
GO ?= go
export GOFLAGS ?= -buildvcs=false -trimpath
# Where fetched libraries and drivers are kept; without a home, in this folder.
SKALD_CACHE ?= $(or $(XDG_CACHE_HOME),$(if $(HOME),$(HOME)/.cache),$(CURDIR)/.cache)/skald
export SKALD_CACHE
PREFIX ?= /usr/local

.PHONY: all build dist install run test test-deep test-gpu check golden nvrtc naga docs bench fuzz drivers clean

all: build

# The compiler itself: one file, no cgo, with the runner inside, which executables and libraries are copies of.
build:
	GO="$(GO)" ./scripts/build.sh skald

# The compiler for each system and processor, with checksums, in dist.
dist:
	./scripts/dist.sh

# Copy the compiler to PREFIX/bin.
install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install skald "$(DESTDIR)$(PREFIX)/bin/skald"

# Build skald, fetch what a device needs, compile an example and run it on a real file.
run: build
	./scripts/run-example.sh "$(FILE)"

# Everything that can be tested on a machine without a GPU, on the software drivers that the scripts fetch: at most ten minutes
# of processor time.
test: drivers
	./scripts/fetch-nvrtc.sh || echo "test: without NVRTC, CUDA C is not compiled here"
	./scripts/test.sh

# What `make test` tries samples of, whole, and the lab, in parts that each end: PARTS names some. What has passed is not run again.
test-deep: drivers
	./scripts/fetch-nvrtc.sh
	./scripts/fetch-naga.sh
	./scripts/fetch-editors.sh || echo "test-deep: without Neovim and Helix, the lines of docs/editors.md are not tried"
	./scripts/test-deep.sh $(PARTS)

# Futhark's tests (SKALD_PEER names a checkout), ours and random programs on the GPU that is there.
test-gpu: build
	./scripts/test-gpu.sh

drivers:
	@./scripts/fetch-webgpu.sh && ./scripts/fetch-drivers.sh || \
		{ echo "test: the devices that tests run on could not be fetched; \`go test ./...\` tests what needs none"; exit 1; }

# What must hold of the text of the code: format, lint, tidy modules, documents as the tables, builds for other systems, and then no
# difference.
check:
	./scripts/check.sh

# Rewrite the golden files from what the passes print now; read the difference before committing it.
golden:
	$(GO) test $$(grep -rlE --include='*_test.go' '(pass|surface)test\.Golden\(|goldentest\.(File|Out)\(' ./middle ./backends | xargs -n 1 dirname | sort -u) -update
	$(GO) test ./testsuite/kernels -run Recorded -update

# Compile with NVRTC every kernel of our programs that the list of those which it has accepted lacks, and write the list again.
# `make test` compiles at most 200 kernels that the list for sm_90 lacks. `make nvrtc LISTS=deep` writes those for other GPUs, which deep
# tests read. Empty a list (testsuite/kernels/testdata/nvrtc) to compile all.
nvrtc:
	./scripts/fetch-nvrtc.sh
	SKALD_TEST_DEPTH=$(LISTS) $(GO) test ./testsuite/kernels -run 'TestEveryKernelIsCUDA$(if $(LISTS),/sm_[78])' -accept -timeout 120m

# Have naga translate every kernel that the lists of those which it has accepted lack, and write the lists again: a minute for all.
naga:
	./scripts/fetch-naga.sh
	SKALD_TEST_DEPTH=full $(GO) test ./testsuite/kernels -run TestEveryKernelTranslates -accept -timeout 30m

# The literate pages of docs, with their pictures; what has not changed is not computed again.
docs: build
	for example in mandelbrot life histogram; do \
		./skald literate --backend cpu examples/$$example.fut -o docs/example-$$example.md || exit 1; done

# Every benchmark, for benchstat; BENCH names some, COUNT says how often, OUT where to.
bench:
	./scripts/bench.sh

fuzz:
	./scripts/fuzz.sh

clean:
	rm -f skald
