# make check is for every change: format, vet, staticcheck, and all tests, in minutes. Continuous
# integration (.ci/run) runs it, systems, and, where time is left, race. make thorough is for a release and for a change
# of what computes: it has the race detector over every package, Go in place of assembly, and arm64
# too. The first build takes about two minutes more, and is kept.

GO ?= go

.PHONY: check thorough race beyond format vet purego arm64 arm64-all systems build wheel r-package dist release

# vet has run by then, and runs all of its checks.
check: format vet
	@echo "tests of all packages, some minutes; each is named when it has passed"
	@$(GO) test -vet=off ./...

thorough: check beyond
	@$(MAKE) --no-print-directory race WATCHED=./...

# The packages that serve requests, hold a store, or talk to other ranks: there goroutines share
# more than the rows of a loop, and the tests take a minute.
WATCHED = ./app/labelpage/store ./app/labelpage/tasks ./app/server ./internal/numbers/parallel ./internal/ranks/...

# Tests under the race detector, which needs a C compiler. Where a process may take no more memory
# the detector ends it before Go does: the test of that rank is left out.
race:
	@command -v gcc >/dev/null || { echo "no gcc here: the race detector does not run"; exit 0; }; \
	set -x; $(GO) test -race -vet=off -skip 'CrashesEndsAll/memory' $(WATCHED)

# Go in place of assembly, assembly for arm64 in an emulator, and the sources for other systems.
beyond: purego arm64 systems

format:
	@echo "format: gofmt -l ."
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt wants:"; echo "$$files"; exit 1; fi

vet:
	@echo "go vet of all packages, which it compiles at first: a minute or two, silent where nothing is wrong"
	@$(GO) vet ./...
	@echo "staticcheck of all packages: a minute or two, silent where nothing is wrong"
	@$(GO) tool staticcheck ./...

# The packages that compute. TestTwins sees to it that none but internal/numbers/vec knows a processor.
PACKAGES = ./internal/numbers/vec ./internal/numbers/linalg ./internal/numbers/tall ./points ./internal/describe ./internal/points/tiles ./internal/points/neighbours ./kernel ./internal/numbers/objective ./internal/points/gram ./internal/points/graph ./internal/machines/solve ./internal/machines/deformed

# The pure-Go twins of the assembly.
purego:
	$(GO) test -vet=off -tags purego $(PACKAGES)

# The assembly for arm64, under QEMU: the kernels with and without the products of bytes that
# not all processors have, and reference problems from points to solutions.
QEMU ?= qemu-aarch64-static
ON_ARM64 = GOARCH=arm64 CGO_ENABLED=0 timeout 600 $(GO) test -vet=off -short
arm64:
	GOARCH=arm64 $(GO) build $(PACKAGES)
	GOARCH=arm64 $(GO) vet ./internal/numbers/vec
	@if ! command -v $(QEMU) >/dev/null; then echo "no $(QEMU) here (Debian: qemu-user-static): arm64 is built and not run"; exit 0; fi; set -ex; \
	$(ON_ARM64) -exec "$(QEMU)" -run /neon ./internal/numbers/vec; \
	$(ON_ARM64) -exec "$(QEMU) -cpu cortex-a72" -run Bytes/neon ./internal/numbers/vec; \
	$(ON_ARM64) -exec "$(QEMU)" -run 'Golden|SameAsNewton' ./internal/points/graph ./internal/machines/solve ./internal/machines/deformed

# All tests of these packages there, one of everything that bench measures, and a training by
# the program.
arm64-all:
	for p in $(PACKAGES); do GOARCH=arm64 CGO_ENABLED=0 $(GO) test -short -timeout 1h -exec "$(QEMU)" $$p || exit 1; done
	GOARCH=arm64 CGO_ENABLED=0 $(GO) test -exec "$(QEMU)" -run TestRun ./app/bench
	GOARCH=arm64 CGO_ENABLED=0 $(GO) run -exec "$(QEMU)" ./cmd/lapsvm demo

# What the program needs of other systems: packages with files for a system are vetted for
# each, tests and all, and the sources of all packages are checked without being compiled,
# which make dist does.
SYSTEMS = ./internal/system/machine ./internal/system/huge ./internal/system/atomicfile
systems:
	GOOS=darwin GOARCH=arm64 $(GO) vet $(SYSTEMS)
	GOOS=linux GOARCH=arm64 $(GO) vet $(SYSTEMS)
	GOOS=windows GOARCH=amd64 $(GO) vet $(SYSTEMS)
	$(GO) run ./lab/release systems -targets darwin/arm64,windows/amd64

# Threads that C may run on reserve more of the address space, which ulimit -v bounds.
build:
	CGO_ENABLED=0 $(GO) build -o bin/ ./cmd/lapsvm

# The Python package with the program in it, a wheel for GOOS and GOARCH, this machine's
# where they are not given; PROGRAM is one for them that is built already. The wheel is the
# same for the same sources, folder and setuptools: setuptools works on a copy, whose files have
# the time of the commit and usual permissions. The program takes what go install has compiled,
# but for packages that C changes; what is published has no names of folders (make dist).
PYTHON ?= python3
DIST ?= dist
wheel: export GOOS := $(or $(GOOS),$(shell $(GO) env GOOS))
wheel: export GOARCH := $(or $(GOARCH),$(shell $(GO) env GOARCH))
wheel:
	@$(PYTHON) -c 'import setuptools, wheel, pip' 2>/dev/null || { echo "make wheel needs pip, setuptools and wheel: $(PYTHON) -m pip install setuptools wheel, or Debian's python3-pip and python3-wheel and PYTHON=/usr/bin/python3" >&2; exit 1; }
	@umask 022; mkdir -p $(DIST); work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	cp -r python "$$work" && rm -rf "$$work"/python/tests "$$work"/python/benchmarks "$$work"/python/examples && \
	program="$$work/python/lapsvm/bin/lapsvm$$($(GO) env GOEXE)" && mkdir "$$work/python/lapsvm/bin" && \
	if [ -n "$(PROGRAM)" ]; then cp "$(PROGRAM)" "$$program"; else \
		echo "compiling the program for $(GOOS)/$(GOARCH): seconds after go install, else some minutes"; \
		CGO_ENABLED=0 $(GO) build -v -tags static -ldflags '-s -w' -o "$$program" ./cmd/lapsvm; fi && \
	echo "packing the wheel into $(DIST)/" && \
	chmod -R u=rwX,go=rX "$$work" && chmod 755 "$$program" && \
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 1700000000) \
		$(PYTHON) -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$(abspath $(DIST))" "$$work/python"

# The R package with the program in it, for GOOS and GOARCH as make wheel.
R ?= R
r-package:
	@command -v $(R) >/dev/null || { echo "make r-package needs R: Debian's r-base-core" >&2; exit 1; }
	@umask 022; mkdir -p $(DIST); work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	mkdir -p "$$work/lapsvm" && cp -r r/. "$$work/lapsvm" && program="inst/bin/lapsvm$$($(GO) env GOEXE)" && mkdir -p "$$work/lapsvm/inst/bin" && \
	if [ -n "$(PROGRAM)" ]; then cp "$(PROGRAM)" "$$work/lapsvm/$$program"; else \
		echo "compiling the program: seconds after make build or go install, else some minutes"; \
		CGO_ENABLED=0 $(GO) build -v -tags static -ldflags '-s -w' -o "$$work/lapsvm/$$program" ./cmd/lapsvm; fi && \
	echo "packing the R package into $(DIST)/" && \
	chmod -R u=rwX,go=rX "$$work/lapsvm" && chmod 755 "$$work/lapsvm/$$program" && echo "$$program" > "$$work/lapsvm/BinaryFiles" && \
	{ cat LICEN[CS]E* 2>/dev/null || echo "The repository of lapsvm states no licence."; } > "$$work/lapsvm/LICENSE" && cd "$$work" && \
	{ $(R) CMD build --no-build-vignettes lapsvm >"$$work/log" 2>&1 && mv lapsvm_*.tar.gz "$(abspath $(DIST))" || { cat "$$work/log" >&2; exit 1; }; }

# What is published of a version, for all systems, and the check-list of a release
# (docs/releasing.md).
dist:
	$(GO) run ./lab/release dist -o $(DIST)

release:
	$(GO) run ./lab/release check -o $(DIST)
